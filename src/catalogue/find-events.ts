/**
 * Events by what people and models say of them: names in place of slugs, a free text, a window in words. Names become
 * records, and records the filters that lists of events have.
 */
import { Problem } from '../contract/errors.ts';
import { acceptedTimes } from '../contract/tools.ts';
import type { EventFilter } from '../store/event-lists.ts';
import { fold, searchWords } from '../store/fold.ts';
import type { NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { type Choice, choose, chooseArtists, isSure, type Place } from './choose.ts';
import { readWindow, type Window } from './times.ts';
import { readWording, type Wording } from './wording.ts';

/** What is asked; absent members restrict nothing. */
export type EventsAsked = {
  query?: string | undefined;
  artist?: string | undefined;
  venue?: string | undefined;
  genre?: string | undefined;
  city?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  includePast: boolean;
  limit: number;
  /** ms since 1970. */
  now: number;
};

export type EventsFound = {
  /** All names that were given, artists first, and what they mean. */
  names: Choice[];
  country: string | null;
  window: Window;
  /** Words that the names of the events have. */
  words: string;
  /** List items as JSON texts, with the placeholder of `store/show.ts`. */
  items: string[];
  hasMore: boolean;
};

/** Names and filters of one reading of what is asked. */
type Meant = { names: Choice[]; country: string | null; words: string; time: string | null };

/**
 * Finds events, soonest first: those that are not over, unless past ones are wanted. A name that nobody has finds none.
 * @throws Problem `invalid_parameter` where `from` or `to` cannot be read
 */
export function findEvents(asked: EventsAsked, catalogue: Catalogue): EventsFound {
  const given = meantByFields(asked, catalogue);
  const text = asked.query?.trim() ?? '';
  if (text === '') return find(asked, given, catalogue);
  const readings = readWording(catalogue, text).map((wording) => withWording(given, wording, catalogue));
  let found: EventsFound | null = null;
  for (const meant of readings) {
    found = find(asked, meant, catalogue);
    if (found.items.length > 0) return found;
  }
  const guessed = guess(readings.at(-1) as Meant, catalogue);
  return guessed === null ? (found as EventsFound) : find(asked, guessed, catalogue);
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

function meantByFields(asked: EventsAsked, catalogue: Catalogue): Meant {
  const country = asked.country ?? null;
  const inCountry: Place = country === null ? {} : { country };
  const names: Choice[] = isGiven(asked.artist) ? chooseArtists(catalogue, asked.artist) : [];
  const city = isGiven(asked.city) ? choose(catalogue, 'city', asked.city, inCountry) : null;
  if (isGiven(asked.venue)) {
    const place = city === null ? inCountry : { ...inCountry, city: city.match?.name ?? city.text };
    names.push(choose(catalogue, 'venue', asked.venue, place));
  }
  if (isGiven(asked.genre)) names.push(choose(catalogue, 'genre', asked.genre));
  if (city) names.push(city);
  return { names, country, words: '', time: null };
}

const order: readonly NameableKind[] = ['artist', 'venue', 'genre', 'city'];

/** What the fields mean together with a free text: fields go before names in the text, which then are mere words. */
function withWording(given: Meant, wording: Wording, catalogue: Catalogue): Meant {
  const names = [...given.names];
  const words = wording.rest === '' ? [] : [wording.rest];
  const country = given.country ?? wording.country;
  for (const choice of wording.names) {
    const same = names.filter(({ kind }) => kind === choice.kind);
    if (same.some(({ match }) => match?.id === choice.match?.id)) continue;
    if (choice.kind === 'artist' || same.length === 0) names.push(choice);
    else words.push(searchWords(choice.text));
  }
  const place: Place = country === null ? {} : { country };
  const city = names.find(({ kind }) => kind === 'city');
  const sorted = names
    .flatMap((choice) => {
      const found = given.names.includes(choice) ? choice : inPlace(choice, place, city, catalogue);
      // Nobody of that name there: then these are words like others.
      if (found === null) words.push(searchWords(choice.text));
      return found ?? [];
    })
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return { names: sorted, country, words: words.join(' '), time: wording.time };
}

/** A name from a text, chosen again now that its place is known; null where it is nobody's there. */
function inPlace(
  choice: Choice,
  place: Place,
  city: Choice | undefined,
  catalogue: Catalogue,
): Choice | null {
  if (choice.kind === 'city') return choose(catalogue, 'city', choice.text, place);
  if (choice.kind !== 'venue') return choice;
  const there = city?.match ? { ...place, city: city.match.name } : place;
  const venue = choose(catalogue, 'venue', choice.text, there);
  if (isSure(venue)) return venue;
  const artist = choose(catalogue, 'artist', choice.text);
  return isSure(artist) ? artist : null;
}

/** What fits worse than this is no guess at what a free text names. */
const leastGuess = 0.7;

/** What the words may have been meant to name, where no event has them in its name; null where nothing is like them. */
function guess(meant: Meant, catalogue: Catalogue): Meant | null {
  if (meant.words === '') return null;
  const taken = new Set(meant.names.map(({ kind }) => kind));
  const choices = order
    .filter((kind) => kind === 'artist' || !taken.has(kind))
    .map((kind) => choose(catalogue, kind, meant.words))
    .filter(({ match }) => match !== null && match.score >= leastGuess)
    .sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0));
  const [best] = choices;
  if (best === undefined) return null;
  const names = [...meant.names, best].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return { ...meant, names, words: '' };
}

