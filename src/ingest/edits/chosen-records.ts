/**
 * Artists that an editor chose by their record, because several have one name. The edit keeps the public id of the record
 * beside the name: `{"name": "Nina", "record": "art_…"}`.
 */
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { RecordFinder } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import type { ParsedRecord } from '../import/parse-record.ts';
import type { WriteSession } from '../write-session.ts';

type Entry = { name?: string; external_id?: string | null; record?: unknown };

/** The slug in "artist/nina-2"; null for other texts. */
export const slugOfArtist = (text: string): string | null =>
  /^artists?\/([a-z0-9-]+)$/.exec(text.trim())?.[1] ?? null;

/**
 * Returns the entries of a list with the public ids of the chosen records.
 * @param list the validated entries, which have no member `record`
 * @param writtenList the entries as they were written
 * @throws Failure that names the field, if there is no such artist, or if several artists have a name and none was chosen
 */
export function keepChosenRecords(
  field: string,
  { list, writtenList }: { list: unknown; writtenList: unknown },
  names: RecordFinder,
): unknown {
  if (!Array.isArray(list) || !Array.isArray(writtenList) || list.length !== writtenList.length) return list;
  return list.map((entry: Entry, at) => {
    const { record: chosenRecord, name = '' } = (writtenList[at] ?? {}) as Entry;
    const isName = slugOfArtist(String(name)) !== null;
    const record = isName ? String(name) : chosenRecord;
    if (typeof record !== 'string' || record === '') {
      if (!entry.external_id) assertOneArtist(field, entry.name ?? '', names);
      return entry;
    }
    const slug = slugOfArtist(record);
    const artist = slug === null ? names.byPublicId(record) : names.bySlug('artist', slug);
    if (artist === null || artist.kind !== 'artist')
      throw new Failure(`There is no artist ${JSON.stringify(record.slice(0, 100))}.`, 1, {
        field,
        code: 'artist_missing',
        value: record.slice(0, 100),
      });
    return { ...entry, ...(isName && { name: artist.name }), record: publicId('artist', artist.id) };
  });
}

/** Throws a `Failure` that lists the artists, if several have the name. */
function assertOneArtist(field: string, name: string, names: RecordFinder): void {
  const artists = names.artistsNamed(name);
  if (artists.length < 2) return;
  const list = artists.map(
    ({ slug, country, genres, events }) =>
      `artist/${slug} (${[country, genres.join(', '), plural(events, 'event')].filter(Boolean).join(' · ')})`,
  );
  throw new Failure(
    `${artists.length} artists are named ${JSON.stringify(name)}: ${list.join('; ')}. Write one of these instead of the name.`,
    2,
    { field, code: 'artist_ambiguous', value: artists.map(({ slug }) => `artist/${slug}`).join(', ') },
  );
}

/** Names chosen artists by ids of the source `editors`: a record by hand is a line of a feed. */
export const withIdsOfChosen = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((entry: unknown) => {
        if (typeof entry !== 'object' || entry === null || !('record' in entry)) return entry;
        const { record, ...members } = entry;
        return { ...members, external_id: record };
      })
    : value;

/** Binds the public ids of artists in a record by hand, so that the source `editors` means those records by them. */
export function bindChosenRecords(session: WriteSession, source: number, { statement }: ParsedRecord): void {
  const names = new RecordFinder(session.writer.sqlite);
  const { lineup, artists } = statement as { lineup?: unknown; artists?: unknown };
  for (const entry of [lineup, artists].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))) {
    const externalId = (entry as { external_id?: string | null }).external_id ?? '';
    const artist = names.byPublicId(externalId);
    if (artist?.kind !== 'artist') continue;
    const key = { source, kind: 'artist' as const, externalId };
    if (session.sources.find(key) === undefined) session.sources.bind(key, artist.id, null, session.now, 0);
  }
}
