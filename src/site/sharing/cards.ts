/** The texts of the preview picture (`og:image`) of each page: the facts at the head of the page, in a few words. */
import type { Kind } from '../../contract/fields.ts';
import type { Logo } from '../../contract/identity.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { memoizeByObject } from '../../memoize.ts';
import { accentShades } from '../../pages/colours.ts';
import type { Card, PictureLogo } from '../../pictures/card.ts';
import type { ListSource } from '../../store/lists/pagination.ts';
import { pageCollections } from '../../store/records/serialize.ts';
import { localDate } from '../components/dates.tsx';
import { cityText as cityName, countryText, placeText } from '../components/parts.tsx';
import { readFirst } from '../components/record-sections.tsx';
import { readListFilters } from '../days/list-filters.ts';
import { filterOf, genreFilter, genreNames, readGenres, requestedDays } from '../days/scope.ts';
import { daysTitle } from '../days/selection.tsx';
import type { PageContext } from '../page-context.ts';
import type { ListedKind } from '../route.ts';
import { eventListTitle } from '../views/list-events.tsx';

type EventItem = ApiRecord<'EventItem'>;
/** The parts of a card that its page decides. */
type CardText = Pick<Card, 'kind' | 'title' | 'lead' | 'lines'> & { date?: Card['date'] };

/** The accent colour of cratebase on a dark background (`pages/style.ts`). */
const defaultAccent = '#ff8d60';
const maxActs = 24;
const maxNext = 3;

/** Returns the logo for pictures; null for WebP, which the renderer cannot read. */
const pictureLogo = memoizeByObject(({ type, content }: Logo): PictureLogo | null =>
  type === 'image/webp' ? null : { type, base64: content.toString('base64') },
);

/** The colours and the logo of the service in its pictures. */
export function pictureIdentity({ siteUrl }: PageContext): Pick<Card, 'service' | 'logo' | 'accent'> {
  const { name, logo, accent } = siteUrl.identity;
  return {
    service: name,
    logo: logo && pictureLogo(logo),
    accent: accent === null ? defaultAccent : accentShades(accent).dark.accent,
  };
}

const card = (context: PageContext, text: CardText): Card => ({
  ...pictureIdentity(context),
  date: null,
  ...text,
});

/** The picture of the home page, and of all pages without one of their own. */
export function siteCard(context: PageContext): Card {
  const { messages, siteUrl } = context;
  const { host } = new URL(siteUrl.url);
  return card(context, {
    kind: host,
    title: siteUrl.name,
    lead: messages.sharing.catalogue,
    lines: [messages.sharing.contents],
  });
}

/** The picture of a list; that of events names its place, genre and days. */
export function listCard(context: PageContext, kind: ListedKind): Card {
  const { messages, reader } = context;
  if (kind !== 'event') {
    return card(context, {
      kind: '',
      title: messages.lists[pageCollections[kind]],
      lead: messages.sharing.catalogue,
      lines: [],
    });
  }
  const filters = readListFilters(context);
  const days = requestedDays(context, filters.scope.zone);
  const selection = days !== null && !('unknown' in days) ? days : null;
  const source = filters.isNothing
    ? reader.emptyList
    : reader.events.source({ ...filterOf(filters.scope), upcomingAt: context.now, ...selection?.filter });
  return card(context, {
    kind: messages.lists.events,
    title: eventListTitle(context, filters, selection),
    lead: selection === null ? messages.common.upcomingEvents : '',
    lines: nextLines(context, source, 'venue'),
  });
}

/** The picture of a record's page. @param id the id of the record or edition */
export function recordCard(context: PageContext, kind: Kind, id: number): Card {
  return card(context, { ...texts[kind](context, id) });
}

