/**
 * Artists that an editor chose by their record, because several have one name. The edit keeps the public id of the record
 * beside the name: `{"name": "Nina", "record": "art_…"}`.
 */
import { Failure } from '../../failure.ts';
import type { RecordFinder } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';

type Entry = { name?: string; record?: unknown };

/** The slug in "artist/nina-2"; null for other texts. */
export const slugOfArtist = (text: string): string | null =>
  /^artists?\/([a-z0-9-]+)$/.exec(text.trim())?.[1] ?? null;

/**
 * Returns the entries of a list with the public ids of the chosen records.
 * @param parsed the validated entries, which have no member `record`
 * @param given the entries as they were written
 * @throws Failure that names the field, if there is no such artist
 */
export function keepChosenRecords(
  field: string,
  { parsed, given }: { parsed: unknown; given: unknown },
  names: RecordFinder,
): unknown {
  if (!Array.isArray(parsed) || !Array.isArray(given) || parsed.length !== given.length) return parsed;
  return parsed.map((entry: Entry, at) => {
    const { record } = (given[at] ?? {}) as Entry;
    if (typeof record !== 'string' || record === '') return entry;
    const slug = slugOfArtist(record);
    const chosen = slug === null ? names.byPublicId(record) : names.bySlug('artist', slug);
    if (chosen === null || chosen.kind !== 'artist')
      throw new Failure(`There is no artist ${JSON.stringify(record.slice(0, 100))}.`, 1, { field });
    return { ...entry, record: publicId('artist', chosen.id) };
  });
}
