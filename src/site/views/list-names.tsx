/** The lists of records by name: artists, venues, festivals, cities, labels, podcasts. */

import type { VNode } from 'preact';
import { useMessages } from '../../pages/messages/messages.ts';
import type { SortKey } from '../../store/lists/pagination.ts';
import { pageCollections } from '../../store/records/serialize.ts';
import { cityDays } from '../cached-figures.ts';
import { endedNote } from '../components/lifespan.tsx';
import { NameFilterForms, type NameFilters, readNameFilters } from '../components/name-filters.tsx';
import { countFitting, estimatedBytes, type NameEntry, pageBudgetBytes } from '../components/page-budget.ts';
import { type ListPart, readListPart, withQuery } from '../components/pagination.tsx';
import { cityText, NameColumns, NavigationLinks, nextLink, placeText } from '../components/parts.tsx';
import { nameThumbnails } from '../components/pictures.tsx';
import { NearMe } from '../days/city-choice.tsx';
import { dateText } from '../days/scope.ts';
import { collectionPage } from '../formats/json-ld.ts';
import { numberIn } from '../formats/subscriptions.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, queryParameter, recordPath, resolvePath } from '../page-context.ts';
import type { ListedKind } from '../route.ts';

export type NameListKind = Exclude<ListedKind, 'event' | 'genre'>;

/** Each takes up to 280 bytes. */
const pageSize = 100;

/** The title and the path of a list. */
const describeList = ({ messages }: PageContext, kind: NameListKind) => ({
  title: messages.lists[pageCollections[kind]],
  path: `/${pageCollections[kind]}`,
});

type NameListItem = {
  id: string;
  slug: string;
  name: string;
  url: string;
  city?: string | null;
  country?: string | null;
  publisher?: string | null;
  closed_at?: string | null;
  ended_at?: string | null;
};

function itemNote(context: PageContext, kind: NameListKind, item: NameListItem): string {
  const { city, country, publisher } = item;
  const town = cityText(context.messages, city ?? null, country ?? null);
  const place = kind === 'venue' || kind === 'festival' ? placeText(town, country) : (publisher ?? country);
  return placeText(place, endedNote(context.messages, item, context.now));
}

/** Sizes of the note about upcoming events and of the address of a picture, in bytes. */
const noteBytes = 36;
const pictureBytes = 60;
/** Approximate size of an entry of the list, in bytes. */
const itemBytes = (context: PageContext, kind: NameListKind, item: NameListItem): number =>
  estimatedBytes.entry({
    href: recordPath(context, kind, item.slug),
    name: item.name,
    note: itemNote(context, kind, item),
    upcoming: kind === 'city' || kind === 'venue' ? ' '.repeat(noteBytes) : null,
    picture: kind === 'city' || !context.siteUrl.identity.media ? null : ' '.repeat(pictureBytes),
  });

/** Upcoming events counted at most for an entry of a list. */
const maxCounted = 250;

/** Returns the note about the upcoming events of a city or venue: how many, and the next date; null without any. */
function upcomingNotes(
  { site, reader, now, messages }: PageContext,
  kind: 'city' | 'venue',
  ids: readonly number[],
): (id: number) => string | null {
  const { counts, days: words, formats } = messages;
  const upcoming = site.selection.upcoming(kind, ids, reader.upcoming(now), maxCounted);
  return (id) => {
    const entry = upcoming.get(id);
    if (entry === undefined) return null;
    const { events, next } = entry;
    const count = events < maxCounted ? counts.events(events) : words.atLeast(events);
    return `${count}, ${words.nextOn(formats.weekdayDate(dateText(next)))}`;
  };
}