/** "Fri 27 Nov · Klubnacht · Berghain, Berlin" of the next events. */
function nextLines(context: PageContext, source: ListSource, show: 'name' | 'place' | 'venue'): string[] {
  const { formats } = context.messages;
  return readFirst<EventItem>(context, source, maxNext).map(({ start_at, name, venue }) => {
    const { city, country } = venue;
    const place = placeText(
      venue.name,
      city === venue.name ? null : cityName(context.messages, city, country),
    );
    const what = show === 'name' ? [name] : show === 'place' ? [place === '' ? name : place] : [name, place];
    return [formats.weekdayDate(localDate(start_at)), ...what].filter((part) => part !== '').join(' · ');
  });
}

/** A date as a calendar shows it: "Fri", "27", "Nov 2026". */
export function dateParts({ formats }: PageContext['messages'], at: string): NonNullable<Card['date']> {
  const date = localDate(at);
  return {
    weekday: formats.weekday(date),
    day: String(Number(date.slice(8))),
    month: formats.shortMonth(date.slice(0, 7)),
  };
}

const texts: Record<Kind, (context: PageContext, id: number) => CardText> = {
  event: eventText,
  artist: artistText,
  venue: venueText,
  festival: festivalText,
  edition: editionText,
  city: cityText,
  label: labelText,
  genre: genreText,
  podcast: podcastText,
  episode: episodeText,
};

const names = (acts: readonly { name: string }[]): string =>
  [...new Set(acts.map(({ name }) => name))].slice(0, maxActs).join(', ');
