/** Reads attractions of the Discovery API v2: performers, classifications, and items sold beside a show. */
import { fold } from '../../text/fold.ts';
import type { RecordOf } from '../adapter.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { type JsonObject, stated } from '../common/values.ts';
import { extractServiceIds, normalizeUrl, toProfileLink } from '../common/web-links.ts';

type Classification = { segment: string | null; genres: string[]; isFestival: boolean };

/** Classification names without a meaning. */
const meaninglessNames = new Set(['undefined', 'other', 'miscellaneous', 'unknown', 'music']);
/** Names that differ from the catalogue's. */
const genreNameByTheirs: ReadonlyMap<string, string> = new Map([['dance/electronic', 'Electronic']]);

/** Returns the primary segment, and the narrowest named genres. */
export function classify(thing: JsonObject): Classification {
  const all = listAt(thing, 'classifications');
  const primary = all.find((entry) => entry.primary === true) ?? all[0];
  const genres = all.flatMap((entry) => {
    const narrow = ['subGenre', 'genre']
      .map((level) => textAt(entry, level, 'name'))
      .find((name) => name !== null && !meaninglessNames.has(name.toLowerCase()));
    return textAt(entry, 'segment', 'name') === 'Music' && narrow
      ? [genreNameByTheirs.get(narrow.toLowerCase()) ?? narrow]
      : [];
  });
  const typeNames = `${textAt(primary, 'type', 'name') ?? ''} ${textAt(primary, 'subType', 'name') ?? ''}`;
  return {
    segment: textAt(primary, 'segment', 'name'),
    genres: [...new Set(genres)],
    isFestival: /\bfestival\b/i.test(typeNames),
  };
}

/** Whether an event is of a segment. An event without classification is, if one of its attractions is. */
export function isOfSegment(event: JsonObject, segment: string): boolean {
  if (segment === '*') return true;
  const { segment: own } = classify(event);
  if (own !== null) return fold(own) === fold(segment);
  return listAt(event, '_embedded', 'attractions').some(
    (act) => fold(classify(act).segment ?? '') === fold(segment),
  );
}

/** Whether an event is an item that is sold beside a show: parking, camping, an upgrade. */
export const isAddOn = (event: JsonObject): boolean =>
  /^(?:parking|camping|locker|shuttle|glamping)\b|\b(?:parking|rv|camping|car|shuttle|locker) pass(?:es)?\b|\b(?:vip|lounge|seat|ticket) upgrades?\b/i.test(
    textAt(event, 'name') ?? '',
  );

/** Whether an attraction performs: parking, packages, the festival itself and sports teams do not. */
export function isPerformer(attraction: JsonObject): boolean {
  const name = textAt(attraction, 'name') ?? '';
  const { segment, isFestival } = classify(attraction);
  if (segment !== null && !/^(?:music|undefined|miscellaneous)$/i.test(segment)) return false;
  return (
    !isFestival &&
    !/\b(?:parking|vip packages?|upgrades?|camping|shuttle|festivals?|season tickets?)\b/i.test(name)
  );
}

/** Converts an attraction; null without an id or a name. */
export function toArtist(attraction: JsonObject): RecordOf<'artist'> | null {
  const id = textAt(attraction, 'id');
  const name = textAt(attraction, 'name');
  if (id === null || name === null) return null;
  const outer = Object.entries((valueAt(attraction, 'externalLinks') as JsonObject | undefined) ?? {}).slice(
    0,
    50,
  );
  const serviceUrls = outer.flatMap(([, entries]) =>
    listAt({ entries }, 'entries').map((entry) => urlAt(entry, 'url')),
  );
  const own = urlAt(attraction, 'url');
  const urls = [
    ...new Set([...serviceUrls, own].flatMap((url) => (url === null ? [] : (normalizeUrl(url, null) ?? [])))),
  ];
  const mbid = outer.find(([service]) => service === 'musicbrainz')?.[1];
  const musicbrainz = textAt(mbid, 0, 'id');
  const { genres } = classify(attraction);
  return {
    kind: 'artist',
    external_id: id,
    name,
    ...stated({ genres, image_url: pickImage(attraction), links: urls.map(toProfileLink) }),
    external_ids: { ...extractServiceIds(urls), ...stated({ musicbrainz }), ticketmaster: id },
  };
}

/** Returns the widest picture up to 2,048 pixels, preferably in 16:9. */
export function pickImage(thing: JsonObject): string | null {
  const images = listAt(thing, 'images').map((image) => ({
    url: urlAt(image, 'url'),
    width: Number(image.width) || 0,
    rank: (image.fallback === true ? 0 : 2) + (textAt(image, 'ratio') === '16_9' ? 1 : 0),
  }));
  const usable = images.filter(({ url, width }) => url !== null && width <= 2_048);
  return usable.toSorted((a, b) => b.rank - a.rank || b.width - a.width)[0]?.url ?? null;
}
