/** Answers a question in the search box ("techno in Berlin on Friday"): what was understood, and the events. */
import type { VNode } from 'preact';
import type { EventResults } from '../../catalogue/find-events.ts';
import { splitPrice } from '../../catalogue/price-phrases.ts';
import { nearMe } from '../../catalogue/stop-words.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { NameableKind } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import { withQuery } from '../components/pagination.tsx';
import { NavigationLinks } from '../components/parts.tsx';
import { NearMe } from '../days/city-choice.tsx';
import { type PageContext, recordPath } from '../page-context.ts';
import { askedLists, boundDate } from './question-lists.tsx';
import { Nothing } from './question-nothing.tsx';
import {
  type Asked,
  fromToday,
  maxEvents,
  type Part,
  readQuestion,
  shownName,
  Understood,
  understoodParts,
} from './question-parts.tsx';

type EventItem = ApiRecord<'EventItem'>;
/** With a name alone, its record is what most visitors look for; few events stand above it. */
const maxEventsOfName = 5;

/** The records that a question names, and the section with its events. */
export type QuestionAnswer = { content: VNode; named: { kind: NameableKind; slug: string; name: string }[] };

/** The understood parts and the events of a question; null if the text is only a name that is not known, or words. */
export function answerQuestion(context: PageContext, q: string): QuestionAnswer | null {
  const asked = readQuestion(context, q);
  const { results, price } = asked;
  // A second genre or city does not restrict the events.
  const { lists, understood } = askedLists(context, q, results);
  const parts = understoodParts(context, splitPrice(q).rest, asked).filter(
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
  const isNameOnly =
    parts.length === 1 && price === null && results.reading === null && results.country === null;
  const isUnderstood = parts.some(({ kind }) => kind !== '') || near !== undefined || lists !== null;
  const isBareName = isNameOnly && normalizeForSearch(parts[0]?.words ?? '') === normalizeForSearch(q);
  if (!isUnderstood || (isBareName && results.items.length === 0)) return null;
  const content = (
    <section class="spaced flow" aria-labelledby={lists === null ? 'found-events' : undefined}>
      {(parts.length > 1 || price !== null || lists !== null || unread.length > 0) && (
        <Understood context={context} parts={parts} unread={unread} />
      )}
      {near !== undefined && <NearMe context={context} />}
      {lists}
      {(lists === null || results.items.length > 0) && (
        <EventsOfQuestion context={context} asked={asked} parts={parts} isNameOnly={isNameOnly} />
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

/** The events of a question, or what comes nearest to them. */
function EventsOfQuestion({
  context,
  asked,
  parts,
  isNameOnly,
}: {
  context: PageContext;
  asked: Asked;
  parts: readonly Part[];
  isNameOnly: boolean;
}): VNode {
  const { results, price } = asked;
  const { days: words } = context.messages;
  return (
    <>
      <h2 id="found-events">{words.eventsFor}</h2>
      {results.items.length === 0 ? (
        <>
          <Nothing context={context} asked={asked} />
          <OtherDays context={context} asked={asked} parts={parts} />
        </>
      ) : (
        <FoundEvents context={context} asked={asked} limit={isNameOnly ? maxEventsOfName : maxEvents} />
      )}
      {price !== null && <p class="soft small">{words.priceHint}</p>}
    </>
  );
}

const maxOtherDays = 5;

/** The next events of a question without its days; for a city, `Nothing` names the nearest day. */
function OtherDays({
  context,
  asked: { results, price },
  parts,
}: {
  context: PageContext;
  asked: Asked;
  parts: readonly Part[];
}): VNode | null {
  const { days: words } = context.messages;
  const isOfPlace = results.names.every(({ kind }) => kind === 'city' || kind === 'genre');
  if (results.reading === null || (price === null && isOfPlace && results.words === '')) return null;
  const kept = parts.filter(({ kind }) => kind !== words.label).map((part) => part.words);
  if (kept.length === 0) return null;
  const other = readQuestion(context, kept.join(' ')).results.items.slice(0, maxOtherDays);
  if (other.length === 0) return null;
  return (
    <>
      <h3>{words.otherDays}</h3>
      <EventsByDay context={context} events={other.map((json) => JSON.parse(json) as EventItem)} />
    </>
  );
}

function FoundEvents({
  context,
  asked: { results, price },
  limit,
}: {
  context: PageContext;
  asked: Asked;
  limit: number;
}): VNode {
  const { items, hasMore } = results;
  const events = items.slice(0, limit).map((json) => JSON.parse(json) as EventItem);
  const isMore = price === null && (hasMore || items.length > limit);
  const more = isMore ? morePath(context, results) : null;
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
