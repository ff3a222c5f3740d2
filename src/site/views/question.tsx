/** Answers a question in the search box ("techno in Berlin on Friday"): what was understood, and the events. */
import type { VNode } from 'preact';
import { nightOf } from '../../catalogue/dates/selected-days.ts';
import { splitLikelyTime, splitTime } from '../../catalogue/dates/time-expressions.ts';
import type { TimeWindow } from '../../catalogue/dates/time-window.ts';
import { type EventResults, findEvents } from '../../catalogue/find-events.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import type { NameableKind } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import { withQuery } from '../components/pagination.tsx';
import { cityText, NavigationLinks } from '../components/parts.tsx';
import { dateNumber } from '../days/scope.ts';
import { type PageContext, recordPath } from '../page-context.ts';
import { askedLists, boundDate } from './question-lists.tsx';
import { maxCount, Nothing } from './question-nothing.tsx';

type EventItem = ApiRecord<'EventItem'>;
/** An understood part of a question, and the words that say it. */
type Part = { label: string; kind: string; words: string };

const maxEvents = 20;
/** With a name alone, its record is what most visitors look for; few events stand above it. */
const maxEventsOfName = 5;

/** The records that a question names, and the section with its events. */
export type QuestionAnswer = { content: VNode; named: { kind: NameableKind; slug: string; name: string }[] };

/** The understood parts and the events of a question; null if the text is only a name that is not known, or words. */
export function answerQuestion(context: PageContext, q: string): QuestionAnswer | null {
  const query = { query: q, includePast: false, limit: maxEvents, countTo: maxCount, now: context.now };
  const results = findEvents(query, context);
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
        <Nothing context={context} query={query} results={results} />
      ) : (
        <FoundEvents context={context} results={results} limit={isNameOnly ? maxEventsOfName : maxEvents} />
      )}
    </section>
  );
  const named = results.names.flatMap(({ kind, match, region }) =>
    match === null || region !== null
      ? []
      : [{ kind, slug: match.slug, name: shownName(context, kind, match) }],
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
      match === null
        ? []
        : [{ label: region?.name ?? shownName(context, kind, match), kind: kinds[kind], words: text }],
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

/** The name of a match on the page: cities have one in its language. */
const shownName = (
  { messages }: PageContext,
  kind: string,
  { name, country }: { name: string; country: string | null },
): string => (kind === 'city' ? cityText(messages, name, country) : name);