/** Reads the part of the list that the address names. */
function readNames(
  context: PageContext,
  kind: NameListKind,
  { codes, letter }: NameFilters,
): ListPart<NameListItem> {
  const [code] = codes;
  const start: SortKey | null = letter === '' ? null : [letter, ''];
  const source = context.reader.byName.source(
    kind,
    codes.length > 1 ? { countries: codes } : code === undefined ? {} : { country: code },
    context,
  );
  return readListPart<NameListItem>(context, source, {
    limit: pageSize,
    filters: { country: codes.join(',') },
    start,
    fit: (items) => countFitting(items, (item) => itemBytes(context, kind, item), pageBudgetBytes),
  });
}

/** The entries of the page: name, place and, by kind, upcoming events and picture. */
function entriesOf(context: PageContext, kind: NameListKind, items: readonly NameListItem[]): NameEntry[] {
  const ids = items.map(({ id }) => numberIn(id));
  const upcoming = kind === 'city' || kind === 'venue' ? upcomingNotes(context, kind, ids) : () => null;
  const pictureOf = kind === 'city' ? () => null : nameThumbnails(context, kind, items);
  return items.map((item) => ({
    href: resolvePath(context, item.url),
    name: kind === 'city' ? cityText(context.messages, item.name, item.country ?? null) : item.name,
    note: itemNote(context, kind, item),
    upcoming: upcoming(numberIn(item.id)),
    picture: pictureOf(item),
  }));
}

/** The list of a kind; venues of a city and artists of a genre have separate pages. */
export function nameListPage(context: PageContext, kind: NameListKind): PageView {
  const city = kind === 'venue' ? queryParameter(context, 'city') : '';
  const genre = kind === 'artist' ? queryParameter(context, 'genre') : '';
  if (city !== '') return venuesOfCity(context, city);
  if (genre !== '') return artistsOfGenre(context, genre);
  const list = describeList(context, kind);
  const { nameList: words, common, formats } = context.messages;
  const about = words.about[kind];
  const hasCountry = kind !== 'podcast';
  const filters = readNameFilters(context, hasCountry);
  const { country, codes } = filters;
  const countries = formats.either(codes.map(formats.country));
  const { items, next } = readNames(context, kind, filters);
  const isWhole = country === '' && filters.letter === '' && queryParameter(context, 'cursor') === '';
  const title = codes.length === 0 ? list.title : words.inPlace(list.title, countries);
  const basePath = context.siteUrl.prefix + list.path;
  return {
    title,
    description: `${about}${codes.length === 0 ? '' : `: ${countries}`}.`,
    section: list.path,
    canonical: isWhole ? list.path : null,
    crumbs: [{ name: list.title, path: list.path }],
    structuredData: isWhole ? [collectionPage(context, list.title, list.path)] : [],
    children: (
      <>
        <h1>{title}</h1>
        <p class="lead">{about}.</p>
        {kind === 'city' && <NearMe context={context} />}
        {kind === 'city' && isWhole && <BusiestCities context={context} />}
        <NameFilterForms hasCountry={hasCountry} basePath={basePath} filters={filters} />
        <NameList
          entries={entriesOf(context, kind, items)}
          links={[
            !isWhole && { href: withQuery(basePath, { country }), label: common.backToFirst },
            next !== null && nextLink(withQuery(basePath, { country, cursor: next }), common.next),
          ]}
        />
      </>
    ),
  };
}

