/** Reads the start of a candidate, to see whether it lists records. */
import { Failure } from '../../failure.ts';
import { adapterOptions, type SourceType } from '../adapter.ts';
import { NotFoundError } from '../common/opener.ts';
import { readSource } from '../read-source.ts';
import type { BudgetedFetch } from './budgeted-fetch.ts';
import type { Candidate } from './services.ts';

export type DiscoverySettings = {
  budget: BudgetedFetch;
  /** Options that a person gave, each `name=value`. */
  options: readonly string[];
  now: number;
  signal: AbortSignal;
  /** Returns the options that the environment sets for a type at an address: the key of the operator, or none. */
  secretOptions: (type: SourceType, url: string) => Record<string, string>;
};

/** Records that are enough to know. */
const enoughRecords = 5;
/** Pages of a list that are looked at. */
const maxTrialPages = '2';

/** How many records a candidate lists, up to a few, and why there are none. */
export type Trial = { count: number; problem: string | null };

/** The options with which the start of a source is read: a list is not followed to its end. */
export function trialOptions({ type, options }: Pick<Candidate, 'type' | 'options'>, pages: string) {
  return { ...(type === 'jsonld' ? { pages } : {}), ...Object.fromEntries(options.map(toPair)), pause: '0' };
}

/** Splits `name=value`. */
function toPair(option: string): readonly [string, string] {
  const at = option.indexOf('=');
  return [option.slice(0, at), option.slice(at + 1)];
}

/** The options of a person that a type has: each candidate may be of another type. */
const optionsFor = (type: SourceType, given: readonly string[]): string[] =>
  given.filter((option) => adapterOptions[type].includes(toPair(option)[0]));

/** Tries a candidate. A failure of the candidate is a result. */
export async function trialOf(candidate: Candidate, settings: DiscoverySettings): Promise<Trial> {
  const { type, url } = candidate;
  const options = [...candidate.options, ...optionsFor(type, settings.options)];
  const reading = readSource({
    type,
    location: url,
    now: settings.now,
    options: { ...trialOptions({ type, options }, maxTrialPages), ...settings.secretOptions(type, url) },
    fetch: settings.budget.fetch,
    signal: settings.signal,
    // A failed request is kept, so that repeating it is no use.
    pause: async () => {},
  });
  let count = 0;
  let problem: string | null = null;
  try {
    for await (const item of reading.records) {
      settings.signal.throwIfAborted();
      if ('rejected' in item) problem ??= item.rejected.reason;
      // A feed that only names itself has no episodes yet.
      else if ((item.record as { kind: string }).kind !== 'podcast') count++;
      if (count >= enoughRecords) break;
    }
  } catch (failure) {
    if (settings.signal.aborted) throw settings.signal.reason;
    if (!(failure instanceof Failure)) throw failure;
    problem = failure instanceof NotFoundError ? 'is not there' : failure.message;
  }
  return { count, problem };
}
