/** The background work of a server: it deletes expired data of accounts, and loads the words of the search. */
import type { Access } from '../access/access.ts';
import { compileTimePatterns } from '../catalogue/dates/time-expressions.ts';
import type { CatalogueSearch } from '../catalogue/search.ts';
import { describeFailure, type Log } from '../log.ts';

const cleanupIntervalMs = 3_600_000;

/** Deletes expired data, now and every hour; returns a function that stops it. */
export function scheduleCleanup(access: Access, log: Log): () => void {
  const cleanUp = () => {
    access
      .prune()
      .catch((failure: unknown) =>
        log('warn', 'expired data of accounts could not be deleted', describeFailure(failure)),
      );
  };
  cleanUp();
  const timer = setInterval(cleanUp, cleanupIntervalMs).unref();
  return () => clearInterval(timer);
}

/** Delays between steps while the word index is incomplete, and between checks for new words, in ms. */
const wordIndexDelayMs = { busy: 1, idle: 1_000 };

/** Loads search words in the background, and compiles time patterns first; returns a function that stops it. */
export function indexWordsInBackground(search: CatalogueSearch, log: Log): () => void {
  const times = compileTimePatterns();
  const step = () => {
    let isDone = true;
    try {
      isDone = times.next().done === true && search.loadWords();
    } catch (failure) {
      log('warn', 'the words of names could not be read', describeFailure(failure));
    }
    timer = setTimeout(step, isDone ? wordIndexDelayMs.idle : wordIndexDelayMs.busy).unref();
  };
  // Starts with a delay, so that callers waiting for the start are served first.
  let timer = setTimeout(step, wordIndexDelayMs.idle).unref();
  return () => clearTimeout(timer);
}
