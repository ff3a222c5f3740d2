/** Recognizes an address and reads its first records, for `cratebase add URL` and the console. */
import type { SourcePreview } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import { adapterOptions, type SourceType } from '../../sources/adapter.ts';
import { toFailure } from '../../sources/common/fetch-error.ts';
import type { AdapterItem } from '../../sources/common/input-items.ts';
import { isHttpUrl, redactUrl } from '../../sources/common/redact.ts';
import { BudgetedFetch } from '../../sources/discovery/budgeted-fetch.ts';
import { type Attempt, discover } from '../../sources/discovery/discover.ts';
import type { Candidate } from '../../sources/discovery/services.ts';
import { trialOptions } from '../../sources/discovery/trial.ts';
import { changeRules, type RuleChanges } from '../rules/rule-changes.ts';
import { parseLocation, parseSourceName, parseSourceOptions, parseSourceType } from './source-config.ts';
import { previewSource } from './source-preview.ts';

export type { Attempt } from '../../sources/discovery/discover.ts';

/** Requests to recognize an address, and further ones for the preview of what was found. */
const maxRequests = 8;
const maxPreviewRequests = 4;
/** Pages of a list that a preview reads. */
const maxPreviewPages = '4';
const defaultMaxMs = 30_000;

export type AddressInput = {
  url: string;
  /** By default the host of the address, with a number if that is taken: `host-2`. */
  name?: string | undefined;
  /** By default it is recognized. */
  type?: string | undefined;
  /** Each `name=value`. They are added to those that are recognized. */
  options?: readonly string[] | undefined;
  rules?: RuleChanges | undefined;
  /** Time for all requests, ms. */
  maxMs?: number | undefined;
};

export type AddressSettings = {
  fetch: GuardedFetch;
  /** Whether a word is a genre of the catalogue. */
  isGenre: (name: string) => boolean;
  /** ms since 1970. */
  now: number;
  secretOptions: (type: SourceType, url: string) => Record<string, string>;
  existing: ExistingSources;
};

/** The sources that the data file has. */
export type ExistingSources = {
  has: (name: string) => boolean;
  isScheduled: (name: string) => boolean;
  /** Returns the name of the scheduled source with this address; null if there is none. */
  nameAt: (type: SourceType, url: string) => string | null;
};

/** A source that can be added as it is. */
export type RecognizedSource = {
  name: string;
  type: SourceType;
  /** The address to add, which may be another than the given one. It may contain a key. */
  url: string;
  options: string[];
  /** What it is, in words. */
  label: string;
  license: string | null;
  attribution: string | null;
  /** Options of the type that name the place of events which state none. */
  place_options: PlaceOption[];
};
/** Options that name a place, in the order in which they are asked for. */
const placeOptions = ['city', 'country', 'venue', 'timezone'] as const;
export type PlaceOption = (typeof placeOptions)[number];

/** What an address is; `found` and `reading` are null if nothing that can be read was found. */
export type RecognizedAddress = {
  found: RecognizedSource | null;
  reading: { preview: SourcePreview; records: AdapterItem[] } | null;
  tried: Attempt[];
  /** Requests that were sent. */
  requests: number;
};

/**
 * Recognizes an address and reads the start of the source that it is. Writes nothing. Requests are sent one after the
 * other: at most 8, and 4 more for the preview.
 * @throws Failure if the address cannot be fetched or its service must not be read
 */
export async function recognizeAddress(
  input: AddressInput,
  { fetch, isGenre, now, secretOptions, existing }: AddressSettings,
): Promise<RecognizedAddress> {
  const { maxMs = defaultMaxMs } = input;
  const url = parseLocation(input.url);
  if (!isHttpUrl(url))
    throw new Failure('The address of a source begins with https:// or http://.', 2, {
      field: 'url',
      code: 'value_url',
    });
  const name = (input.name ?? '').trim();
  // Before the first request: `add` would refuse it after the preview.
  if (existing.isScheduled(name)) throw takenName(name);
  const abort = new AbortController();
  const timeout = new Failure(`${redactUrl(url)} takes longer than ${Math.ceil(maxMs / 1_000)} s.`, 1, {
    code: 'slow_address',
  });
  const timer = setTimeout(() => abort.abort(timeout), maxMs);
  const endsAt = performance.now() + maxMs;
  const budget = new BudgetedFetch(fetch, { maxRequests, signal: abort.signal });
  try {
    const { options = [] } = input;
    const settings = { budget, now, options, signal: abort.signal, secretOptions };
    const discovery =
      input.type === undefined
        ? await discover(url, settings)
        : { found: givenCandidate(input.type, url), tried: [] };
    const { found, tried } = discovery;
    if (found === null) return { found: null, reading: null, tried, requests: budget.count };
    budget.extend(maxPreviewRequests);
    const source = toSource(found, input, url, existing);
    const reading = await previewSource({
      name: source.name,
      type: source.type,
      location: source.url,
      options: { ...trialOptions(source, maxPreviewPages), ...secretOptions(source.type, source.url) },
      rules: changeRules({}, input.rules ?? {}),
      fetch: budget.fetch,
      isGenre,
      pause: async () => {},
      maxMs: Math.max(1, endsAt - performance.now()),
      now,
    });
    return { found: source, reading, tried, requests: budget.count };
  } catch (failure) {
    // What the timer aborted fails with an error of its own.
    throw abort.signal.aborted ? timeout : toFailure(failure, redactUrl(url));
  } finally {
    clearTimeout(timer);
  }
}

function givenCandidate(type: string, url: string): Candidate {
  const sourceType = parseSourceType(type);
  return { type: sourceType, url, options: [], label: 'a source of the type that you named' };
}

function toSource(
  candidate: Candidate,
  { name = '', options = [] }: AddressInput,
  givenUrl: string,
  existing: ExistingSources,
): RecognizedSource {
  const { type, url, label, license = null, attribution = null } = candidate;
  const all = [...candidate.options, ...options];
  parseSourceOptions(type, all);
  const own = name.trim() === '' ? freeName(type, url, givenUrl, existing) : parseSourceName(name);
  const place_options = placeOptions.filter((option) => adapterOptions[type].includes(option));
  return { name: own, type, url, options: all, label, license, attribution, place_options };
}

/** Returns a name that no source has. Throws a `Failure` if a source reads this address already. */
function freeName(type: SourceType, url: string, givenUrl: string, { has, nameAt }: ExistingSources): string {
  const otherName = nameAt(type, url);
  if (otherName !== null) throw takenName(otherName, 'url');
  const name = nameOfAddress(givenUrl);
  let free = name;
  for (let number = 2; has(free); number++) free = `${name}-${number}`;
  return free;
}

/** @param field what the other source has as well */
const takenName = (name: string, field: 'name' | 'url' = 'name'): Failure =>
  new Failure(
    `There is a source ${name} already${field === 'url' ? ' with this address' : ''}. Change it with \`cratebase sources set\`, or use another name.`,
    1,
    { field, code: 'taken' },
  );

/** Suggests a name for a source: the host without `www.`, such as `club.example`. */
function nameOfAddress(url: string): string {
  const { hostname } = new URL(url);
  return hostname.replace(/^(?:www|app|api)\.(?=.*\.)/, '').replace(/[^\p{L}\p{N}.-]/gu, '');
}
