/** What was understood of a question in the search box: names, days, a price, an age; and how each is left out. */
import type { VNode } from 'preact';
import type { AgeLimit } from '../../catalogue/age-phrases.ts';
import { type AskedEvents, findAskedEvents } from '../../catalogue/asked-events.ts';
import { nightOf } from '../../catalogue/dates/current-night.ts';
import { splitLikelyTime, splitTime } from '../../catalogue/dates/time-expressions.ts';
import type { TimeWindow } from '../../catalogue/dates/time-window.ts';
import type { EventQuery, EventResults } from '../../catalogue/find-events.ts';
import {
  type EventLimits,
  fitsLimits,
  maxLimitedEvents,
  splitLimits,
} from '../../catalogue/limited-events.ts';
import type { PriceLimit } from '../../catalogue/price-phrases.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { withQuery } from '../components/pagination.tsx';
import { cityText } from '../components/parts.tsx';
import { dateNumber } from '../days/scope.ts';
import { homeCityOf, type PageContext } from '../page-context.ts';
import { boundDate } from './question-lists.tsx';

type EventItem = ApiRecord<'EventItem'>;
/** An understood part of a question, and the words that say it. */
export type Part = { label: string; kind: string; words: string };

/** Max events on the page of a question. */
export const maxEvents = 20;
/** Events are counted up to this number. */
export const maxCount = 100;

/** A question as it was read without its price and age, its events, and the price and age that they may have. */
export type Asked = AskedEvents & { limits: EventLimits | null };

/**
 * Reads a question: its names, days and words by the catalogue, its limits and the order of time here.
 * @param fields a record that the question is about, besides its text
 */
export function readQuestion(
  context: PageContext,
  q: string,
  fields: Pick<EventQuery, 'artist' | 'venue'> = {},
): Asked {
  const { rest, limits } = splitLimits(q);
  const limit = limits === null ? maxEvents : maxLimitedEvents;
  const countTo = limits === null ? maxCount : maxLimitedEvents;
  const homeCity = homeCityOf(context);
  const query = { ...fields, query: rest, includePast: false, limit, countTo, homeCity, now: context.now };
  const asked = findAskedEvents(query, context);
  if (limits === null) return { ...asked, limits };
  const { results } = asked;
  const items = results.items.filter((json) => fitsLimits(limits, JSON.parse(json) as EventItem));
  return { ...asked, results: { ...results, items, hasMore: false, count: null }, limits };
}

/** The words for a price: "free entry", "up to € 20". */
function priceLabel({ days: words, formats }: Messages, { max, currencies }: PriceLimit): string {
  if (max === 0) return words.free;
  const [currency] = currencies;
  return words.upTo(currency === undefined ? formats.number(max) : formats.price(max, currency));
}

/** The words for an age: "minimum age 18", "open at 17", "all ages". */
function ageLabel({ days: words }: Messages, { min, max }: AgeLimit): string {
  if (max === 0) return words.allAges;
  return min === max ? words.minimumAge(max) : words.openAt(max);
}

/** The understood parts of a question without its price and age. */
export function understoodParts(
  context: PageContext,
  q: string,
  { results, limits, lastWords }: Asked,
): Part[] {
  const { kinds, days: words, formats, eventList } = context.messages;
  const { country, reading } = results;
  const { price, age } = limits ?? { price: null, age: null };
  // Without its first genre, a question still reads "or techno".
  const others = results.otherGenres.map((other) => ({ ...other, text: `or ${other.text}` }));
  const names = [...results.names, ...others];
  const time = splitTime(q).text || splitLikelyTime(q).text;
  return [
    ...(lastWords === null ? [] : [{ label: words.latestFirst, kind: words.order, words: lastWords }]),
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
            label: windowLabel(context, fromToday(context, results)),
            kind: words.label,
            words: time,
          },
        ]),
    ...(price === null
      ? []
      : [{ label: priceLabel(context.messages, price), kind: words.price, words: price.text }]),
    ...(age === null ? [] : [{ label: ageLabel(context.messages, age), kind: words.age, words: age.text }]),
  ];
}

/** The name of a match on the page: cities have one in its language. */
const shownName = (
  { messages }: PageContext,
  kind: string,
  { name, country }: { name: string; country: string | null },
): string => (kind === 'city' ? cityText(messages, name, country) : name);

/** The window without its days that are over: results have upcoming events only. */
export function fromToday({ now }: PageContext, { window, reading }: EventResults): TimeWindow {
  const { from, to } = window;
  const today = nightOf(reading?.zone ?? null, now).toString();
  const isRunning = from !== undefined && boundDate(from) < today && (!to || boundDate(to) >= today);
  return isRunning ? { ...window, from: { date: dateNumber(today) } } : window;
}

/** "Fri 27 Nov", "Fri 27 Nov to Sun 29 Nov", "1 May 2024 to 31 May 2024", "2024". */
function windowLabel({ messages, now }: PageContext, { from, to, night }: TimeWindow): string {
  const { formats, days, eventList } = messages;
  if (night !== undefined) return formats.weekdayDate(night.date);
  const [begin, end] = [from, to].map((bound) => bound && boundDate(bound));
  const year = begin?.slice(0, 4);
  if (begin === `${year}-01-01` && end === `${year}-12-31`) return year as string;
  const thisYear = nightOf(null, now).toString().slice(0, 4);
  const isThisYear = [begin, end].every((date) => date === undefined || date.startsWith(thisYear));
  const format = isThisYear ? formats.weekdayDate : formats.shortDate;
  const [first, last] = [begin, end].map((date) => date && format(date));
  if (first === undefined) return last === undefined ? '' : eventList.toDay(last);
  if (last === undefined) return eventList.fromDay(first);
  return first === last ? first : days.weekOf(first, last);
}

/** The parts as links that leave each one out. */
export function Understood({
  context,
  parts,
  unread,
}: {
  context: PageContext;
  parts: readonly Part[];
  unread: readonly string[];
}): VNode {
  const { days: words } = context.messages;
  const pathWithout = (removed: Part) =>
    withQuery(`${context.siteUrl.prefix}/search`, {
      q: parts
        .filter((part) => part !== removed)
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
              <a href={pathWithout(part)}>
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
