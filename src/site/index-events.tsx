/** All events: what is to come, by place, genre and days. */
import type { VNode } from 'preact';
import { countryCode, countryName } from '../catalogue/countries.ts';
import { readDate } from '../contract/parameters.ts';
import type { Shown } from '../contract/records.ts';
import type { EventFilter } from '../store/event-lists.ts';
import { fold } from '../store/fold.ts';
import type { ListSource } from '../store/list.ts';
import type { Leaf } from './frame.tsx';
import { collectionPage } from './json-ld.ts';
import { EventDays } from './listings.tsx';
import { Below } from './parts.tsx';
import { type Ask, asked } from './site.ts';
import { walk, withQuery } from './walks.tsx';
import { longDate } from './when.tsx';

const onPage = 50;
const names = ['city', 'country', 'genre', 'from', 'to'] as const;
type Given = Record<(typeof names)[number], string>;
/** What the filters mean: which list, in words, and what of them nobody understands. */
type Read = { source: ListSource; title: string; unknown: string[] };

/** Upcoming events, or those of the days, place and genre asked for. */
export function eventsIndex(ask: Ask): Leaf {
  const given = Object.fromEntries(names.map((name) => [name, asked(ask, name, 100)])) as Given;
  const { source, title, unknown } = read(ask, given);
  const { items, next } = walk<Shown<'EventItem'>>(ask, source, { limit: onPage, filters: given });
  const isWhole = names.every((name) => given[name] === '') && asked(ask, 'cursor') === '';
  const own = `${ask.place.prefix}/events`;
  return {
    title,
    description: `${title}: electronic music by day, with line-ups, venues and tickets.`,
    section: '/events',
    canonical: isWhole ? '/events' : null,
    crumbs: [{ name: 'Events', path: '/events' }],
    things: isWhole ? [collectionPage(ask, title, '/events')] : [],
    children: (
      <>
        <h1>{title}</h1>
        <Filters own={own} given={given} />
        {unknown.map((text) => (
          <p class="notice bad" key={text}>
            {text}
          </p>
        ))}
        <section class="flow spaced" aria-labelledby="list">
          <h2 class="hidden" id="list">
            By day
          </h2>
          {items.length === 0 ? (
            <p class="empty">No event fits. Ask for fewer things at once, or for other days.</p>
          ) : (
            <EventDays ask={ask} events={items} />
          )}
          <Below
            links={[
              asked(ask, 'cursor') === ''
                ? null
                : { href: withQuery(own, given), label: 'Back to the first' },
              next === null
                ? null
                : { href: withQuery(own, { ...given, cursor: next }), label: 'Next', rel: 'next' },
            ]}
          />
        </section>
      </>
    ),
  };
}

function read(ask: Ask, given: Given): Read {
  const { reader, now } = ask;
  const filter: EventFilter = {};
  const places: string[] = [];
  let what = 'Events';
  const unknown: string[] = [];
  let isNothing = false;
  if (given.city !== '') {
    const id =
      reader.find('city', given.city.toLowerCase()) ?? reader.named.called('city', given.city)[0]?.id;
    if (id === undefined) filter.cityText = fold(given.city).trim();
    else filter.cityId = id;
    places.push(id === undefined ? given.city : (reader.named.one('city', id)?.name ?? given.city));
  }
  if (given.country !== '') {
    const code = countryCode(given.country);
    if (code === null)
      unknown.push(
        `No country is called “${given.country}”. Write its name in English, or a code such as DE.`,
      );
    else {
      filter.country = code;
      places.push(countryName(code) ?? code);
    }
  }
  if (given.genre !== '') {
    const id =
      reader.find('genre', given.genre.toLowerCase()) ?? reader.named.called('genre', given.genre)[0]?.id;
    if (id === undefined) {
      unknown.push(`No genre is called “${given.genre}”.`);
      isNothing = true;
    } else {
      filter.genre = id;
      what = `${reader.named.one('genre', id)?.name ?? given.genre} events`;
    }
  }
  for (const name of ['from', 'to'] as const) {
    if (given[name] === '') continue;
    const date = readDate(given[name]);
    if (date === null) unknown.push(`“${given[name]}” is no date. Write it as 2026-12-31.`);
    else {
      filter[name] = { date };
    }
  }
  if (!filter.from && !filter.to) filter.upcomingAt = now;
  const words = [what, ...(places.length > 0 ? ['in', places.join(', ')] : []), ...daysIn(given, filter)];
  const title = words.length === 1 && what === 'Events' ? 'Upcoming events' : words.join(' ');
  return { source: isNothing ? reader.nothing : reader.events.source(filter), title, unknown };
}

/** The days asked for, in words. */
function daysIn(given: Given, filter: EventFilter): string[] {
  const [from, to] = (['from', 'to'] as const).map((name) => (filter[name] ? longDate(given[name]) : ''));
  if (from && from === to) return ['on', from];
  return [...(from ? ['from', from] : []), ...(to ? ['to', to] : [])];
}

const labels: Given = { city: 'City', country: 'Country', genre: 'Genre', from: 'From', to: 'To' };

function Filters({ own, given }: { own: string; given: Given }): VNode {
  return (
    <form class="filters many" action={own} method="get" aria-label="Filter events">
      {names.map((name) => (
        <div class="field" key={name}>
          <label for={`filter-${name}`}>{labels[name]}</label>
          {name === 'from' || name === 'to' ? (
            <input id={`filter-${name}`} name={name} type="date" value={given[name]} />
          ) : (
            <input
              id={`filter-${name}`}
              name={name}
              type="text"
              value={given[name]}
              maxlength={100}
              autocomplete="off"
            />
          )}
        </div>
      ))}
      <div class="actions">
        <button type="submit">Show</button>
        {names.some((name) => given[name] !== '') && <a href={own}>Clear</a>}
      </div>
    </form>
  );
}
