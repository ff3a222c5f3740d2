/**
 * Events by what people and models say of them: names in place of slugs, a free text, a window in words. Names become
 * records, and records the filters that lists of events have.
 */
import { searchWords } from '../store/fold.ts';
import type { NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { type Choice, choose, isSure } from './choose.ts';
import { chooseArtists } from './choose-artists.ts';
import { cityPlace } from './city-places.ts';
import { eventsOf, filtersOf } from './event-filters.ts';
import { isGiven, type Reading, windowOf } from './event-window.ts';
import { isGuess, isWeakGuess, readLeft } from './left-words.ts';
import type { Place } from './name-places.ts';
import { isOfNight } from './nights.ts';
import { nearMe } from './question-words.ts';
import type { Times } from './time-words.ts';
import type { Window } from './times.ts';
import { type CountryRead, readWording, type Wording } from './wording.ts';

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
  names: readonly Choice[];
  country: CountryRead | null;
  window: Window;
  /** How the window was read; null where none was asked for. */
  reading: Reading | null;
  /** Words that the names of the events have. */
  words: string;
  /** Words of the free text that were left out, as they were written. */
  unread: readonly string[];
  /** Names of the free text that were left out, since one of their kind is there already. */
  surplus: readonly Choice[];
  /** Names that words of the free text are like, which were left out with those words. */
  guesses: readonly Choice[];
  /** List items as JSON texts, with the placeholder of `store/show.ts` for the base address. */
  items: string[];
  hasMore: boolean;
  /** How many there are; null where they are more than `countTo`. */
  count: number | null;
};

/** Names and filters of one reading of what is asked. */
type Meant = {
  names: readonly Choice[];
  country: CountryRead | null;
  words: string;
  times: Times | null;
  unread: readonly string[];
  surplus: readonly Choice[];
  guesses: readonly Choice[];
};

/**
 * Finds events, soonest first: those that are not over, unless past ones are wanted. A name that nobody has finds none.
 * @throws Problem `invalid_parameter` where `from` or `to` cannot be read
 */
export function findEvents(asked: EventsAsked, catalogue: Catalogue): EventsFound {
  const found = findRead(asked, catalogue);
  const [near] = nearMe.exec((asked.query ?? '').slice(0, longestQuery)) ?? [];
  const isPlaced =
    found.country !== null || found.names.some(({ kind }) => kind === 'city' || kind === 'venue');
  if (near === undefined || isPlaced) return found;
  return { ...found, unread: [...found.unread, near.replace(/\s+/gu, ' ')] };
}

function findRead(asked: EventsAsked, catalogue: Catalogue): EventsFound {
  const given = meantByFields(asked, catalogue);
  const text = (asked.query ?? '').slice(0, longestQuery).toWellFormed().trim();
  if (text === '') return find(asked, given, catalogue);
  const wordings: Wording[] = [];
  for (const wording of readWording(catalogue, text)) {
    wordings.push(wording);
    const meant = withWording(given, wording, catalogue);
    if (meant === null) continue;
    const found = find(asked, meant, catalogue);
    if (found.items.length > 0) return found;
  }
  // No event has all that was left in its name: the reading that understands most comes first.
  let first: EventsFound | null = null;
  for (const wording of wordings.reverse()) {
    const meant = withLeft(given, wording, asked, catalogue);
    const found = find(asked, meant, catalogue);
    const sure = found.items.length === 0 ? withoutGuesses(meant, given, isGuess) : meant;
    const other = sure === meant ? found : find(asked, sure, catalogue);
    if (other.items.length > 0) return other;
    if (found.items.length > 0 || isUnderstood(found)) return found;
    first ??= found;
  }
  return first as EventsFound;
}

/** Whether all of a free text was understood: then it is answered, though it be that there is nothing. */
const isUnderstood = ({ unread, words }: EventsFound): boolean => unread.length === 0 && words === '';

/** More of a free text is not read. */
const longestQuery = 500;

function meantByFields(asked: EventsAsked, catalogue: Catalogue): Meant {
  const country = asked.country ?? null;
  const inCountry: Place = country === null ? {} : { country: country.code };
  const names: Choice[] = isGiven(asked.artist) ? [...chooseArtists(catalogue, asked.artist)] : [];
  const city = isGiven(asked.city) ? choose(catalogue, 'city', asked.city, inCountry) : null;
  if (isGiven(asked.venue))
    names.push(choose(catalogue, 'venue', asked.venue, placeOf(catalogue, inCountry, city)));
  if (isGiven(asked.genre)) names.push(choose(catalogue, 'genre', asked.genre));
  if (city) names.push(city);
  return { names, country, words: '', times: null, unread: [], surplus: [], guesses: [] };
}

/** Where a venue has to be: in the cities that a name stands for, or in one of that name. */
function placeOf(catalogue: Catalogue, country: Place, city: Choice | null | undefined): Place {
  if (!city) return country;
  if (city.match === null) return { ...country, city: city.text };
  const own = cityPlace(catalogue, city.match.slug);
  const cities = city.region?.cities ?? (own === null ? [] : [own]);
  return { ...country, cities };
}

const order: readonly NameableKind[] = ['artist', 'venue', 'genre', 'city'];
const inOrder = (names: readonly Choice[]): Choice[] =>
  [...names].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));

