/** Answers a question for records instead of events: "labels from Berlin", "festivals in Spain", "podcasts with techno". */
import type { VNode } from 'preact';
import { type AskedKind, askedRecords } from '../../catalogue/record-words.ts';
import { endedNote } from '../components/lifespan.tsx';
import { withQuery } from '../components/pagination.tsx';
import { cityText, EditionList, NameColumns, NavigationLinks } from '../components/parts.tsx';
import { readFirst } from '../components/record-sections.tsx';
import { type PageContext, recordPath } from '../page-context.ts';
import type { Asked } from './question-parts.tsx';

type Item = { slug: string; name: string; closed_at?: string | null; ended_at?: string | null };
type Place = {
  city: { id: number; slug: string; name: string; country: string | null } | null;
  country: string | null;
};
type List = {
  title: string;
  /** A sentence about the list; null: none. */
  note: string | null;
  items: readonly Item[];
  /** The page with the whole list; null if this is all of it. */
  all: string | null;
};

const maxItems = 30;
const maxEditions = 10;
/** Editions read to find those of a country. */
const maxReadEditions = 200;
/** Kinds whose place is the country alone. */
const countryOnly: ReadonlySet<AskedKind> = new Set(['artist', 'label']);

/** A list of records that a question asks for, and the words that ask for it; null for a question for events. */
export function askedRecordList(
  context: PageContext,
  q: string,
  { results, limits, lastWords }: Asked,
): { content: VNode; noun: string } | null {
  const asked = askedRecords(q);
  const { names, country, reading, named, words } = results;
  if (asked === null || reading !== null || named !== null || limits !== null || lastWords !== null)
    return null;
  if (words !== '' && words !== asked.noun) return null;
  if (names.some(({ kind, match, region }) => match === null || region !== null || !placeKinds.has(kind)))
    return null;
  const city = names.find(({ kind }) => kind === 'city')?.match ?? null;
  const genre = names.find(({ kind }) => kind === 'genre')?.match ?? null;
  const place = { city, country: city?.country ?? country?.code ?? null };
  const { kind, noun, isOrigin } = asked;
  if (genre !== null && (place.country !== null || city !== null)) return null;
  // "Artists in Berlin" asks who plays there: that is answered with events.
  if (genre === null && (place.country === null || (kind === 'artist' && !isOrigin))) return null;
  const list = genre !== null ? listOfGenre(context, kind, genre) : listOfPlace(context, kind, place);
  return list && { content: <RecordList context={context} kind={kind} list={list} place={place} />, noun };
}

const placeKinds: ReadonlySet<string> = new Set(['city', 'genre']);

function listOfGenre(
  context: PageContext,
  kind: AskedKind,
  { id, slug, name }: { id: number; slug: string; name: string },
): List | null {
  const { lists, nameList } = context.messages;
  const { relations } = context.site;
  const path = recordPath(context, 'genre', slug);
  const of = (title: string, items: readonly Item[], all: string | null): List => ({
    ...{ title: nameList.ofGenre(title, name), items, all },
    note: null,
  });
  switch (kind) {
    case 'artist':
      return of(
        lists.artists,
        relations.related('artists of genre', id, maxItems),
        withQuery(`${context.siteUrl.prefix}/artists`, { genre: slug }),
      );
    case 'festival':
      return of(lists.festivals, relations.related('festivals of genre', id, maxItems), path);
    case 'podcast':
      return of(lists.podcasts, relations.podcastsOfGenre(id, maxItems), null);
    default:
      return null;
  }
}

function listOfPlace(context: PageContext, kind: AskedKind, { city, country }: Place): List | null {
  const { messages, site, reader, now, siteUrl } = context;
  const { lists, nameList, formats } = messages;
  if (kind === 'podcast') return null;
  const path = `${siteUrl.prefix}/${kind}s`;
  if (city !== null && !countryOnly.has(kind)) {
    const { relations } = site;
    const items =
      kind === 'venue'
        ? relations.related('venues of city', city.id, maxItems)
        : relations.related('festivals of city', city.id, maxItems);
    const title = nameList.inPlace(lists[`${kind}s`], cityText(messages, city.name, city.country));
    const all =
      kind === 'venue' ? withQuery(path, { city: city.slug }) : recordPath(context, 'city', city.slug);
    return { title, note: null, items, all };
  }
  if (country === null) return null;
  const items = readFirst<Item>(context, reader.byName.source(kind, { country }, { now }), maxItems);
  return {
    title: nameList.inPlace(lists[`${kind}s`], formats.country(country)),
    note: city === null ? null : nameList.countryOnly,
    items,
    all: withQuery(path, { country }),
  };
}

function RecordList({
  context,
  kind,
  list: { title, note, items, all },
  place,
}: {
  context: PageContext;
  kind: AskedKind;
  list: List;
  place: Place;
}): VNode {
  const { messages, now } = context;
  const editions = kind === 'festival' ? nextEditionsIn(context, place) : [];
  return (
    <section class="flow" aria-labelledby="asked-records">
      <h2 id="asked-records">{title}</h2>
      {note !== null && <p class="soft small">{note}</p>}
      {editions.length > 0 && <EditionList context={context} editions={editions} />}
      {items.length === 0 && editions.length === 0 ? (
        <p class="empty">{messages.nameList.none}</p>
      ) : (
        <NameColumns
          entries={items.map((item) => ({
            href: recordPath(context, kind, item.slug),
            name: item.name,
            note: endedNote(messages, item, now),
          }))}
        />
      )}
      <NavigationLinks links={[all === null ? null : { href: all, label: messages.nameList.all(title) }]} />
    </section>
  );
}

/** The next festival editions in a city, otherwise in a country; an edition without a place has that of its festival. */
function nextEditionsIn({ site, reader, now }: PageContext, { city, country }: Place) {
  if (country === null) return [];
  const placeOf = (slug: string): { city: string | null; country: string | null } | null => {
    const id = reader.find('festival', slug);
    return id === null ? null : (reader.namedRecords.byId('festival', id) ?? null);
  };
  return site.relations
    .nextEditions(now, maxReadEditions)
    .filter((edition) => {
      const place = edition.country === null ? placeOf(edition.festival.slug) : edition;
      return city === null ? place?.country === country : place?.city === city.name;
    })
    .slice(0, maxEditions);
}
