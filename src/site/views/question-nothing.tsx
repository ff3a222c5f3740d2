/** Says that no event answers a question, and where the nearest ones are. */
import type { VNode } from 'preact';
import { parseSelectedDays } from '../../catalogue/dates/selected-days.ts';
import { findNextDay } from '../../catalogue/relaxed-search.ts';
import { withQuery } from '../components/pagination.tsx';
import { cityText, NavigationLinks } from '../components/parts.tsx';
import { nearestCitiesWithEvents } from '../days/nearest-city.ts';
import { NothingFound } from '../days/nothing-found.tsx';
import type { DayScope } from '../days/scope.ts';
import { type PageContext, recordPath } from '../page-context.ts';
import { boundDate } from './question-lists.tsx';
import { type Asked, maxCount } from './question-parts.tsx';

/** No event matches; if the question names a city, the nearest day and the whole city. */
export function Nothing({ context, asked }: { context: PageContext; asked: Asked }): VNode {
  const { results, limits } = asked;
  if (results.isNewestFirst) return <p class="empty">{context.messages.days.noPast}</p>;
  if (limits !== null) return <p class="empty">{context.messages.days.noEventsFor}</p>;
  const { names, otherGenres, window, words, country, reading } = results;
  const city = names.find(({ kind }) => kind === 'city');
  const genre = names.find(({ kind }) => kind === 'genre')?.match ?? null;
  const day = window.night?.date ?? (window.from && boundDate(window.from));
  if (day === undefined && words === '' && city?.match != null && city.region === null)
    return <NothingInCity context={context} city={city.match} isWhole={names.length === 1} />;
  const isMoment = window.night?.isMoment === true;
  const isSimple = words === '' && names.every(({ kind }) => kind === 'city' || kind === 'genre');
  const days = day === undefined ? null : parseSelectedDays(day, city?.zone ?? null, context.now);
  const last = window.night === undefined && window.to !== undefined ? boundDate(window.to) : day;
  const weekend = parseSelectedDays('weekend', city?.zone ?? null, context.now);
  if (names.length === 0 && country === null && words === '' && days !== null) {
    const scope = { ...everywhere(context), zone: reading?.zone ?? null };
    return (
      <NothingFound
        context={context}
        scope={scope}
        days={{ ...days, last: last ?? days.last }}
        isMoment={isMoment}
      />
    );
  }
  if (!isSimple || days === null || city?.match == null || city.region !== null)
    return <p class="empty">{context.messages.days.noEventsFor}</p>;
  if (otherGenres.length > 0) return <NothingOfGenres context={context} asked={asked} city={city.match} />;
  const { id, slug } = city.match;
  if (context.reader.details.city(id, context.reader.upcoming(context.now)).upcoming_event_count === 0)
    return <NothingInCity context={context} city={city.match} isWhole />;
  const name = cityText(context.messages, city.match.name, city.match.country);
  const scope: DayScope = {
    basePath: recordPath(context, 'city', slug),
    keep: {},
    genres: genre === null ? [] : [{ id: genre.id, slug: genre.slug, name: genre.name }],
    filter: { cityId: id },
    zone: city.zone,
    city: { slug, name },
  };
  if (last === day)
    return <NothingFound context={context} scope={scope} days={days} place={name} isMoment={isMoment} />;
  if (weekend !== null && last === weekend.last && days.first <= weekend.first)
    return <NothingFound context={context} scope={scope} days={weekend} place={name} />;
  const text = context.messages.days.noEventsFor;
  return (
    <NothingFound context={context} scope={scope} days={{ ...days, last: last ?? days.last }} text={text} />
  );
}

/** The scope of a question that names days only. */
const everywhere = ({ siteUrl }: PageContext): DayScope => ({
  ...{ basePath: `${siteUrl.prefix}/events`, keep: {}, genres: [], filter: {}, zone: null, city: null },
});

/** No event of any of several genres in a city: the nearest day that has one, and the whole city. */
function NothingOfGenres({
  context,
  asked: { query, results },
  city: { slug, name: written, country },
}: {
  context: PageContext;
  asked: Asked;
  city: { slug: string; name: string; country: string | null };
}): VNode {
  const { days: words, formats, counts } = context.messages;
  const name = cityText(context.messages, written, country);
  const genres = [...results.names.filter(({ kind }) => kind === 'genre'), ...results.otherGenres].flatMap(
    ({ match }) => (match === null ? [] : [match.name]),
  );
  const next = findNextDay(query, results, context);
  return (
    <>
      <p class="empty">{words.nothingOf(genres.join(', '), words.noEventsFor)}</p>
      <NavigationLinks
        links={[
          next === null
            ? null
            : {
                href: withQuery(`${context.siteUrl.prefix}/search`, {
                  q: `${genres.join(' or ')} in ${written} ${next.date}`,
                }),
                label: words.next(
                  formats.longDate(next.date),
                  next.events === null ? words.atLeast(maxCount) : counts.events(next.events),
                ),
              },
          { href: recordPath(context, 'city', slug), label: words.allIn(name) },
        ]}
      />
    </>
  );
}

const maxNearCities = 3;

/** No upcoming event in a city: all of its events, or the cities near it that have some. */
function NothingInCity({
  context,
  city: { id, slug, name: written, country },
  isWhole,
}: {
  context: PageContext;
  city: { id: number; slug: string; name: string; country: string | null };
  /** Whether the question asks for all events of the city. */
  isWhole: boolean;
}): VNode {
  const { reader, now, messages } = context;
  const { days: words, home, counts } = messages;
  const name = cityText(messages, written, country);
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
          upcoming_event_count > 0 && { href: recordPath(context, 'city', slug), label: words.allIn(name) },
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
