/**
 * Asks recheck whether an expression can be made to backtrack for long, and keeps what it said in `verdicts.json`, since
 * it takes minutes for all of them: only what is new is analysed.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** By the degree of the polynomial; 'unknown' where the analysis took too long. */
export type Verdict = 'linear' | number | 'exponential' | 'unknown';
type Pattern = { source: string; flags: string };

const file = fileURLToPath(new URL('verdicts.json', import.meta.url));

/** Names an expression in `verdicts.json`. */
export const keyOf = ({ source, flags }: Pattern): string =>
  createHash('sha256')
    .update(`${[...flags].sort().join('')}/${source}`)
    .digest('base64url')
    .slice(0, 16);

/** The verdicts that are kept, by key. */
export const keptVerdicts = (): Map<string, Verdict> =>
  new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))));

/** Keeps these verdicts and no others. */
export function keepVerdicts(verdicts: ReadonlyMap<string, Verdict>): void {
  const sorted = [...verdicts].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/**
 * Analyses expressions, two at a time.
 * @returns their verdicts, in their order
 */
export async function analyse(
  patterns: readonly Pattern[],
  tell: (done: number) => void = () => {},
): Promise<Verdict[]> {
  // The part written in JavaScript needs no Java and no binary of a platform.
  process.env.RECHECK_BACKEND ??= `${process.platform}-${process.arch}` === 'linux-x64' ? 'native' : 'pure';
  const { check } = await import('recheck');
  const verdicts: Verdict[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < patterns.length; at = next++) {
      const { source, flags } = patterns[at] as Pattern;
      const verdict = async (checker: 'auto' | 'fuzz', timeout: number): Promise<Verdict> => {
        const found = await check(source, flags, { checker, timeout });
        if (found.status === 'safe') return 'linear';
        if (found.status === 'unknown') return 'unknown';
        return found.complexity.type === 'polynomial' ? found.complexity.degree : 'exponential';
      };
      const first = await verdict('auto', 10_000);
      verdicts[at] = first === 'unknown' ? await verdict('fuzz', 60_000) : first;
      tell(++done);
    }
  };
  await Promise.all([work(), work()]);
  return verdicts;
}