function find(asked: EventsAsked, meant: Meant, catalogue: Catalogue): EventsFound {
  const { reader } = catalogue;
  const window = windowOf(asked, meant, catalogue);
  const filter = filterOf(asked, meant, window, catalogue);
  const wanted = asked.limit + 1;
  let items: string[] = [];
  if (filter && meant.words !== '') items = reader.eventNames.find(meant.words, filter, wanted);
  else if (filter)
    items = reader.events
      .source(filter)
      .fetch(null, wanted, null)
      .map(([item]) => item);
  return {
    names: meant.names,
    country: meant.country,
    window,
    words: meant.words,
    items: items.slice(0, asked.limit),
    hasMore: items.length > asked.limit,
  };
}

/** The window that is asked for; days are those of the venue or city that is named. */
function windowOf(asked: EventsAsked, { names, time }: Meant, { reader }: Catalogue): Window {
  const [from, to] = [asked.from, asked.to].map((text) => (isGiven(text) ? text : undefined));
  const places = names.flatMap(({ kind, match }) =>
    match && (kind === 'venue' || kind === 'city') ? [reader.named.one(kind, match.id)] : [],
  );
  const zone = places.find((place) => place?.timezone)?.timezone ?? null;
  const inText = from === undefined && to === undefined ? (time ?? undefined) : undefined;
  const window = readWindow(from ?? inText, to ?? inText, zone, asked.now);
  if (!('unreadable' in window)) return window;
  const name = window.unreadable;
  throw new Problem('invalid_parameter', `${name} cannot be read. It is ${acceptedTimes}.`, name);
}

/** The filters of lists; null where a name is nobody's, so that nothing can be found. */
function filterOf(
  { includePast, now }: EventsAsked,
  { names, country, words }: Meant,
  window: Window,
  { reader }: Catalogue,
): EventFilter | null {
  const filter: EventFilter = { ...window, ...(country !== null && { country }) };
  if (!includePast) filter.upcomingAt = now;
  for (const { kind, match, text } of names) {
    if (kind === 'city') {
      if (match) filter.cityId = match.id;
      else filter.cityText = fold(text).trim();
    } else if (match === null) {
      // Events may name a place that is not on record.
      const since = includePast ? 0 : reader.upcoming(now).since;
      const spellings = kind === 'venue' ? reader.named.spellings(text, since, includePast ? 0 : now) : [];
      if (spellings.length === 0 || words !== '') return null;
      filter.venueNames = spellings;
    } else if (kind === 'artist' && filter.artist !== undefined) {
      filter.also = [...(filter.also ?? []), match.id];
    } else filter[kind] = match.id;
  }
  return filter;
}
