/** What putting records together works with: the tools of a workbench. */
import type { Names } from '../../store/names.ts';
import type { Sources } from '../../store/sources.ts';
import type { Writer } from '../../store/writer.ts';
import type { Context } from '../records/context.ts';

export type Desk = {
  context: Context;
  sources: Sources;
  writer: Writer;
  names: Names;
  /** To be called now and then by what only reads for long. */
  ease(): void;
};