const oneLine = (text: string | null): string[] => (text === null || text === '' ? [] : [text]);
const joinFacts = (...parts: (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');

function eventText({ reader, messages }: PageContext, id: number): CardText {
  const { status, start_at, timezone, venue, name, lineup } = JSON.parse(
    reader.details.event(id),
  ) as ApiRecord<'Event'>;
  const label = status === 'cancelled' || status === 'postponed' || status === 'rescheduled' ? status : null;
  const place = placeText(
    venue.name,
    venue.city === venue.name ? null : cityName(messages, venue.city, venue.country),
    venue.name === null && venue.city === null ? countryText(messages, venue.country) : null,
  );
  return {
    kind: label === null ? messages.kinds.event : messages.statuses[label],
    title: name,
    date: dateParts(messages, start_at),
    lead: joinFacts(timezone === null ? null : start_at.slice(11, 16), place),
    lines: oneLine(names(lineup)),
  };
}

function artistText(context: PageContext, id: number): CardText {
  const { reader, now, messages } = context;
  const artist = reader.details.artist(id, reader.upcoming(now));
  const genres = readFirst<{ name: string }>(
    context,
    reader.byName.source('genre', { artist: id }, { now, refs: true }),
    3,
  );
  const next = nextLines(context, reader.events.source({ artist: id, upcomingAt: now }), 'place');
  return {
    kind: messages.kinds.artist,
    title: artist.name,
    lead: joinFacts(genres.map(({ name }) => name).join(', '), countryText(messages, artist.country)),
    lines: next.length > 0 ? next : oneLine(artist.biography),
  };
}

function venueText(context: PageContext, id: number): CardText {
  const { reader, now, messages } = context;
  const venue = reader.details.venue(id, reader.upcoming(now));
  return {
    kind: messages.kinds.venue,
    title: venue.name,
    lead: placeText(cityName(messages, venue.city, venue.country), countryText(messages, venue.country)),
    lines: nextLines(context, reader.events.source({ venue: id, upcomingAt: now }), 'name'),
  };
}

function festivalText(context: PageContext, id: number): CardText {
  const { reader, now, messages } = context;
  const festival = reader.details.festivals.festival(id, now);
  const editions = readFirst<ApiRecord<'EditionItem'>>(context, reader.editions(id), 60);
  const next = editions.find(({ edition }) => edition === festival.next_edition);
  return {
    kind: messages.kinds.festival,
    title: festival.name,
    lead: placeText(
      cityName(messages, festival.city, festival.country),
      countryText(messages, festival.country),
    ),
    lines:
      next === undefined ? oneLine(festival.description) : [joinFacts(next.name, periodText(messages, next))],
  };
}

/** "24 Jul 2026 – 26 Jul 2026". */
function periodText(
  { formats }: PageContext['messages'],
  { start_at, end_at }: Pick<ApiRecord<'EditionItem'>, 'start_at' | 'end_at'>,
): string {
  if (start_at === null) return '';
  const [first, last] = [localDate(start_at), localDate(end_at ?? start_at)];
  return first === last
    ? formats.shortDate(first)
    : `${formats.dayMonth(first)} – ${formats.shortDate(last)}`;
}

function editionText({ reader, site, messages }: PageContext, id: number): CardText {
  const edition = reader.details.festivals.edition(id);
  const { start_at } = edition;
  return {
    kind: messages.kinds.festival,
    title: edition.name,
    date: start_at === null ? null : dateParts(messages, start_at),
    lead: joinFacts(
      periodText(messages, edition),
      placeText(cityName(messages, edition.city, edition.country), countryText(messages, edition.country)),
    ),
    lines: oneLine(names(site.relations.lineup(id, maxActs))),
  };
}

function cityText(context: PageContext, id: number): CardText {
  const { reader, now, messages } = context;
  const city = reader.details.city(id, reader.upcoming(now));
  const name = cityName(messages, city.name, city.country);
  const days = requestedDays(context, city.timezone);
  const { genres } = readGenres(context);
  const filter = { cityId: id, ...genreFilter(genres), upcomingAt: now };
  const lines = (more: object) =>
    nextLines(context, reader.events.source({ ...filter, ...more }), 'venue').map((line) =>
      line.replace(/, [^,]*$/, (end) => (end === `, ${name}` ? '' : end)),
    );
  const place = placeText(
    city.region === city.name ? null : city.region,
    countryText(messages, city.country),
  );
  if (days === null || 'unknown' in days)
    return {
      kind: messages.kinds.city,
      title: genres.length === 0 ? name : `${genreNames(messages, genres)}, ${name}`,
      lead: place,
      lines: lines({}),
    };
  const title = messages.days.inCity(daysTitle(messages, days), name);
  const { longDate } = messages.formats;
  return {
    kind: messages.lists.events,
    title: genres.length === 0 ? title : messages.days.ofGenre(genreNames(messages, genres), title),
    date: days.first === days.last ? dateParts(messages, days.first) : null,
    lead:
      days.first === days.last
        ? longDate(days.first)
        : messages.days.weekOf(longDate(days.first), longDate(days.last)),
    lines: lines(days.filter),
  };
}

function labelText(context: PageContext, id: number): CardText {
  const { reader, now, messages } = context;
  const label = reader.details.label(id, now);
  const roster = readFirst<{ name: string }>(
    context,
    reader.byName.source('artist', { roster: id }, { now }),
    maxActs,
  );
  return {
    kind: messages.kinds.label,
    title: label.name,
    lead: joinFacts(
      countryText(messages, label.country),
      label.founded_year === null ? null : String(label.founded_year),
    ),
    lines: oneLine(names(roster) || label.description),
  };
}

function genreText(context: PageContext, id: number): CardText {
  const { reader, now, messages } = context;
  const genre = reader.details.genre(id, reader.upcoming(now));
  const next = nextLines(context, reader.events.source({ genre: id, upcomingAt: now }), 'venue');
  return {
    kind: messages.kinds.genre,
    title: genre.name,
    lead: genre.parent?.name ?? '',
    lines: next.length > 0 ? next : oneLine(genre.description),
  };
}

function podcastText({ reader, messages }: PageContext, id: number): CardText {
  const podcast = reader.details.podcast(id);
  return {
    kind: messages.kinds.podcast,
    title: podcast.name,
    lead: podcast.publisher ?? '',
    lines: oneLine(podcast.description),
  };
}

function episodeText({ reader, messages }: PageContext, id: number): CardText {
  const { name, podcast, published_at, artists, description } = reader.details.episode(id);
  return {
    kind: messages.kinds.episode,
    title: name,
    lead: joinFacts(
      podcast.name,
      published_at === null ? null : messages.formats.shortDate(localDate(published_at)),
    ),
    lines: oneLine(names(artists.filter((artist) => !name.includes(artist.name))) || description),
  };
}
