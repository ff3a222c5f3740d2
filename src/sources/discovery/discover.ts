/**
 * Finds out what source an address is, with few requests: the service by its address, the format of the response, then
 * what the page leads to.
 */

import { formatOfText } from '../../contract/source-formats.ts';
import { Failure } from '../../failure.ts';
import type { SourceType } from '../adapter.ts';
import { decodeText } from '../common/charset.ts';
import { parseJson } from '../common/parse-json.ts';
import { redactUrl } from '../common/redact.ts';
import { isGancioEvent } from '../gancio/adapter.ts';
import { findHints, folderOf, type PageHints } from './page-hints.ts';
import {
  type Candidate,
  candidateOfService,
  openstreetmapCredit,
  refusalOf,
  wikidataCredit,
} from './services.ts';
import { type DiscoverySettings, trialOf } from './trial.ts';

/** Something that was tried, and what came of it. */
export type Attempt = { what: string; url: string; outcome: string };

/** The source that was found; null with the attempts. */
export type Discovery = { found: Candidate | null; tried: Attempt[] };

/**
 * Recognizes an address.
 * @throws Failure if the service of the address must not be read, or the address cannot be fetched
 */
export async function discover(address: string, settings: DiscoverySettings): Promise<Discovery> {
  const refusal = refusalOf(address);
  if (refusal !== null) throw new Failure(refusal);
  return await new Recognition(settings).run(address);
}

/** Further pages that are looked at as if they had been given. */
const maxDepth = 1;

class Recognition {
  readonly #settings: DiscoverySettings;
  readonly #tried: Attempt[] = [];
  readonly #seen = new Set<string>();

  constructor(settings: DiscoverySettings) {
    this.#settings = settings;
  }

  async run(address: string): Promise<Discovery> {
    const service = candidateOfService(address);
    const found = service === null ? await this.#recognize(address, 0) : await this.#firstOf([service]);
    return { found, tried: this.#tried };
  }

  async #recognize(address: string, depth: number): Promise<Candidate | null> {
    const response = await this.#settings.budget.fetch(address, { allowHttp: true, accept: '*/*' });
    const url = response.url;
    if (response.status >= 400) {
      this.#note('the address', address, `answers ${response.status}`);
      // A page that asks for a browser may still publish its calendar.
      return response.status === 404 || response.status === 410 ? null : await this.#trySite(address);
    }
    const text = decodeText(await response.bytes(), response.headers['content-type'] ?? null);
    const format = formatOfText(text.slice(0, 65_536));
    const json = candidateOfJson(text, address);
    if (json !== null) return await this.#try(json, true);
    if (format?.label === 'an HTML page') return await this.#recognizePage(text, url, address, depth);
    if (format?.type == null) {
      this.#note('the address', address, `returns ${format?.label ?? 'an unknown format'}`);
      return null;
    }
    const type = format.type as SourceType;
    return await this.#try({ type, url: address, options: [], label: format.label }, true);
  }

