/** Answers a question in the search box ("techno in Berlin on Friday"): what was understood, and the events. */
import type { VNode } from 'preact';
import type { EventResults } from '../../catalogue/find-events.ts';
import { splitLimits } from '../../catalogue/limited-events.ts';
import { asksForPrice, isCheap } from '../../catalogue/price-phrases.ts';
import { nearMe } from '../../catalogue/stop-words.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { EventsByDay, PastEvents } from '../components/event-lists.tsx';
import { withQuery } from '../components/pagination.tsx';
import { NavigationLinks } from '../components/parts.tsx';
import { NearMe } from '../days/city-choice.tsx';
import { type PageContext, recordPath } from '../page-context.ts';
import { askedFestivals, askedLists, boundDate } from './question-lists.tsx';
import {
  type NamedResult,
  namedResult,
  type OtherReading,
  OtherReadings,
  otherReadings,
  readingTitle,
} from './question-namesakes.tsx';
import { NearestAnswers } from './question-nearest.tsx';
import { Nothing } from './question-nothing.tsx';
import {
  type Asked,
  fromToday,
  maxEvents,
  type Part,
  readQuestion,
  Understood,
  understoodParts,
} from './question-parts.tsx';
import { askedRecordList } from './question-records.tsx';

type EventItem = ApiRecord<'EventItem'>;
/** With a name alone, its record is what most visitors look for; few events stand above it. */
const maxEventsOfName = 5;

/** The records that a question names, and the section with its events. */
export type QuestionAnswer = { content: VNode; named: NamedResult[] };

/** The understood parts and the events of a question; null if the text is only a name that is not known, or words. */
export function answerQuestion(context: PageContext, q: string): QuestionAnswer | null {
  const asked = readQuestion(context, q);
  const { results, limits, lastWords } = asked;
  // A second genre or city does not restrict the events.
  const asking = askedLists(context, q, results);
  const { festivals, section } = askedFestivals(context, asked);
  const lists = section ?? asking.lists;
  const understood = festivals.length > 0 ? wordsOfFestivals(asked, festivals) : asking.understood;
  const own = festivalParts(context, q, asked, festivals);
  const parts = [...own, ...understoodParts(context, splitLimits(q).rest, asked)].filter(
    ({ kind, words }) =>
      kind !== '' ||
      !words
        .toLowerCase()
        .split(' ')
        .every((word) => understood.has(word)),
  );
  const [near] = nearMe.exec(q) ?? [];
  const unread = [
    ...results.unread.filter((word) => !understood.has(word) && word !== near?.replace(/\s+/gu, ' ')),
    ...results.surplus.map(({ text }) => text),
  ];
  const records = askedRecordList(context, q, asked);
  if (records !== null)
    return {
      content: <AskedRecords context={context} parts={parts} unread={unread} records={records} />,
      named: [],
    };
  const hasPrices = (limits?.price ?? null) !== null || asksForPrice(q) || unread.some(isCheap);
  // The name of an event says which one is meant: "Kraftwerk Rave".
  const { namesakes, readings } =
    results.named === null ? otherReadings(context, asked, parts) : { namesakes: [], readings: [] };
  const hasEvents = results.items.length > 0 || readings.length > 0;
  const isNameOnly =
    parts.length === 1 &&
    lastWords === null &&
    limits === null &&
    results.reading === null &&
    results.country === null;
  const isUnderstood = parts.some(({ kind }) => kind !== '') || near !== undefined || lists !== null;
  const isBareName = isNameOnly && normalizeForSearch(parts[0]?.words ?? '') === normalizeForSearch(q);
  // All but the name of an event are words of a question: "was kostet Klubnacht".
  const isOfEvent = parts.length > 0 && !isBareName && unread.length === 0 && hasEvents;
  if (!(isUnderstood || isOfEvent) || (isBareName && !hasEvents)) return null;
  const showsOwn = results.items.length > 0 || (lists === null && readings.length === 0);
  const content = (
    <section class="spaced flow" aria-labelledby={lists === null && showsOwn ? 'found-events' : undefined}>
      {(parts.length > 1 || limits !== null || lists !== null || unread.length > 0) && (
        <Understood context={context} parts={parts} unread={unread} />
      )}
      {near !== undefined && <NearMe context={context} />}
      {lists}
      {showsOwn && (
        <EventsOfQuestion
          context={context}
          asked={asked}
          parts={parts}
          isNameOnly={isNameOnly}
          withPrices={hasPrices}
          readings={readings}
        />
      )}
      <OtherReadings context={context} readings={readings} withPrices={hasPrices} />
    </section>
  );
  const named = results.names.flatMap(({ kind, match, region }) =>
    match === null || region !== null ? [] : [namedResult(context, { kind, match })],
  );
  const hosts = festivals.map(({ slug, name }) => ({ kind: 'festival' as const, slug, name, note: '' }));
  const others = namesakes.map((namesake) => namedResult(context, namesake));
  const isNew = ({ kind, slug }: NamedResult, at: number, all: readonly NamedResult[]): boolean =>
    all.findIndex((one) => one.kind === kind && one.slug === slug) === at;
  return { content, named: [...named, ...hosts, ...others].filter(isNew) };
}

