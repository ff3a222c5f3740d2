/**
 * Forgets an artist: what the file contains about the person is overwritten, and keyed digests keep imports from bringing
 * it back (docs/guides/privacy-requests.md). The work can be repeated if it was interrupted.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { FeedKind, FeedRecordContent } from '../../../contract/feed.ts';
import { idsOf } from '../../../matching/external-ids.ts';
import { parseAliases } from '../../../store/records/serialize.ts';
import { ForgetStore, type StoredContent } from '../../../store/resolution/forget-store.ts';
import { parseContent } from '../../../store/resolution/record-content.ts';
import type { RecordRow, RowOf } from '../../../store/values.ts';
import { fold } from '../../../text/fold.ts';
import { removedArtistText } from '../../../text/removed-artist.ts';
import { slugOf } from '../../../text/slug.ts';
import type { ParsedRecord } from '../../import/parse-record.ts';
import { processStale } from '../../process-stale.ts';
import { saveArtistGenres } from '../../records/artists.ts';
import { defaultRows } from '../../records/row-defaults.ts';
import type { WriteBatches } from '../../write-lock/write-batches.ts';
import type { WriteSession } from '../../write-session.ts';
import { ForgetTraces, type NameChoice, type Person } from './forget-traces.ts';
import { StatementScrubber } from './scrubber.ts';

/** Shorter names are only looked for in records that name the artist. */
const minScannedLength = 5;

/** Forgets one artist in transactions of milliseconds. */
export class ForgetArtist {
  readonly #session: WriteSession;
  readonly #store: ForgetStore;
  readonly #choice: NameChoice;
  readonly #by: string;
  /** Records whose source records or line-ups named the artist. */
  readonly #touched = new Set<number>();

  constructor(
    sqlite: Database.Database,
    session: WriteSession,
    { name: choice, by }: { name: NameChoice; by: string },
  ) {
    this.#session = session;
    this.#store = new ForgetStore(sqlite);
    this.#choice = choice;
    this.#by = by;
  }

  /**
   * Overwrites everything.
   * @param note writes the entry of the audit log, in the transaction that changes the record
   * @returns the number of other records that named the artist and were changed
   */
  async run(batches: WriteBatches, id: number, note: () => void): Promise<number> {
    this.#store.overwriteDeleted();
    const person = this.#read(id);
    await this.#write(batches, () => this.#addDigests(person));
    await this.#scrubOthers(batches, person);
    await this.#scrubInherited(batches, person);
    const traces = new ForgetTraces(this.#session, person, this.#choice, this.#touched);
    await this.#renameSlugs(batches, traces, person);
    await traces.erase(batches);
    // Events lose the artist one by one, not all in the transaction that deletes it.
    if (this.#choice === 'remove') await processStale(this.#session, batches);
    await this.#write(batches, () => {
      this.#eraseRecord(person);
      note();
    });
    await processStale(this.#session, batches);
    await this.#eraseLists(batches);
    return this.#touched.size;
  }

  async #write(batches: WriteBatches, work: () => void): Promise<void> {
    await batches.beginWhenFree();
    batches.noteWrite('a forgotten artist');
    this.#session.writer.beginSavepoint();
    this.#session.writer.changed = true;
    work();
    await batches.commit();
  }

