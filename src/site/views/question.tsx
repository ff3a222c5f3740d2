/** Answers a question in the search box ("techno in Berlin on Friday"): what was understood, and the events. */
import type { VNode } from 'preact';
import { nightOf, parseSelectedDays } from '../../catalogue/dates/selected-days.ts';
import { splitLikelyTime, splitTime } from '../../catalogue/dates/time-expressions.ts';
import type { TimeWindow } from '../../catalogue/dates/time-window.ts';
import { type EventResults, findEvents } from '../../catalogue/find-events.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import type { NameableKind } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import { withQuery } from '../components/pagination.tsx';
import { NavigationLinks } from '../components/parts.tsx';
import { nearestCitiesWithEvents } from '../days/nearest-city.ts';
import { NothingFound } from '../days/nothing-found.tsx';
import { type DayScope, dateNumber } from '../days/scope.ts';
import { type PageContext, recordPath } from '../page-context.ts';
import { askedLists, boundDate } from './question-lists.tsx';

type EventItem = ApiRecord<'EventItem'>;
/** An understood part of a question, and the words that say it. */
type Part = { label: string; kind: string; words: string };

const maxEvents = 20;
/** With a name alone, its record is what most visitors look for; few events stand above it. */
const maxEventsOfName = 5;
const maxCount = 100;

/** The records that a question names, and the section with its events. */
export type QuestionAnswer = { content: VNode; named: { kind: NameableKind; slug: string; name: string }[] };

/** The understood parts and the events of a question; null if the text is only a name that is not known, or words. */
export function answerQuestion(context: PageContext, q: string): QuestionAnswer | null {
  const results = findEvents(
    { query: q, includePast: false, limit: maxEvents, countTo: maxCount, now: context.now },
    context,
  );
  const parts = understoodParts(context, q, results);
  // A second genre or city does not restrict the events.
  const { lists, understood } = askedLists(context, q, results);
  const unread = [
    ...results.unread.filter((word) => !understood.has(word)),
    ...results.surplus.map(({ text }) => text),
  ];
  const isNameOnly = parts.length === 1 && results.reading === null && results.country === null;
  const isUnderstood = parts.some(({ kind }) => kind !== '');
  const isBareName = isNameOnly && normalizeForSearch(parts[0]?.words ?? '') === normalizeForSearch(q);
  if (!isUnderstood || (isBareName && results.items.length === 0)) return null;
  const content = (
    <section class="spaced flow" aria-labelledby="found-events">
      {(parts.length > 1 || unread.length > 0) && (
        <Understood context={context} parts={parts} unread={unread} />
      )}
      {lists}
      <h2 id="found-events">{context.messages.days.eventsFor}</h2>
      {results.items.length === 0 ? (
        <Nothing context={context} results={results} />
      ) : (
        <FoundEvents context={context} results={results} limit={isNameOnly ? maxEventsOfName : maxEvents} />
      )}
    </section>
  );
  const named = results.names.flatMap(({ kind, match, region }) =>
    match === null || region !== null ? [] : [{ kind, slug: match.slug, name: match.name }],
  );
  return { content, named };
}

function understoodParts(context: PageContext, q: string, results: EventResults): Part[] {
  const { kinds, days: words, formats, eventList } = context.messages;
  const { country, reading } = results;
  // Without its first genre, a question still reads "or techno".
  const others = results.otherGenres.map((other) => ({ ...other, text: `or ${other.text}` }));
  const names = [...results.names, ...others];
  const time = splitTime(q).text || splitLikelyTime(q).text;
  return [
    ...names.flatMap(({ kind, match, region, text }) =>
      match === null ? [] : [{ label: region?.name ?? match.name, kind: kinds[kind], words: text }],
    ),
    ...(country === null
      ? []
      : [{ label: formats.country(country.code), kind: eventList.country, words: country.text }]),
    ...(results.words === '' ? [] : [{ label: words.inName(results.words), kind: '', words: results.words }]),
    ...(reading === null
      ? []
      : [
          {
            label: windowLabel(context.messages, fromToday(context, results)),
            kind: words.label,
            words: time,
          },
        ]),
  ];
}

/** The window without its days that are over: results have upcoming events only. */
function fromToday({ now }: PageContext, { window, reading }: EventResults): TimeWindow {
  const { from, to } = window;
  const today = nightOf(reading?.zone ?? null, now).toString();
  const isRunning = from !== undefined && boundDate(from) < today && (!to || boundDate(to) >= today);
  return isRunning ? { ...window, from: { date: dateNumber(today) } } : window;
}

/** "Fri 27 Nov", "Fri 27 Nov to Sun 29 Nov". */
function windowLabel({ formats, days, eventList }: Messages, { from, to, night }: TimeWindow): string {
  if (night !== undefined) return formats.weekdayDate(night.date);
  const [first, last] = [from, to].map((bound) => bound && formats.weekdayDate(boundDate(bound)));
  if (first === undefined) return last === undefined ? '' : eventList.toDay(last);
  if (last === undefined) return eventList.fromDay(first);
  return first === last ? first : days.weekOf(first, last);
}

