/** What comes nearest to a question without events: the same on other days, otherwise the events of each of its names. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import type { PageContext } from '../page-context.ts';
import { readingTitle } from './question-namesakes.tsx';
import { type Asked, type Part, readQuestion } from './question-parts.tsx';

type EventItem = ApiRecord<'EventItem'>;
type Props = { context: PageContext; asked: Asked; parts: readonly Part[] };

const maxOtherDays = 5;
const maxNames = 3;
const maxEventsOfName = 3;

/** The next events of a question without its days; if there are none, those of its artists, venues and labels. */
export function NearestAnswers(props: Props): VNode | null {
  const { context, asked } = props;
  const other = eventsOnOtherDays(props);
  if (other.length === 0) return <EventsOfNames {...props} />;
  return (
    <>
      <h3>{context.messages.days.otherDays}</h3>
      <EventsByDay context={context} events={other} withPrices={(asked.limits?.price ?? null) !== null} />
    </>
  );
}

/** The next events of a question without its days; none for a city, of which `Nothing` names the nearest day. */
function eventsOnOtherDays({ context, asked: { results, limits }, parts }: Props): EventItem[] {
  const isOfCity =
    results.names.every(({ kind }) => kind === 'city' || kind === 'genre') &&
    results.names.some(({ kind, match, region }) => kind === 'city' && match !== null && region === null);
  if (results.reading === null || (limits === null && isOfCity && results.words === '')) return [];
  const otherWords = parts
    .filter(({ kind }) => kind !== context.messages.days.label)
    .map(({ words }) => words);
  return otherWords.length === 0 ? [] : eventsOf(context, otherWords.join(' '), maxOtherDays);
}

/** The next events of each name of a question that has several: no event has both artists, or the artist in the city. */
function EventsOfNames({ context, asked: { results, limits }, parts }: Props): VNode | null {
  if (parts.length < 2 || results.isNewestFirst) return null;
  const names = results.names.flatMap(({ kind, match, text }) =>
    match !== null && (kind === 'artist' || kind === 'venue' || kind === 'label')
      ? [{ kind, match, text }]
      : [],
  );
  const lists = names.slice(0, maxNames).flatMap((name) => {
    const events = eventsOf(context, name.text, maxEventsOfName);
    return events.length === 0 ? [] : { name, events };
  });
  return (
    <>
      {lists.map(({ name, events }) => (
        <section aria-label={name.match.name} key={`${name.kind} ${name.match.id}`}>
          <h2>{readingTitle(context, name)}</h2>
          <EventsByDay context={context} events={events} withPrices={limits !== null} />
        </section>
      ))}
    </>
  );
}

const eventsOf = (context: PageContext, q: string, limit: number): EventItem[] =>
  readQuestion(context, q)
    .results.items.slice(0, limit)
    .map((json) => JSON.parse(json) as EventItem);
