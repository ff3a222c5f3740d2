/** The other meanings of a name in a question, and their events: "Kraftwerk" is an artist and a venue. */
import type { VNode } from 'preact';
import { type Namesake, namesakesOf } from '../../catalogue/namesakes.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { NameableKind } from '../../store/search/named-records.ts';
import { EventsByDay, PastEvents } from '../components/event-lists.tsx';
import { cityText, countryText, NavigationLinks, placeText } from '../components/parts.tsx';
import { type PageContext, recordPath } from '../page-context.ts';
import { type Asked, type Part, readQuestion } from './question-parts.tsx';

/** A record that a question names, as a result. */
export type NamedResult = { kind: NameableKind; slug: string; name: string; note: string };

/** Another meaning of a question, with its events. */
export type OtherReading = { namesake: Namesake; asked: Asked };

const maxReadings = 3;
/** Max events of another meaning. */
const maxEventsOfNamesake = 3;

/** Returns the namesakes of a question, and its readings by those that have events. */
export function otherReadings(
  context: PageContext,
  { results, limits }: Asked,
  parts: readonly Part[],
): { namesakes: readonly Namesake[]; readings: readonly OtherReading[] } {
  const namesakes = namesakesOf(results, context);
  const readings = namesakes.slice(0, maxReadings).flatMap((namesake) => {
    const { kind, match, text } = namesake;
    if (kind !== 'artist' && kind !== 'venue') return [];
    const rest = parts.filter(({ words }) => words !== text).map(({ words }) => words);
    const asked = readQuestion(context, rest.join(' '), { [kind]: match.slug });
    return asked.results.items.length === 0 ? [] : { namesake, asked: { ...asked, limits } };
  });
  return { namesakes, readings };
}

/** A record as a result, with its place. */
export function namedResult(
  { messages }: PageContext,
  { kind, match }: Pick<Namesake, 'kind' | 'match'>,
): NamedResult {
  const { slug, city, country } = match;
  const isCity = kind === 'city';
  const name = isCity ? cityText(messages, match.name, country) : match.name;
  const town = isCity ? null : cityText(messages, city, country);
  const note = placeText(town, countryText(messages, country));
  return { kind, slug, name, note };
}

/** The heading of the events of a name with several meanings: "Events: Kraftwerk (Venue, Berlin)". */
export function readingTitle(
  { messages }: PageContext,
  { kind, match: { name, city, country } }: Pick<Namesake, 'kind' | 'match'>,
): string {
  const which = placeText(messages.kinds[kind], kind === 'venue' ? cityText(messages, city, country) : null);
  return `${messages.days.eventsFor}: ${name} (${which})`;
}

/** The events of the other meanings of a question. */
export function OtherReadings({
  context,
  readings,
  withPrices,
}: {
  context: PageContext;
  readings: readonly OtherReading[];
  withPrices: boolean;
}): VNode {
  return (
    <>
      {readings.map(({ namesake, asked: { results } }, index) => {
        const { kind, match } = namesake;
        const events = results.items
          .slice(0, maxEventsOfNamesake)
          .map((json) => JSON.parse(json) as ApiRecord<'EventItem'>);
        const isMore = results.hasMore || results.items.length > events.length;
        const path = recordPath(context, kind as 'artist' | 'venue', match.slug);
        return (
          <section aria-labelledby={`reading-${index}`} key={`${kind} ${match.id}`}>
            <h2 id={`reading-${index}`}>{readingTitle(context, namesake)}</h2>
            {results.isNewestFirst ? (
              <PastEvents context={context} events={events} />
            ) : (
              <EventsByDay context={context} events={events} withPrices={withPrices} />
            )}
            <NavigationLinks
              links={[isMore ? { href: path, label: context.messages.days.moreEvents } : null]}
            />
          </section>
        );
      })}
    </>
  );
}
