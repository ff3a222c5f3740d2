/** Reads the files of a source one after the other. */
import { Failure } from '../../failure.ts';
import type { AdapterContext, FeedRecord, ReadOutcome } from '../adapter.ts';
import { redactUrl } from './redact.ts';

/**
 * Yields the records of all files. A file of several that cannot be read is reported, and the others are read.
 * @returns `unchanged` if all files are, `partial` if one was not read to its end
 */
export async function* readEach(
  context: AdapterContext,
  files: readonly string[],
  read: (file: string) => AsyncGenerator<FeedRecord, ReadOutcome>,
): AsyncGenerator<FeedRecord, ReadOutcome> {
  let end: ReadOutcome = { ended: files.length === 0 ? 'whole' : 'unchanged' };
  for (const file of files) {
    try {
      const outcome = yield* read(file);
      if (end.ended !== 'partial' && outcome.ended !== 'unchanged') end = outcome;
    } catch (failure) {
      if (!(failure instanceof Failure) || files.length === 1) throw failure;
      context.reject(redactUrl(file), failure.message);
      end = { ended: 'partial', reason: failure.message };
    }
  }
  return end;
}