  #read(id: number): Person {
    const { writer, lookup, matcher } = this.#session;
    const row = writer.row('artist', id);
    const rows = this.#store.ofRecord(id);
    const statements = rows.map(
      ({ content }): Partial<FeedRecordContent<'artist'>> =>
        content === null ? {} : parseContent<'artist'>(content),
    );
    const names = new Set<string>();
    for (const { name, aliases, real_name } of [...statements, ...(row === undefined ? [] : [rowNames(row)])])
      for (const one of [name, real_name, ...(aliases ?? [])])
        if (one != null && one !== removedArtistText) names.add(one);
    for (const one of lookup.inheritedNames(id)) names.add(one);
    const isShared = (name: string) =>
      lookup.byName('artist', fold(name)).some((one) => one.id !== id && one.is_alias === 0);
    return {
      id,
      name: row?.name ?? '',
      slug: row?.slug ?? '',
      names: [...names].filter((name) => !isShared(name)),
      slugs: this.#store.slugsOf(id),
      serviceIds: [
        ...rows.flatMap(({ source, external_id: externalId }, at) =>
          idsOf({ source, externalId }, statements[at] ?? {}),
        ),
        ...matcher.entities.candidates.idsOf('artist', id),
      ],
      rows,
    };
  }

  #addDigests({ id, names, serviceIds, rows }: Person): void {
    const { lookup, now } = this.#session;
    const { forgotten } = lookup;
    for (const name of names) forgotten.addName('artist', id, name, now);
    for (const [service, value] of serviceIds) forgotten.addServiceId('artist', id, service, value, now);
    for (const { source, external_id } of rows) forgotten.addSourceId('artist', id, source, external_id, now);
    this.#store.noteTraces();
  }

  /** The scrubber of imports after this work, whose choice of the name is not in the file yet. */
  #scrubber({ id, name }: Person): StatementScrubber {
    const { forgotten, removed } = this.#session.lookup;
    return new StatementScrubber(forgotten, (record) => {
      if (record === id) return this.#choice === 'keep' ? name : null;
      if (removed.isForgotten(record)) return null;
      return this.#session.writer.row('artist', record)?.name ?? null;
    });
  }

  /** Takes the artist out of the source records of all other records. */
  async #scrubOthers(batches: WriteBatches, person: Person): Promise<void> {
    const { matcher, lookup } = this.#session;
    const scrubber = this.#scrubber(person);
    const referrers = [
      ...matcher.merger.store.dependents('artist', person.id),
      ...this.#store.referrers(person.id),
    ];
    for (const id of referrers) {
      this.#touched.add(id);
      await this.#scrubAll(batches, scrubber, this.#store.ofRecord(id));
    }
    const texts = person.names
      .filter(
        (name) => name.length >= minScannedLength && (this.#choice === 'remove' || name !== person.name),
      )
      .flatMap((name) => [name, slugOf(name, 'artist')])
      .map((name) => name.split(/[^\p{L}\p{N}]+/u).filter(Boolean));
    const ids = person.rows.map(({ external_id }) => `"external_id":${JSON.stringify(external_id)}`);
    for (const rows of this.#store.scan([...texts, ...ids.map((id) => [id])])) {
      const others = rows.filter(
        (row) => row.record_id !== person.id && lookup.kindOf(row.record_id) === row.kind,
      );
      await this.#scrubAll(batches, scrubber, others);
      await nextTurn();
    }
  }

  /** Deletes names that other records inherited from merged ones. */
  async #scrubInherited(batches: WriteBatches, person: Person): Promise<void> {
    const { lookup } = this.#session;
    const scrubber = this.#scrubber(person);
    for (const { record_id: id, name, merged_slug } of this.#store.inheritedNames()) {
      if (id === person.id || (scrubber.scrubText(name, 2) === name && !scrubber.isNamedIn(merged_slug)))
        continue;
      await batches.beginWhenFree();
      this.#store.deleteInheritedName(id, name);
      this.#markChanged(lookup.kindOf(id) as FeedKind, id);
      if (batches.isDue()) await batches.commit();
    }
    await batches.commit();
  }

  /** Marks a record that names the artist, and those that show it, to be computed again. */
  #markChanged(kind: FeedKind, id: number): void {
    const { writer, matcher } = this.#session;
    this.#touched.add(id);
    for (const one of [id, ...matcher.merger.store.dependents(kind, id)]) {
      writer.evictRow(one);
      writer.markStale(one);
    }
    writer.changed = true;
  }

  async #scrubAll(
    batches: WriteBatches,
    scrubber: StatementScrubber,
    rows: readonly StoredContent[],
  ): Promise<void> {
    for (const row of rows) {
      if (row.content === null) continue;
      const line = {
        kind: row.kind,
        externalId: row.external_id,
        statement: parseContent(row.content),
        slug: null,
      };
      const scrubbed = scrubber.scrub(line, row.source) as ParsedRecord;
      // A source record about the artist itself that another record has stays with that one.
      if (scrubbed === line || scrubbed.boundTo !== undefined) continue;
      await batches.beginWhenFree();
      batches.noteWrite(`${row.kind} ${row.record_id}`);
      this.#replace(row, JSON.stringify(scrubbed.statement));
      if (batches.isDue()) await batches.commit();
    }
    await batches.commit();
  }

  #replace(row: StoredContent, content: string): void {
    const { matcher, writer } = this.#session;
    const source = { id: row.source_id, name: row.source, clock: row.clock };
    matcher.unindexSourceRecord(row.kind, row.record_id, source, row.external_id, row.content);
    this.#store.replaceContent(row.rowid, row.external_id, content);
    matcher.indexSourceRecord(row.kind, row.record_id, source, row.external_id, parseContent(content));
    matcher.store.removePossibleMatches(row.kind, row.source, row.external_id);
    writer.markStale(row.record_id);
    writer.changed = true;
    this.#touched.add(row.record_id);
  }

  /** Takes the names out of the addresses of records. */
  async #renameSlugs(batches: WriteBatches, traces: ForgetTraces, person: Person): Promise<void> {
    const { lookup } = this.#session;
    const recordIds = this.#store.withSlugs(traces.namedSlugs).filter((id) => id !== person.id);
    for (const id of new Set([...this.#touched, ...recordIds])) {
      const kind = lookup.kindOf(id) as FeedKind | null;
      if (kind === null || id === person.id) continue;
      // The slug of another artist names that one.
      const terms = traces.slugTerms.filter(
        ({ text }) => kind !== 'artist' || traces.namedSlugs.includes(text),
      );
      await batches.beginWhenFree();
      for (const { text, replacement } of terms)
        if (this.#store.renameSlug(kind, id, text, replacement)) this.#markChanged(kind, id);
      if (batches.isDue()) await batches.commit();
    }
    await batches.commit();
    lookup.removed.reload();
  }

  #eraseRecord(person: Person): void {
    const { id, rows, serviceIds } = person;
    const { matcher, lookup } = this.#session;
    const scrubber = this.#scrubber(person);
    for (const [service, value] of serviceIds) matcher.store.removeExternalId('artist', service, value, id);
    for (const row of rows) {
      matcher.store.removePossibleMatches('artist', row.source, row.external_id);
      matcher.store.setUncomparedCount('artist', row.source, row.external_id, 0);
      const to = lookup.forgotten.replacedId('artist', row.source, row.external_id);
      this.#store.replaceIdentity('artist', { source: row.source, from: row.external_id, to });
      this.#store.replaceContent(row.rowid, to, scrubOwn(scrubber, row));
    }
    const slugs = this.#store.slugsOf(id);
    this.#store.eraseNames(
      'artist',
      id,
      this.#choice === 'keep' ? slugs.filter((one) => one !== person.slug) : slugs,
    );
    if (this.#choice === 'keep') this.#keepName(person);
    else this.#removeName(person);
  }

  #keepName({ id, name, slug }: Person): void {
    const { writer, names, lookup, now, sources } = this.#session;
    const { removed } = lookup;
    this.#store.eraseSlugs('artist', id, slug);
    const hidden = removed.find(id);
    const row: RecordRow = { ...defaultRows.artist, name, folded: fold(name) };
    if (hidden !== null) {
      const saved = { ...hidden.saved, row: { ...row, id, slug, updated_ts: now } };
      removed.save({ ...hidden, saved, reason: null });
      return;
    }
    writer.save('artist', id, row, () => [], now);
    names.write('artist', id, name, [], { prominence: names.prominence('artist', id) });
    if (sources.statementsOf(id).length > 0) this.#session.rebuild('artist', id);
    else saveArtistGenres(this.#session, id, []);
    this.#session.resolver.clearCache();
  }

  #removeName({ id }: Person): void {
    const { writer, remover, lookup, now } = this.#session;
    const { removed } = lookup;
    if (!removed.has(id)) {
      writer.recordRemoval('artist', id, 'deleted', null, now);
      remover.takeAway('artist', id);
    }
    this.#store.eraseSlugs('artist', id, null);
    removed.save({
      id,
      kind: 'artist',
      state: 'forgotten',
      slug: '',
      name: '',
      saved: { row: null, parent: null },
      reason: null,
      removedBy: this.#by,
      removedTs: now,
    });
    remover.block('artist', id);
    this.#session.resolver.clearCache();
    lookup.onNamesChanged(null);
  }

  /** Deletes former versions of lists, and the words of deleted names in the search index. */
  async #eraseLists(batches: WriteBatches): Promise<void> {
    for (const id of this.#touched) {
      await batches.beginWhenFree();
      this.#store.eraseListHistory(id);
      if (batches.isDue()) await batches.commit();
    }
    await batches.commit();
    for (let isFirst = true, more = true; more; isFirst = false) {
      await batches.beginWhenFree();
      more = this.#session.names.mergeSegments(isFirst);
      if (!more || batches.isDue()) await batches.commit();
      await nextTurn();
    }
  }
}

const rowNames = (row: RowOf<'artist'>): Partial<FeedRecordContent<'artist'>> => ({
  name: row.name,
  real_name: row.real_name,
  aliases: parseAliases(row.aliases),
});

/** The content of a source record of the artist itself; null if its source only refers to the artist. */
function scrubOwn(
  scrubber: StatementScrubber,
  { content, external_id, source }: StoredContent,
): string | null {
  if (content === null) return null;
  const statement = parseContent(content);
  const line = { kind: 'artist' as const, externalId: external_id, statement, slug: null };
  return JSON.stringify((scrubber.scrub(line, source) as ParsedRecord).statement);
}
