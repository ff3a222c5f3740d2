import type { RecordLookup } from '../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../store/resolution/source-records.ts';
import type { NameIndexWriter } from '../store/search/name-index.ts';
import type { CatalogueWriter } from '../store/writer.ts';

/** What a `WriteSession` (`write-session.ts`) reads and writes the data file with. */
export interface StoreContext {
  readonly writer: CatalogueWriter;
  readonly sources: SourceRecords;
  readonly names: NameIndexWriter;
  readonly lookup: RecordLookup;
}