  async #recognizePage(text: string, url: string, address: string, depth: number): Promise<Candidate | null> {
    const hints = findHints(text, url);
    const found = await this.#firstOf(candidatesOf(hints, url, address));
    if (found !== null) return found;
    if (hints.eventCount === 0) this.#note('events in the page', address, 'it describes none (schema.org)');
    const linked = await this.#tryLinks(hints, address);
    if (linked !== null) return linked;
    const [programme] = hints.programmes;
    const ofFolder = programme === undefined ? await this.#tryFolders(hints, address) : null;
    if (ofFolder !== null) return ofFolder;
    if (depth < maxDepth && programme !== undefined && !this.#settings.budget.isUsedUp) {
      const deeper = await this.#recognize(programme, depth + 1).catch((failure: unknown) => {
        if (!(failure instanceof Failure)) throw failure;
        this.#note('the programme', programme, failure.message);
        return null;
      });
      if (deeper !== null) return deeper;
    }
    if (depth > 0) return null;
    return (await this.#trySite(address)) ?? (await this.#tryFolders(hints, address));
  }

  /** Looks at a page of each folder that a page has many links to. Their names do not say that they are events. */
  async #tryFolders({ folderLinks }: PageHints, address: string): Promise<Candidate | null> {
    for (const link of folderLinks) {
      const outcome = await this.#try({ ...page(link), label: 'a page that it links to' });
      if (outcome === null) continue;
      const options = [`match=${folderOf(link)}`];
      return { type: 'jsonld', url: address, options, label: 'a list of pages with events' };
    }
    return null;
  }

  /** Looks at two pages that a page links to. If they describe events, the page is a list of events. */
  async #tryLinks({ listed, eventLinks }: PageHints, address: string): Promise<Candidate | null> {
    const links = [...new Set([...listed, ...eventLinks])].slice(0, 2);
    for (const link of links) {
      const outcome = await this.#try({ ...page(link), label: 'a page that it links to' });
      if (outcome === null) continue;
      const match = listed.includes(link) ? null : folderOf(link);
      const options = match === null ? [] : [`match=${match}`];
      return { type: 'jsonld', url: address, options, label: 'a list of pages with events' };
    }
    return null;
  }

  /** Tries the places that a site has whether its page leads there or not. */
  async #trySite(address: string): Promise<Candidate | null> {
    const at = (path: string) => new URL(path, address).href;
    return await this.#firstOf([
      { type: 'wordpress', url: at('/'), options: [], label: 'The Events Calendar of WordPress' },
      { type: 'gancio', url: at('/'), options: [], label: 'Gancio' },
      { type: 'jsonld', url: at('/sitemap.xml'), options: [], label: 'a sitemap' },
    ]);
  }

  /** Returns the first candidate that lists records. */
  async #firstOf(candidates: readonly Candidate[]): Promise<Candidate | null> {
    for (const candidate of candidates) {
      const found = await this.#try(candidate);
      if (found !== null) return found;
    }
    return null;
  }

  /**
   * Reads the start of a candidate. Returns it if it lists records.
   * @param isCertain whether the address itself has this format: then it may be empty, such as a new calendar
   */
  async #try(candidate: Candidate, isCertain = false): Promise<Candidate | null> {
    const key = `${candidate.type} ${candidate.url}`;
    if (this.#seen.has(key)) return null;
    this.#seen.add(key);
    const { budget, signal } = this.#settings;
    signal.throwIfAborted();
    const before = budget.count;
    const { count, problem } = await trialOf(candidate, this.#settings);
    if (count > 0 || (isCertain && problem === null)) return candidate;
    // A request that was not sent says nothing about the site.
    if (budget.isUsedUp && budget.count === before && problem !== null) {
      this.#note(candidate.label, candidate.url, 'was not tried: the number of requests is used up');
      return null;
    }
    this.#note(candidate.label, candidate.url, problem ?? 'lists no records');
    return null;
  }

  #note(what: string, url: string, outcome: string): void {
    this.#tried.push({ what, url: redactUrl(url), outcome });
  }
}

const page = (url: string): Candidate => ({ type: 'jsonld', url, options: [], label: 'events in the page' });

/** The sources that a page leads to, the most complete first. */
function candidatesOf(hints: PageHints, url: string, address: string): Candidate[] {
  const { platforms, calendars, feeds, eventCount, wordpressApi } = hints;
  const of = (type: SourceType, where: string, label: string): Candidate => ({
    ...{ type, url: where, label },
    options: [],
  });
  const root = new URL('/', url).href;
  // The interface of a site below a folder is not at its root.
  const tribe = wordpressApi === null ? root : new URL('tribe/events/v1/events', wordpressApi).href;
  const ical = new URL(url);
  ical.searchParams.set('ical', '1');
  return [
    ...(platforms.has('mobilizon') ? [of('mobilizon', root, 'Mobilizon')] : []),
    ...(platforms.has('gancio') ? [of('gancio', root, 'Gancio')] : []),
    ...(platforms.has('squarespace') ? [of('squarespace', url, 'a Squarespace page of events')] : []),
    ...(platforms.has('tribe') || platforms.has('wordpress')
      ? [of('wordpress', tribe, 'The Events Calendar of WordPress')]
      : []),
    ...calendars.slice(0, 2).map((calendar) => of('ical', calendar, 'a calendar that the page links to')),
    ...(platforms.has('tribe') ? [of('ical', ical.href, 'the calendar of The Events Calendar')] : []),
    ...(eventCount > 0 ? [page(address)] : []),
    ...feeds.slice(0, 1).map((feed) => of('podcast', feed, 'a feed that the page declares')),
  ];
}

/** Recognizes JSON by the names in it; null if it is another format. */
function candidateOfJson(text: string, url: string): Candidate | null {
  if (!/^\s{0,9}[[{]/.test(text)) return null;
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return null;
  }
  const has = (...names: string[]) =>
    typeof body === 'object' && names.every((name) => name in (body as object));
  const is = (type: SourceType, label: string): Candidate => ({ type, url, options: [], label });
  if (Array.isArray(body)) return body.some(isGancioEvent) ? is('gancio', 'Gancio') : null;
  if (has('events', 'rest_url')) return is('wordpress', 'The Events Calendar of WordPress');
  if (has('website', 'collection')) return is('squarespace', 'a Squarespace page of events');
  // Other instances of the services, and copies of their answers.
  if (has('elements', 'osm3s'))
    return { ...is('openstreetmap', 'an answer of the Overpass API'), ...openstreetmapCredit };
  const isQueryResult = has('head', 'results') && text.includes('www.wikidata.org/entity/Q');
  return isQueryResult ? { ...is('wikidata', 'an answer of Wikidata'), ...wikidataCredit } : null;
}