/** The parts as links that leave each one out. */
function Understood({
  context,
  parts,
  unread,
}: {
  context: PageContext;
  parts: readonly Part[];
  unread: readonly string[];
}): VNode {
  const { days: words } = context.messages;
  const without = (left: Part) =>
    withQuery(`${context.siteUrl.prefix}/search`, {
      q: parts
        .filter((part) => part !== left)
        .map((part) => part.words)
        .join(' '),
    });
  return (
    <>
      <nav class="understood" aria-label={words.understood}>
        <span class="label" aria-hidden="true">
          {words.understood}
        </span>
        <ul class="chips">
          {parts.map((part) => (
            <li key={part.label}>
              <a href={without(part)}>
                {part.kind !== '' && <span class="soft small">{part.kind}&nbsp;</span>}
                {part.label} <span aria-hidden="true">×</span>
                <span class="hidden">{words.leaveOut}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {unread.length > 0 && <p class="soft small">{words.ignored(unread.join(' '))}</p>}
    </>
  );
}

function FoundEvents({
  context,
  results,
  limit,
}: {
  context: PageContext;
  results: EventResults;
  limit: number;
}): VNode {
  const { items, hasMore } = results;
  const events = items.slice(0, limit).map((json) => JSON.parse(json) as EventItem);
  const more = hasMore || items.length > limit ? morePath(context, results) : null;
  return (
    <>
      <EventsByDay context={context} events={events} />
      <NavigationLinks
        links={[more === null ? null : { href: more, label: context.messages.days.moreEvents }]}
      />
    </>
  );
}

/** The page with all events of the results; null if no page has these filters. */
function morePath(context: PageContext, results: EventResults): string | null {
  const { names, otherGenres, country, words } = results;
  const slugOf = (kind: string) => names.find((name) => name.kind === kind)?.match?.slug;
  if (words !== '' || otherGenres.length > 0 || names.some(({ region }) => region !== null)) return null;
  const artist = slugOf('artist');
  if (artist !== undefined) return names.length === 1 ? recordPath(context, 'artist', artist) : null;
  const { from, to, night } = fromToday(context, results);
  return withQuery(`${context.siteUrl.prefix}/events`, {
    city: slugOf('city'),
    venue: slugOf('venue'),
    genre: slugOf('genre'),
    country: country?.code,
    when: night?.date,
    from: night === undefined ? from && boundDate(from) : undefined,
    to: night === undefined ? to && boundDate(to) : undefined,
  });
}

/** No event matches; if the question names a city, the nearest day and the whole city. */
function Nothing({ context, results }: { context: PageContext; results: EventResults }): VNode {
  const { names, otherGenres, window, words } = results;
  const city = names.find(({ kind }) => kind === 'city');
  const genre = names.find(({ kind }) => kind === 'genre')?.match ?? null;
  const day = window.night?.date ?? (window.from && boundDate(window.from));
  if (day === undefined && words === '' && city?.match != null && city.region === null)
    return <NothingInCity context={context} city={city.match} isWhole={names.length === 1} />;
  const isSimple =
    words === '' &&
    otherGenres.length === 0 &&
    names.every(({ kind }) => kind === 'city' || kind === 'genre');
  const days = day === undefined ? null : parseSelectedDays(day, city?.zone ?? null, context.now);
  const last = window.night === undefined && window.to !== undefined ? boundDate(window.to) : day;
  const weekend = parseSelectedDays('weekend', city?.zone ?? null, context.now);
  if (!isSimple || days === null || city?.match == null || city.region !== null)
    return <p class="empty">{context.messages.days.noEventsFor}</p>;
  const { id, slug, name } = city.match;
  const scope: DayScope = {
    basePath: recordPath(context, 'city', slug),
    keep: {},
    genre: genre === null ? null : { id: genre.id, slug: genre.slug, name: genre.name },
    filter: { cityId: id },
    zone: city.zone,
    city: { slug, name },
  };
  if (last === day) return <NothingFound context={context} scope={scope} days={days} />;
  if (weekend !== null && last === weekend.last && days.first <= weekend.first)
    return <NothingFound context={context} scope={scope} days={weekend} />;
  const text = context.messages.days.noEventsFor;
  return (
    <NothingFound context={context} scope={scope} days={{ ...days, last: last ?? days.last }} text={text} />
  );
}

const maxNearCities = 3;

/** No upcoming event in a city: all of its events, or the cities near it that have some. */
function NothingInCity({
  context,
  city: { id, slug, name },
  isWhole,
}: {
  context: PageContext;
  city: { id: number; slug: string; name: string };
  /** Whether the question asks for all events of the city. */
  isWhole: boolean;
}): VNode {
  const { reader, now, messages } = context;
  const { days: words, home, counts } = messages;
  const { latitude, longitude, upcoming_event_count } = reader.details.city(id, reader.upcoming(now));
  const near =
    upcoming_event_count > 0 || latitude === null || longitude === null
      ? []
      : nearestCitiesWithEvents(context, { latitude, longitude }, maxCount).slice(0, maxNearCities);
  return (
    <>
      <p class="empty">{isWhole ? home.nothingIn(name) : words.noEventsFor}</p>
      <NavigationLinks
        links={[
          upcoming_event_count > 0
            ? { href: recordPath(context, 'city', slug), label: words.allIn(name) }
            : null,
          ...near.map((other) => ({
            href: recordPath(context, 'city', other.slug),
            label: words.inCity(
              other.events < maxCount ? counts.events(other.events) : words.atLeast(other.events),
              other.name,
            ),
          })),
        ]}
      />
    </>
  );
}
