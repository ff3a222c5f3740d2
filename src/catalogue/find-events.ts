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
import { type Choice, choose, isSure } from './choose.ts';
import { chooseArtists, isNamed } from './choose-artists.ts';
import type { Place } from './name-places.ts';
import { readWindow, todayIn, type Window } from './times.ts';
import { areTyposApart } from './typos.ts';
import { type CountryRead, readWording, type Wording } from './wording.ts';
import { countryZone } from './zones.ts';

/** What is asked; absent members restrict nothing. */
export type EventsAsked = {
  query?: string | undefined;
  artist?: string | undefined;
  venue?: string | undefined;
  genre?: string | undefined;
  city?: string | undefined;
  country?: CountryRead | undefined;
  from?: string | undefined;
  to?: string | undefined;
  includePast: boolean;
  limit: number;
  /** How many are counted, should there be more than `limit`. */
  countTo: number;
  /** ms since 1970. */
  now: number;
};

export type EventsFound = {
  /** All names that were given, artists first, and what they mean. */
  names: Choice[];
  country: CountryRead | null;
  window: Window;
  /** How the window was read; null where none was asked for. */
  reading: Reading | null;
  /** Words that the names of the events have. */
  words: string;
  /** List items as JSON texts, with the placeholder of `store/show.ts`. */
  items: string[];
  hasMore: boolean;
  /** How many there are; null where they are more than `countTo`. */
  count: number | null;
};

/** What a window in words was read by. */
export type Reading = {
  /** The words, where they alone say both when it begins and when it ends; else null. */
  closed: string | null;
  /** The zone whose days are meant; null where no place is known, and days are those of UTC. */
  zone: string | null;
  /** The day it is there, yyyy-mm-dd. */
  today: string;
};

/** Names and filters of one reading of what is asked. */
type Meant = { names: Choice[]; country: CountryRead | null; words: string; time: string | null };

/**
 * Finds events, soonest first: those that are not over, unless past ones are wanted. A name that nobody has finds none.
 * @throws Problem `invalid_parameter` where `from` or `to` cannot be read
 */
export function findEvents(asked: EventsAsked, catalogue: Catalogue): EventsFound {
  const given = meantByFields(asked, catalogue);
  const text = (asked.query ?? '').slice(0, longestQuery).toWellFormed().trim();
  if (text === '') return find(asked, given, catalogue);
  let meant = given;
  let found: EventsFound | null = null;
  for (const wording of readWording(catalogue, text)) {
    meant = withWording(given, wording, catalogue);
    found = find(asked, meant, catalogue);
    if (found.items.length > 0) return found;
  }
  const guessed = guess(meant, catalogue);
  return guessed === null ? (found as EventsFound) : find(asked, guessed, catalogue);
}

/** More of a free text is not read. */
const longestQuery = 500;

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

function meantByFields(asked: EventsAsked, catalogue: Catalogue): Meant {
  const country = asked.country ?? null;
  const inCountry: Place = country === null ? {} : { country: country.code };
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
  const place: Place = country === null ? {} : { country: country.code };
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

/** What a free text names by a part of the name fits so well, or better. */
const leastPart = 0.75;

/** Whether words may well name that: by a part of the name, or by all of it with a typo. */
function isGoodGuess(choice: Choice, catalogue: Catalogue): boolean {
  const { kind, text, match } = choice;
  if (match === null || match.score >= leastPart) return match !== null;
  if (kind === 'artist') return isNamed(catalogue, choice);
  return areTyposApart(searchWords(text).split(' '), searchWords(match.name).split(' '));
}

/** What the words may have been meant to name, where no event has them in its name; null where nothing is like them. */
function guess(meant: Meant, catalogue: Catalogue): Meant | null {
  if (meant.words === '') return null;
  const taken = new Set(meant.names.map(({ kind }) => kind));
  const choices = order
    .filter((kind) => kind === 'artist' || !taken.has(kind))
    .map((kind) => choose(catalogue, kind, meant.words))
    .filter((choice) => isGoodGuess(choice, catalogue))
    .sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0));
  const [best] = choices;
  if (best === undefined) return null;
  const names = [...meant.names, best].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return { ...meant, names, words: '' };
}

function find(asked: EventsAsked, meant: Meant, catalogue: Catalogue): EventsFound {
  const { reader } = catalogue;
  const { window, reading } = windowOf(asked, meant, catalogue);
  const filter = filterOf(asked, meant, window, catalogue);
  const wanted = Math.max(asked.limit, asked.countTo) + 1;
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
    reading,
    words: meant.words,
    items: items.slice(0, asked.limit),
    hasMore: items.length > asked.limit,
    count: items.length === wanted ? null : items.length,
  };
}

/** The window that is asked for; days are those of the venue or city that is named, else of the country. */
function windowOf(
  asked: EventsAsked,
  meant: Meant,
  catalogue: Catalogue,
): { window: Window; reading: Reading | null } {
  const [from, to] = [asked.from, asked.to].map((text) => (isGiven(text) ? text : undefined));
  const inText = from === undefined && to === undefined ? (meant.time ?? undefined) : undefined;
  const [first, last] = [from ?? inText, to];
  if (first === undefined && last === undefined) return { window: {}, reading: null };
  const zone = zoneOf(meant, catalogue);
  const window = readWindow(first, last, zone, asked.now);
  if ('unreadable' in window) {
    const name = window.unreadable;
    throw new Problem('invalid_parameter', `${name} cannot be read. It is ${acceptedTimes}.`, name);
  }
  // The words of a free text mean just that day, whatever they are.
  if (inText !== undefined && window.from && !window.to && 'date' in window.from) window.to = window.from;
  const closed = first !== undefined && last === undefined && window.to !== undefined ? first : null;
  return { window, reading: { closed, zone, today: todayIn(zone, asked.now).toString() } };
}

/** The zone of the place that is named; null where none is, or nothing is known of it. */
function zoneOf({ names, country }: Meant, catalogue: Catalogue): string | null {
  const places = names.filter(({ kind, match }) => match && (kind === 'venue' || kind === 'city'));
  const zone = places.find((place) => place.zone !== null)?.zone;
  if (zone) return zone;
  const code = places.find(({ match }) => match?.country)?.match?.country ?? country?.code;
  return code === undefined ? null : countryZone(catalogue, code);
}

/** The filters of lists; null where a name is nobody's, so that nothing can be found. */
function filterOf(
  { includePast, now }: EventsAsked,
  { names, country, words }: Meant,
  window: Window,
  { reader }: Catalogue,
): EventFilter | null {
  const filter: EventFilter = { ...window, ...(country !== null && { country: country.code }) };
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