/** The records that a question asks for, below what was understood of it. */
function AskedRecords({
  context,
  parts,
  unread,
  records: { content, noun },
}: {
  context: PageContext;
  parts: readonly Part[];
  unread: readonly string[];
  records: { content: VNode; noun: string };
}): VNode {
  const own = parts.filter(({ kind }) => kind !== '');
  const ignoredWords = unread.filter((word) => word.toLowerCase() !== noun);
  return (
    <section class="spaced flow">
      <Understood context={context} parts={own} unread={ignoredWords} />
      {content}
    </section>
  );
}

/** The festivals that a question names, and the year that names their edition if it was not read as days. */
function festivalParts(
  { messages: { kinds, days } }: PageContext,
  q: string,
  { results }: Asked,
  festivals: readonly { name: string }[],
): Part[] {
  if (festivals.length === 0) return [];
  const [year] = (results.reading === null && /\b20\d{2}\b/.exec(q)) || [];
  return [
    ...festivals.map(({ name }) => ({ label: name, kind: kinds.festival, words: name })),
    ...(year === undefined ? [] : [{ label: year, kind: days.label, words: year }]),
  ];
}

/** The words of a question that its festivals explain: without an artist all, otherwise those of their names. */
function wordsOfFestivals(
  { results: { names, unread, words } }: Asked,
  festivals: readonly { name: string }[],
): ReadonlySet<string> {
  if (names.every(({ kind }) => kind !== 'artist'))
    return new Set([...unread, ...words.toLowerCase().split(' ')]);
  const own = new Set(festivals.flatMap(({ name }) => normalizeForSearch(name).split(' ')));
  return new Set([
    ...own,
    ...unread.filter((word) => /^20\d{2}$/.test(word) || own.has(normalizeForSearch(word))),
  ]);
}

/** The events of a question, or what comes nearest to them. */
function EventsOfQuestion({
  context,
  asked,
  parts,
  isNameOnly,
  withPrices,
  readings,
}: {
  context: PageContext;
  asked: Asked;
  parts: readonly Part[];
  isNameOnly: boolean;
  withPrices: boolean;
  /** Other meanings of the same name; the heading then says which one these events have. */
  readings: readonly OtherReading[];
}): VNode {
  const { results, limits, isWithoutPast } = asked;
  const { days: words } = context.messages;
  const meant = results.names.find(({ text }) => readings.some(({ namesake }) => namesake.text === text));
  return (
    <>
      <h2 id="found-events">
        {meant?.match != null
          ? readingTitle(context, { kind: meant.kind, match: meant.match })
          : results.isNewestFirst
            ? words.pastEvents
            : words.eventsFor}
      </h2>
      {isWithoutPast && <p>{words.noPast}</p>}
      {results.items.length === 0 ? (
        <>
          <Nothing context={context} asked={asked} />
          <NearestAnswers context={context} asked={asked} parts={parts} />
        </>
      ) : (
        <FoundEvents
          context={context}
          asked={asked}
          limit={isNameOnly ? maxEventsOfName : maxEvents}
          withPrices={withPrices}
        />
      )}
      {limits?.price && <p class="soft small">{words.priceHint}</p>}
      {limits?.age && <p class="soft small">{words.ageHint}</p>}
    </>
  );
}

function FoundEvents({
  context,
  asked: { results, limits },
  limit,
  withPrices,
}: {
  context: PageContext;
  asked: Asked;
  limit: number;
  withPrices: boolean;
}): VNode {
  const { items, hasMore, named } = results;
  const events = items.slice(0, limit).map((json) => JSON.parse(json) as EventItem);
  const isMore = limits === null && (hasMore || items.length > limit);
  const more = isMore ? morePath(context, results) : null;
  const own = named === null || named.isOnly ? events.length : named.count;
  const { moreEvents } = context.messages.days;
  return (
    <>
      {results.isNewestFirst ? (
        <PastEvents context={context} events={events} />
      ) : (
        <>
          <EventsByDay context={context} events={events.slice(0, own)} withPrices={withPrices} />
          {own > 0 && own < events.length && <h2>{moreEvents}</h2>}
          <EventsByDay context={context} events={events.slice(own)} withPrices={withPrices} />
        </>
      )}
      <NavigationLinks links={[more === null ? null : { href: more, label: moreEvents }]} />
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
  if (results.isNewestFirst) return null;
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
