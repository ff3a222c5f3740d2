/**
 * Takes what is known of forgotten artists out of source records: as they are imported, and once in those that are
 * stored. Both give the same text, so that a source that is read again changes nothing.
 */
import type { FeedKind, FeedRecordContent } from '../../../contract/feed.ts';
import { impliedIds, normalizeId } from '../../../matching/external-ids.ts';
import type { ForgottenNames } from '../../../store/resolution/forgotten-names.ts';
import type { ParsedLine, ParsedRecord } from '../../import/parse-record.ts';
import { replaceNames } from './replace-names.ts';

/** Stands for a forgotten artist in titles and other texts. */
export const removedArtistText = 'removed artist';

/** The present name of a forgotten record; null if its name is forgotten too. */
export type ShownNames = (record: number) => string | null;
type NamedEntry = { name: string; external_id?: string | null | undefined };
/** The members of all kinds that may name an artist. */
type Members = {
  name?: string;
  description?: string | null;
  lineup?: NamedEntry[] | null;
  artists?: NamedEntry[] | null;
  tracklist?: { artist_name?: string | null; title?: string | null }[] | null;
};

export class StatementScrubber {
  readonly #forgotten: ForgottenNames;
  readonly #shownName: ShownNames;

  constructor(forgotten: ForgottenNames, shownName: ShownNames) {
    this.#forgotten = forgotten;
    this.#shownName = shownName;
  }

  /** Whether the file has no forgotten artists. */
  get isIdle(): boolean {
    return this.#forgotten.isEmpty;
  }

  /** The line without what is forgotten; the same object if it contains nothing of the kind. */
  scrub(line: ParsedLine, source: string): ParsedLine {
    if (this.isIdle || 'into' in line) return line;
    const own = line.kind === 'artist' ? this.#scrubOwn(line, source) : null;
    if (own !== null) return own;
    const statement = this.scrubMembers(line.statement as Members, source);
    return statement === line.statement
      ? line
      : { ...line, statement: statement as FeedRecordContent<FeedKind> };
  }

  /** The statement about a forgotten artist itself: only the name that is shown, and the genres. */
  #scrubOwn(line: ParsedRecord, source: string): ParsedRecord | null {
    const statement = line.statement as FeedRecordContent<'artist'>;
    const record = this.#recordOf(statement, line.externalId, source);
    if (record === null) return null;
    const name = this.#shownName(record);
    return {
      kind: 'artist',
      externalId: this.#forgotten.replacedId('artist', source, line.externalId),
      statement: (name === null
        ? { name: removedArtistText }
        : {
            name,
            ...(statement.genres == null ? {} : { genres: statement.genres }),
          }) as ParsedRecord['statement'],
      slug: null,
      boundTo: record,
    };
  }

  #recordOf(statement: FeedRecordContent<'artist'>, externalId: string, source: string): number | null {
    const forgotten = this.#forgotten;
    const { name, external_ids, links } = statement;
    const ids = [
      ...Object.entries(external_ids ?? {}).flatMap(([service, id]) =>
        id == null ? [] : [[service, normalizeId(id)] as const],
      ),
      ...Object.entries(impliedIds(source, externalId, links)).flatMap(([service, implied]) =>
        [...implied.ids].map((id) => [service, id] as const),
      ),
    ];
    const byIds = ids.map(([service, id]) => forgotten.recordOfServiceId('artist', service, id));
    return (
      forgotten.recordOfSourceId('artist', source, externalId) ??
      byIds.find((record) => record !== null) ??
      forgotten.recordOfName('artist', name)
    );
  }

  /** Takes forgotten artists out of line-ups, rosters, tracklists and texts. */
  scrubMembers<T extends Members>(statement: T, source: string): T {
    const scrubbed: Members = { ...statement };
    let isChanged = false;
    const set = <K extends keyof Members>(member: K, value: Members[K]): void => {
      if (value === statement[member]) return;
      scrubbed[member] = value;
      isChanged = true;
    };
    for (const member of ['lineup', 'artists'] as const) {
      const entries = statement[member];
      if (entries) set(member, this.#scrubEntries(entries, source));
    }
    if (statement.tracklist) set('tracklist', this.#scrubTracks(statement.tracklist));
    const isNamed = isChanged;
    // One word may mean anything, unless the record names the artist otherwise too.
    const minWords = isNamed ? 1 : 2;
    if (statement.name !== undefined) set('name', this.scrubText(statement.name, minWords));
    if (isChanged && statement.description)
      set('description', this.scrubText(statement.description, minWords));
    return isChanged ? (scrubbed as T) : statement;
  }

  /** Drops entries of artists without a name; others are shown by their present name. */
  #scrubEntries(entries: NamedEntry[], source: string): NamedEntry[] {
    let isChanged = false;
    const kept = entries.flatMap((entry): NamedEntry[] => {
      const { external_id: id, name } = entry;
      const record =
        (id == null ? null : this.#forgotten.recordOfSourceId('artist', source, id)) ??
        this.#forgotten.recordOfName('artist', name);
      if (record === null) return [entry];
      const shown = this.#shownName(record);
      const shownId = id == null ? undefined : this.#forgotten.replacedId('artist', source, id);
      if (shown === name && (id == null || shownId === id)) return [entry];
      isChanged = true;
      if (shown === null) return [];
      return [{ ...entry, name: shown, ...(shownId === undefined ? {} : { external_id: shownId }) }];
    });
    return isChanged ? kept : entries;
  }

  #scrubTracks<T extends NonNullable<Members['tracklist']>>(tracks: T): T {
    let isChanged = false;
    const scrubbed = tracks.map((track) => {
      const artist = track.artist_name == null ? track.artist_name : this.scrubText(track.artist_name, 1);
      const title = track.title == null ? track.title : this.scrubText(track.title, 2);
      if (artist === track.artist_name && title === track.title) return track;
      isChanged = true;
      return { ...track, artist_name: artist === removedArtistText ? null : artist, title };
    });
    return isChanged ? (scrubbed as T) : tracks;
  }

  /**
   * Replaces names, and ids of the source, in a note about records: why one was rejected. Such a note may name an
   * artist by one word.
   */
  scrubNote(text: string, source: string): string {
    if (this.isIdle) return text;
    return this.scrubText(text, 1).replace(/[^\s"'(),;]+/g, (word) => {
      const id = word.replace(/[.:]$/, '');
      const record = this.#forgotten.recordOfSourceId('artist', source, id);
      return record === null ? word : word.replace(id, this.#forgotten.replacedId('artist', source, id));
    });
  }

  /** Replaces names of at least `minWords` words by the name that is shown. */
  scrubText(text: string, minWords: number): string {
    return replaceNames(text, minWords, (name) => {
      const record = this.#forgotten.recordOfName('artist', name);
      return record === null ? null : (this.#shownName(record) ?? removedArtistText);
    });
  }
}
