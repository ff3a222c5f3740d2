/** Attractions of the Discovery API v2: who performs, what sort of event it is, and what only sells with it. */
import { fold } from '../../store/fold.ts';
import type { RecordOf } from './adapter.ts';
import { idsIn, linkOf, pageAddress } from './links.ts';
import { at, type Json, list, text, web } from './ticketmaster-json.ts';

type Classes = { segment: string | null; genres: string[]; isFestival: boolean };

/** Words of the classification that say nothing. */
const nothing = new Set(['undefined', 'other', 'miscellaneous', 'unknown', 'music']);
/** Their tree has one name for all of it, and repeats it below itself. */
const renamed: Readonly<Record<string, string>> = { 'dance/electronic': 'Electronic' };

/** The primary classification: what kind of event, and the narrowest genre that is named. */
export function classesOf(thing: Json): Classes {
  const all = list(thing, 'classifications');
  const main = all.find((entry) => entry.primary === true) ?? all[0];
  const named = all.flatMap((entry) => {
    const narrow = ['subGenre', 'genre']
      .map((level) => text(entry, level, 'name'))
      .find((name) => name !== null && !nothing.has(name.toLowerCase()));
    return text(entry, 'segment', 'name') === 'Music' && narrow
      ? [renamed[narrow.toLowerCase()] ?? narrow]
      : [];
  });
  const style = `${text(main, 'type', 'name') ?? ''} ${text(main, 'subType', 'name') ?? ''}`;
  return {
    segment: text(main, 'segment', 'name'),
    genres: [...new Set(named)],
    isFestival: /\bfestival\b/i.test(style),
  };
}

/** Whether an event is of the segment that is asked for; one that nobody classified, where one of its acts is. */
export function isOfSegment(event: Json, segment: string): boolean {
  if (segment === '*') return true;
  const { segment: own } = classesOf(event);
  if (own !== null) return fold(own) === fold(segment);
  return list(event, '_embedded', 'attractions').some(
    (act) => fold(classesOf(act).segment ?? '') === fold(segment),
  );
}

/** What is sold beside a show: a place for the car, a bed, a better queue. */
export const isAddOn = (event: Json): boolean =>
  /^(?:parking|camping|locker|shuttle|glamping)\b|\b(?:parking|rv|camping|car|shuttle|locker) pass(?:es)?\b|\b(?:vip|lounge|seat|ticket) upgrades?\b/i.test(
    text(event, 'name') ?? '',
  );

/** What is sold as an attraction and performs nothing: parking, packages, the festival itself, a match's teams. */
export function isAct(attraction: Json): boolean {
  const name = text(attraction, 'name') ?? '';
  const { segment, isFestival } = classesOf(attraction);
  if (segment !== null && !/^(?:music|undefined|miscellaneous)$/i.test(segment)) return false;
  return (
    !isFestival &&
    !/\b(?:parking|vip packages?|upgrades?|camping|shuttle|festivals?|season tickets?)\b/i.test(name)
  );
}

export function artistOf(attraction: Json): RecordOf<'artist'> | null {
  const id = text(attraction, 'id');
  const name = text(attraction, 'name');
  if (id === null || name === null) return null;
  const outer = Object.entries((at(attraction, 'externalLinks') as Json | undefined) ?? {}).slice(0, 50);
  const found = outer.flatMap(([, entries]) =>
    list({ entries }, 'entries').map((entry) => web(entry, 'url')),
  );
  const own = web(attraction, 'url');
  const urls = [
    ...new Set([...found, own].flatMap((url) => (url === null ? [] : (pageAddress(url, null) ?? [])))),
  ];
  const mbid = outer.find(([service]) => service === 'musicbrainz')?.[1];
  const musicbrainz = text(mbid, 0, 'id');
  const { genres } = classesOf(attraction);
  const image = imageOf(attraction);
  return {
    kind: 'artist',
    external_id: id,
    name,
    ...(genres.length === 0 ? {} : { genres }),
    ...(image === null ? {} : { image_url: image }),
    ...(urls.length === 0 ? {} : { links: urls.map(linkOf) }),
    external_ids: { ...idsIn(urls), ...(musicbrainz === null ? {} : { musicbrainz }), ticketmaster: id },
  };
}

/** The widest picture in the shape that pages use, up to where it is only heavier. */
export function imageOf(thing: Json): string | null {
  const images = list(thing, 'images').map((image) => ({
    url: web(image, 'url'),
    width: Number(image.width) || 0,
    rank: (image.fallback === true ? 0 : 2) + (text(image, 'ratio') === '16_9' ? 1 : 0),
  }));
  const usable = images.filter(({ url, width }) => url !== null && width <= 2_048);
  return usable.toSorted((a, b) => b.rank - a.rank || b.width - a.width)[0]?.url ?? null;
}