/** The cities with the most events in the next weeks. */
function BusiestCities({ context }: { context: PageContext }): VNode | null {
  const { formats, home } = context.messages;
  const cities = context.figures.cities(context.now);
  if (cities.length === 0) return null;
  return (
    <section class="spaced" aria-labelledby="busiest">
      <h2 class="hidden" id="busiest">
        {home.nextDays(cityDays)}
      </h2>
      <ul class="chips">
        {cities.map(({ slug, name, country, events }) => (
          <li key={slug}>
            <a href={recordPath(context, 'city', slug)}>
              {cityText(context.messages, name, country)}
              <span class="count">{formats.number(events)}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="soft small">{home.nextDays(cityDays)}</p>
    </section>
  );
}

function NameList({
  entries,
  links,
}: {
  entries: Parameters<typeof NameColumns>[0]['entries'];
  links: Parameters<typeof NavigationLinks>[0]['links'];
}): VNode {
  const { nameList: words } = useMessages();
  return (
    <section class="flow spaced" aria-labelledby="list">
      <h2 class="hidden" id="list">
        {words.byName}
      </h2>
      {entries.length === 0 ? <p class="empty">{words.none}</p> : <NameColumns entries={entries} />}
      <NavigationLinks links={links} />
    </section>
  );
}

/** A list that belongs to another record. */
function subsetPage(context: PageContext, kind: NameListKind, title: string, children: VNode): PageView {
  const { title: all, path } = describeList(context, kind);
  return {
    title,
    description: `${title}.`,
    section: path,
    canonical: null,
    crumbs: [
      { name: all, path },
      { name: title, path: context.path },
    ],
    children: (
      <>
        <h1>{title}</h1>
        {children}
      </>
    ),
  };
}

/** The venues of a city, in pages; `after` counts those of the pages before. */
function venuesOfCity(context: PageContext, slug: string): PageView {
  const { reader, site, messages, now } = context;
  const id = reader.find('city', slug.toLowerCase());
  const record = id === null ? null : reader.namedRecords.byId('city', id);
  const name = record === null ? slug : cityText(messages, record.name, record.country);
  const after = Number(/^\d{1,5}$/.exec(queryParameter(context, 'after'))?.[0] ?? 0);
  const rows = id === null ? [] : site.relations.related('venues of city', id, after + pageSize + 1);
  const venues = rows
    .slice(after, after + pageSize)
    .map((venue) => ({ ...venue, id: reader.find('venue', venue.slug) ?? 0 }));
  const upcoming = upcomingNotes(
    context,
    'venue',
    venues.map((venue) => venue.id),
  );
  const entries = venues.map((venue) => ({
    href: recordPath(context, 'venue', venue.slug),
    name: venue.name,
    upcoming: upcoming(venue.id),
    note: endedNote(messages, venue, now),
  }));
  const page = entries.slice(0, countFitting(entries, estimatedBytes.entry, pageBudgetBytes));
  const next = after + page.length;
  const { nameList: words, common } = messages;
  const basePath = `${context.siteUrl.prefix}/venues`;
  return subsetPage(
    context,
    'venue',
    words.venuesIn(name),
    <NameList
      entries={page}
      links={[
        after !== 0 && { href: withQuery(basePath, { city: slug }), label: common.backToFirst },
        next < rows.length && nextLink(withQuery(basePath, { city: slug, after: String(next) }), common.next),
        id !== null && { href: recordPath(context, 'city', slug.toLowerCase()), label: words.backTo(name) },
      ]}
    />,
  );
}

/** The artists of a genre, in pages; `after` is the id of the last artist of the page before. */
function artistsOfGenre(context: PageContext, slug: string): PageView {
  const id = context.reader.find('genre', slug.toLowerCase());
  const name = id === null ? slug : (context.reader.namedRecords.byId('genre', id)?.name ?? slug);
  const after = Number(/^\d{1,15}$/.exec(queryParameter(context, 'after'))?.[0] ?? 0);
  const artists = id === null ? [] : context.site.relations.artistsOf(id, after, pageSize + 1);
  const page = artists.slice(0, pageSize);
  const basePath = `${context.siteUrl.prefix}/artists`;
  const { nameList: words, common } = context.messages;
  return subsetPage(
    context,
    'artist',
    words.artistsOf(name),
    <NameList
      entries={page.map((artist) => ({
        href: recordPath(context, 'artist', artist.slug),
        name: artist.name,
        note: artist.country,
      }))}
      links={[
        after !== 0 && { href: withQuery(basePath, { genre: slug }), label: common.backToFirst },
        artists.length > pageSize &&
          nextLink(withQuery(basePath, { genre: slug, after: String(page.at(-1)?.id) }), common.next),
      ]}
    />,
  );
}
