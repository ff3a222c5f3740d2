/** Types: a parsed request for an operation, and the parts of the catalogue that answer it. */
import type { OperationId } from '../contract/operations.ts';
import type { Filters } from '../contract/parameters.ts';
import type { CatalogueReader } from '../store/reader.ts';
import type { CatalogueSearch } from './search.ts';

/** A parsed request, from the path and the query parameters. */
export type OperationRequest = {
  operation: OperationId;
  /** Path parameters, decoded. */
  slug: string;
  edition: string;
  filters: Filters;
  limit: number;
  cursor: string | undefined;
  q: string;
  /** ms since 1970. */
  now: number;
};

export type Catalogue = { reader: CatalogueReader; search: CatalogueSearch };
