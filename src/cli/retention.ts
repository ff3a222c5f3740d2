/** The options of a folder that gets a new copy or export with each run: how many stay, and how old the newest may be. */
import { parseDuration } from '../clock.ts';
import { Failure } from '../failure.ts';
import { parseWholeNumber } from './numbers.ts';

const usageErrorStatus = 2;

/**
 * Parses `--keep` and `--every`. `everyMs` is absent without `--every`: then each run makes one.
 * @throws Failure (wrong usage) if one of them is invalid
 */
export function parseRetention(
  options: { keep?: string; every?: string },
  defaultKeep: number,
): { keep: number; everyMs?: number } {
  const keep = parseWholeNumber('--keep', options.keep) ?? defaultKeep;
  if (keep < 1) throw new Failure('--keep is at least 1.', usageErrorStatus);
  if (options.every === undefined) return { keep };
  const everyMs = parseDuration(options.every);
  if (everyMs === undefined)
    throw new Failure(
      `--every is a time span such as 24h, not ${JSON.stringify(options.every)}.`,
      usageErrorStatus,
    );
  return { keep, everyMs };
}
