/**
 * Takes what is known of forgotten artists out of source records: as they are imported, and once in those that are
 * stored. Both give the same text, so that a source that is read again changes nothing.
 */
import type { FeedKind, FeedRecordContent } from '../../../contract/feed.ts';
import { impliedIds } from '../../../matching/external-ids.ts';
import type { ForgottenNames } from '../../../store/resolution/forgotten-names.ts';
import { normalizeId } from '../../../text/external-id.ts';
import { normalizeForSearch } from '../../../text/fold.ts';
import { removedArtistText } from '../../../text/removed-artist.ts';
import { slugOf } from '../../../text/slug.ts';
import type { ParsedLine, ParsedRecord } from '../../import/parse-record.ts';
import { type AddressMembers, keptOf, scrubAddresses, spellsName } from './addresses.ts';
import { replaceNames } from './replace-names.ts';

/** The present name of a forgotten record; null if its name is forgotten too. */
export type ShownNames = (record: number) => string | null;
type NamedEntry = { name: string; external_id?: string | null | undefined };
type Place = { name: string; city?: string | null | undefined };
/** The members of all kinds that may name an artist. */
type Members = {
  name?: string | null;
  description?: string | null;
  biography?: string | null;
  real_name?: string | null;
  publisher?: string | null;
  aliases?: string[] | null;
  lineup?: NamedEntry[] | null;
  artists?: NamedEntry[] | null;
  tracklist?: { artist_name?: string | null; title?: string | null; label_name?: string | null }[] | null;
  parent?: NamedEntry | string | null;
  podcast?: NamedEntry | null;
  venue?: Place | null;
  festival?: NamedEntry | { festival: NamedEntry } | null;
} & AddressMembers;

/** Scrubs source records and texts of all forgotten artists of the file. Only reads. */
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
    const slug = line.slug !== null && this.isNamedIn(line.slug) ? null : line.slug;
    return statement === line.statement && slug === line.slug
      ? line
      : { ...line, slug, statement: statement as FeedRecordContent<FeedKind> };
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
    const changes: Partial<Record<keyof Members, unknown>> = {};
    const set = (member: keyof Members, value: unknown): void => {
      if (value !== statement[member]) changes[member] = value;
    };
    for (const member of ['lineup', 'artists'] as const) {
      const entries = statement[member];
      if (entries) set(member, this.#scrubEntries(entries, source));
    }
    if (statement.tracklist) set('tracklist', this.#scrubTracks(statement.tracklist));
    // One word may mean anything, unless the record names the artist otherwise too.
    const minWords = Object.keys(changes).length > 0 ? 1 : 2;
    if (statement.name) set('name', this.scrubText(statement.name, minWords));
    for (const member of ['description', 'biography'] as const)
      if (statement[member]) set(member, this.scrubText(statement[member], minWords));
    for (const member of ['real_name', 'publisher'] as const)
      if (statement[member] && this.scrubText(statement[member], 2) !== statement[member]) set(member, null);
    if (statement.aliases)
      set(
        'aliases',
        keptOf(statement.aliases, (alias) => this.scrubText(alias, 2) === alias),
      );
    for (const member of ['parent', 'podcast', 'venue', 'festival'] as const)
      if (statement[member]) set(member, this.#scrubReference(statement[member], member === 'parent'));
    const addresses = scrubAddresses(statement, (url) => this.isNamedIn(url));
    for (const member of Object.keys(addresses) as (keyof AddressMembers)[]) set(member, addresses[member]);
    return Object.keys(changes).length > 0 ? { ...statement, ...changes } : statement;
  }

  /**
   * Replaces names in a reference to another record, whose own names are replaced in the same way.
   * @param isOptional whether a reference of which no other words are left is dropped
   */
  #scrubReference(reference: unknown, isOptional: boolean): unknown {
    if (typeof reference === 'string') return this.scrubText(reference, 2);
    const { name, festival } = reference as { name?: string; festival?: NamedEntry };
    if (festival !== undefined) {
      const scrubbed = this.#scrubReference(festival, false);
      return scrubbed === festival ? reference : { ...(reference as object), festival: scrubbed };
    }
    if (name === undefined) return reference;
    const scrubbed = this.scrubText(name, 2);
    if (scrubbed === name) return reference;
    const isBare = isOptional && (reference as NamedEntry).external_id == null;
    return isBare && scrubbed === removedArtistText ? null : { ...(reference as object), name: scrubbed };
  }

  /** Whether an address contains a forgotten name of two or more words. The name that is shown may stay. */
  isNamedIn(address: string): boolean {
    return spellsName(
      address,
      (word) => this.#forgotten.mayBegin('artist', word),
      (letters) => {
        const record = this.#forgotten.recordOfSpelling('artist', letters);
        if (record === null) return false;
        const shownName = this.#shownName(record);
        return shownName === null || slugOf(shownName, 'artist').replaceAll('-', '') !== letters;
      },
    );
  }

  /** Drops entries of artists without a name; others are shown by their present name. */
  #scrubEntries(entries: NamedEntry[], source: string): NamedEntry[] {
    let isChanged = false;
    const keptEntries = entries.flatMap((entry): NamedEntry[] => {
      const { external_id: id, name } = entry;
      const record =
        (id == null ? null : this.#forgotten.recordOfSourceId('artist', source, id)) ??
        this.#forgotten.recordOfName('artist', name);
      if (record === null) {
        const text = this.scrubText(name, 2);
        if (text === name) return [entry];
        isChanged = true;
        return [{ ...entry, name: text }];
      }
      const shownName = this.#shownName(record);
      const shownId = id == null ? undefined : this.#forgotten.replacedId('artist', source, id);
      if (shownName === name && (id == null || shownId === id)) return [entry];
      isChanged = true;
      if (shownName === null) return [];
      return [{ ...entry, name: shownName, ...(shownId === undefined ? {} : { external_id: shownId }) }];
    });
    return isChanged ? keptEntries : entries;
  }

  #scrubTracks<T extends NonNullable<Members['tracklist']>>(tracks: T): T {
    let isChanged = false;
    const scrubbed = tracks.map((track) => {
      const artist = track.artist_name == null ? track.artist_name : this.scrubText(track.artist_name, 1);
      const title = track.title == null ? track.title : this.scrubText(track.title, 2);
      const label = track.label_name == null ? track.label_name : this.scrubText(track.label_name, 2);
      if (artist === track.artist_name && title === track.title && label === track.label_name) return track;
      isChanged = true;
      const scrubbed = { ...track, artist_name: artist === removedArtistText ? null : artist, title };
      return label === track.label_name ? scrubbed : { ...scrubbed, label_name: label };
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
    return replaceNames(
      text,
      minWords,
      (name) => {
        const record = this.#forgotten.recordOfName('artist', name);
        if (record === null) return null;
        const shownName = this.#shownName(record);
        if (shownName === null) return removedArtistText;
        // Also in an address, the name that is shown may stay.
        return normalizeForSearch(shownName) === normalizeForSearch(name) ? null : shownName;
      },
      (word) => this.#forgotten.mayBegin('artist', word),
    );
  }
}
