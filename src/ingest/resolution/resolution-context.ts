import type { SourceRecords } from '../../store/resolution/source-records.ts';
import type { NameIndexWriter } from '../../store/search/name-index.ts';
import type { CatalogueWriter } from '../../store/writer.ts';
import type { RebuildContext } from '../records/rebuild-context.ts';

export type ResolutionContext = {
  context: RebuildContext;
  sources: SourceRecords;
  writer: CatalogueWriter;
  names: NameIndexWriter;
  /** Called regularly by long reads. */
  releaseLockIfDue(): void;
};