/**
 * What the fields mean together with a free text, where events have to have all words of it in their names that name
 * nothing: fields go before names in the text, which then are mere words. Null where some of it cannot be words.
 */
function withWording(given: Meant, wording: Wording, catalogue: Catalogue): Meant | null {
  const { meant, left } = together(given, wording, catalogue);
  if (wording.isEither) return null;
  const words = [...left, ...wording.rest, ...wording.surplus.map(({ text }) => [text])];
  const read = words.map((run) => searchWords(run.join(' '))).filter(Boolean);
  if (read.length < words.length) return null;
  return { ...meant, words: read.join(' ') };
}

/** The same, where words are only asked for if there are events that have them in their names. */
function withLeft(
  given: Meant,
  wording: Wording,
  { includePast, now }: EventsAsked,
  catalogue: Catalogue,
): Meant {
  const { meant, left, place } = together(given, wording, catalogue);
  const taken = new Set(meant.names.map(({ kind }) => kind));
  const upcomingAt = includePast ? undefined : now;
  const read = readLeft(catalogue, [...left, ...wording.rest], taken, place, upcomingAt);
  const names = [...meant.names];
  const surplus = [...wording.surplus];
  for (const choice of read.names) {
    const isFirst = choice.kind === 'artist' || names.every(({ kind }) => kind !== choice.kind);
    if (isFirst) names.push(choice);
    else surplus.push(choice);
  }
  const { unread } = read;
  // Where nothing of it was understood but a time, it asks for something that there is not.
  const isNothing = names.length + read.words.length === 0 && meant.country === null;
  const words = (isNothing ? unread : read.words).join(' ');
  const all = { ...meant, names: inOrder(names), surplus, words, unread: isNothing ? [] : unread };
  return withoutGuesses(all, given, isWeakGuess);
}

/** The same without names that are only guessed at, where more than those was understood: an ordinary word is no name. */
function withoutGuesses(meant: Meant, given: Meant, isOut: (choice: Choice) => boolean): Meant {
  const guesses = meant.names.filter((choice) => !given.names.includes(choice) && isOut(choice));
  const names = meant.names.filter((choice) => !guesses.includes(choice));
  const hasOther = names.length > 0 || meant.country !== null || meant.times !== null || meant.words !== '';
  if (guesses.length === 0 || !hasOther) return meant;
  const unread = [...meant.unread, ...guesses.map(({ text }) => text)];
  return { ...meant, names, unread, guesses: [...meant.guesses, ...guesses] };
}

/** The names of fields and text together, what of the text are mere words then, and where things have to be. */
function together(
  given: Meant,
  wording: Wording,
  catalogue: Catalogue,
): { meant: Meant; left: string[][]; place: Place } {
  const names = [...given.names];
  const left: string[][] = [];
  const country = given.country ?? wording.country;
  for (const choice of wording.names) {
    const same = names.filter(({ kind }) => kind === choice.kind);
    if (same.some(({ match }) => match?.id === choice.match?.id)) continue;
    if (choice.kind === 'artist' || same.length === 0) names.push(choice);
    else left.push([choice.text]);
  }
  const inCountry: Place = country === null ? {} : { country: country.code };
  const city = names.find(({ kind }) => kind === 'city');
  const place = placeOf(catalogue, inCountry, city);
  const placed = names.flatMap((choice) => {
    const found = given.names.includes(choice) ? choice : inPlace(choice, inCountry, place, catalogue);
    // Nobody of that name there: then these are words like others.
    if (found === null) left.push([choice.text]);
    return found ?? [];
  });
  const { times } = wording;
  return { meant: { ...given, names: inOrder(placed), country, times }, left, place };
}

/** A name from a text, chosen again now that its place is known; null where it is nobody's there. */
function inPlace(choice: Choice, country: Place, place: Place, catalogue: Catalogue): Choice | null {
  if (choice.kind === 'city') return choose(catalogue, 'city', choice.text, country);
  if (choice.kind !== 'venue') return choice;
  const venue = choose(catalogue, 'venue', choice.text, place);
  if (isSure(venue)) return venue;
  const artist = choose(catalogue, 'artist', choice.text);
  return isSure(artist) ? artist : null;
}

/** So many events whose clock is not known may stand among those of a night and be the next day's. */
const mostClockless = 50;

function find(asked: EventsAsked, meant: Meant, catalogue: Catalogue): EventsFound {
  const { window, reading, isUnread } = windowOf(asked, meant, catalogue);
  const wanted = Math.max(asked.limit, asked.countTo) + 1;
  const filters = filtersOf(asked, meant, window, catalogue);
  const { night } = window;
  const all = eventsOf(catalogue, filters, meant.words, night ? wanted + mostClockless : wanted);
  const items = (night ? all.filter((json) => isOfNight(json, night)) : all).slice(0, wanted);
  const { names, country, words, unread, surplus, guesses } = meant;
  return {
    names,
    country,
    window,
    reading,
    words,
    unread: isUnread && meant.times ? [...unread, ...timeWords(meant.times)] : unread,
    surplus,
    guesses,
    items: items.slice(0, asked.limit),
    hasMore: items.length > asked.limit,
    count: items.length === wanted ? null : items.length,
  };
}

const timeWords = ({ from, to }: Times): string[] => [from, to].flatMap((text) => text ?? []);
