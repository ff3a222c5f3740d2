/** Overwrites what the data file contains about a forgotten record, also in the tables of history. */
import type { FeedKind } from '../../contract/feed.ts';
import { writeSetting } from '../database.ts';
import { checksumOf, rowChecksum } from '../integrity/checksums.ts';
import { kindTables } from '../records/kind-tables.ts';
import { prepareValue, query, SqliteStore } from '../statement.ts';
import type { Row } from '../tables.ts';
import { sourceRecordCacheOf } from './source-record-cache.ts';

export type StoredContent = {
  rowid: number;
  source_id: number;
  source: string;
  clock: 'instant' | 'local';
  kind: FeedKind;
  external_id: string;
  record_id: number;
  content: string | null;
};

/** The setting of a file whose unused parts may contain forgotten data (`VACUUM` overwrites them). */
export const tracesSetting = 'forgotten_traces';

const contentChecksum = rowChecksum('source_records');
/** Source records that are searched for a name at once. */
const rowsPerScan = 2_000;
const columns = `r.rowid, r.source_id, s.name AS source, s.clock, r.kind, r.external_id, r.record_id, r.content
  FROM source_records r JOIN sources s ON s.id = r.source_id`;

/** The ids of an artist: its own, and those of the records that were merged into it and are none of their own now. */
const insideSql = `inside (id) AS (
  SELECT @id UNION SELECT c.record_id FROM inside i
    JOIN changes c ON c.merged_into_id = i.id AND c.change_type = 'merged'
    WHERE NOT EXISTS (SELECT 1 FROM artists a WHERE a.id = c.record_id))`;

const supersededRecord = `DELETE FROM source_records AS r WHERE r.rowid = ? AND EXISTS
  (SELECT 1 FROM source_records o WHERE o.source_id = r.source_id AND o.kind = r.kind AND o.external_id = ? AND o.rowid <> r.rowid)`;

/**
 * The statements of `forget` (docs/decisions/17-removals.md). Deleted bytes stay in the file unless `overwriteDeleted`
 * was called before, and in the log until `emptyLog`.
 */
export class ForgetStore extends SqliteStore {
  /** All source records of a record. */
  readonly ofRecord = this.selectAll<[record: number], StoredContent>(
    `SELECT ${columns} WHERE r.record_id = ?`,
  );
  /** Names that records inherited from others that were merged into them. */
  readonly inheritedNames = this.selectAll(() =>
    query.selectFrom('inherited_names').select(['record_id', 'name', 'merged_slug']),
  );
  /** All slugs that lead to a record. */
  readonly slugsOf = this.selectValues<[id: number], string>('SELECT slug FROM slugs WHERE record_id = ?');
  /** The records that name a removed record. */
  readonly referrers = this.selectValues<[removed: number], number>(
    'SELECT record_id FROM removed_references WHERE removed_id = ?',
  );

  #run(sql: string, ...values: (string | number | null | Record<string, string | number>)[]): number {
    return this.sqlite.prepare(sql).run(...values).changes;
  }

  /** Makes this connection overwrite what it deletes. */
  overwriteDeleted(): void {
    this.sqlite.pragma('secure_delete = ON');
  }

  /**
   * Searches all source records for texts, some per step.
   * @param texts parts of texts as in the JSON of the contents, in any case of ASCII letters; anything may be between parts
   */
  *scan(texts: readonly (readonly string[])[]): Generator<StoredContent[]> {
    if (texts.length === 0) return;
    const last = prepareValue<number | null>(this.sqlite, 'SELECT max(rowid) FROM source_records').one();
    const patterns = texts.map(
      (parts) =>
        `%${parts
          .join('\n')
          .replace(/[\\%_]/g, '\\$&')
          .replaceAll('\n', '%')}%`,
    );
    const test = texts.map(() => "r.content LIKE ? ESCAPE '\\'").join(' OR ');
    const page = this.sqlite.prepare(`SELECT ${columns} WHERE r.rowid > ? AND r.rowid <= ? AND (${test})`);
    for (let after = 0; after < (last ?? 0); after += rowsPerScan)
      yield page.all(after, after + rowsPerScan, ...patterns) as StoredContent[];
  }

  /**
   * Replaces the content and the external id of a source record. The time of its last change stays. Deletes it if the
   * source has listed that id since, under another forgotten name: a source says one thing about an id, the latest.
   */
  replaceContent(rowid: number, externalId: string, content: string | null): void {
    sourceRecordCacheOf(this.sqlite).clear();
    if (this.#run(supersededRecord, rowid, externalId) > 0) return;
    const row = this.sqlite
      .prepare('SELECT content_updated_ts, last_seen_run, withdrawn_ts FROM source_records WHERE rowid = ?')
      .get(rowid) as Pick<Row<'source_records'>, 'content_updated_ts' | 'last_seen_run' | 'withdrawn_ts'>;
    const checksum = contentChecksum({ ...row, content });
    this.#run(
      'UPDATE source_records SET external_id = ?, content = ?, checksum = ? WHERE rowid = ?',
      externalId,
      content,
      checksum,
      rowid,
    );
  }

  /** Replaces an external id in decisions of people and the block list, and deletes what else refers to it. */
  replaceIdentity(kind: FeedKind, { source, from, to }: { source: string; from: string; to: string }): void {
    for (const side of ['a', 'b'])
      this.#run(
        `UPDATE OR REPLACE match_decisions SET ${side}_external_id = ? WHERE kind = ? AND ${side}_source = ? AND ${side}_external_id = ?`,
        to,
        kind,
        source,
        from,
      );
    this.#run(
      'UPDATE OR REPLACE blocked_source_records SET external_id = ? WHERE kind = ? AND source = ? AND external_id = ?',
      to,
      kind,
      source,
      from,
    );
    this.#run(
      'DELETE FROM held_source_records WHERE kind = ? AND external_id = ? AND source_id = (SELECT id FROM sources WHERE name = ?)',
      kind,
      from,
      source,
    );
  }

  /** Deletes names, former sort keys, edits and the decisions about the slug of a record. */
  eraseNames(kind: FeedKind, id: number, slugs: readonly string[]): void {
    this.#run('DELETE FROM inherited_names WHERE record_id = ?', id);
    this.#run('DELETE FROM sort_key_history WHERE record_id = ?', id);
    this.#run('DELETE FROM edits WHERE record_id = ?', id);
    for (const slug of slugs)
      for (const side of ['a', 'b'])
        this.#run(
          `DELETE FROM match_decisions WHERE kind = ? AND ${side}_source = '' AND ${side}_external_id = ?`,
          kind,
          slug,
        );
  }

  deleteInheritedName(record: number, name: string): void {
    this.#run('DELETE FROM inherited_names WHERE record_id = ? AND name = ?', record, name);
  }

  /**
   * Deletes the slugs of a record but `keptSlug`, also in the change log: there those of its former ids, too, which it
   * had before it was merged into another record and left it again.
   */
  eraseSlugs(kind: FeedKind, id: number, keptSlug: string | null): void {
    this.#run('DELETE FROM slugs WHERE kind = ? AND record_id = ? AND slug IS NOT ?', kind, id, keptSlug);
    const rows = this.sqlite
      .prepare<unknown[], Row<'changes'>>(
        `WITH RECURSIVE ${insideSql}
         SELECT * FROM changes
         WHERE (merged_into_id = @id OR record_id IN inside) AND slug IS NOT NULL AND slug IS NOT @kept`,
      )
      .all({ id, kept: keptSlug });
    for (const row of rows) this.#setSlug(row, null);
  }

  /** Replaces the slug in an entry of the change log. */
  #setSlug(
    { revision, record_id, change_type, fields, merged_into_id }: Row<'changes'>,
    slug: string | null,
  ) {
    this.#run(
      'UPDATE changes SET slug = ?, checksum = ? WHERE revision = ? AND record_id = ? AND change_type = ?',
      slug,
      checksumOf(fields, slug, merged_into_id),
      revision,
      record_id,
      change_type,
    );
  }

  /** Replaces the subject and the details of the audit log about an artist and the records that were merged into it. */
  eraseAudit(id: number, subject: string): void {
    this.#run(
      `UPDATE audit_log SET details = '{"forgotten":true}', subject = @subject
       WHERE subject_kind = 'artist' AND record_id IN (WITH RECURSIVE ${insideSql} SELECT id FROM inside)`,
      { id, subject },
    );
  }

  /** Deletes the former versions of the nested lists and of the sort key of a record. */
  eraseListHistory(record: number): void {
    this.#run('DELETE FROM list_history WHERE record_id = ?', record);
    this.#run('DELETE FROM sort_key_history WHERE record_id = ?', record);
  }

  /** The records with a slug that contains one of these as words. */
  withSlugs(parts: readonly string[]): number[] {
    if (parts.length === 0) return [];
    const test = parts.map(() => "instr('-' || slug || '-', ?) > 0").join(' OR ');
    return prepareValue<number>(this.sqlite, `SELECT DISTINCT record_id FROM slugs WHERE ${test}`).all(
      ...parts.map((part) => `-${part}-`),
    );
  }

  /** Replaces words of a record's slug, and frees the present one. Removed records have a slug too. */
  renameSlug(kind: FeedKind, id: number, part: string, replacement: string): boolean {
    const { table } = kindTables[kind];
    this.#run(
      `DELETE FROM slugs WHERE kind = ? AND record_id = ? AND instr('-' || slug || '-', ?) > 0
         AND slug IS NOT (SELECT slug FROM ${table} WHERE id = slugs.record_id)
         AND slug IS NOT (SELECT slug FROM removed_records WHERE record_id = slugs.record_id)`,
      kind,
      id,
      `-${part}-`,
    );
    const one = (sql: string) => prepareValue<string>(this.sqlite, sql).get(id);
    const shownSlug = one(`SELECT slug FROM ${table} WHERE id = ?`);
    const slug = shownSlug ?? one('SELECT slug FROM removed_records WHERE record_id = ?');
    if (slug === undefined) return false;
    const stem = `-${slug}-`.replaceAll(`-${part}-`, `-${replacement}-`).slice(1, -1);
    if (stem === slug) return false;
    const isTaken = this.sqlite.prepare('SELECT 1 FROM slugs WHERE kind = ? AND slug = ?');
    let to = stem;
    for (let number = 2; isTaken.get(kind, to) !== undefined; number++) to = `${stem}-${number}`;
    this.#run('DELETE FROM slugs WHERE kind = ? AND record_id = ? AND slug = ?', kind, id, slug);
    this.#run('INSERT INTO slugs (kind, slug, record_id) VALUES (?, ?, ?)', kind, to, id);
    if (shownSlug === undefined)
      this.#run(
        `UPDATE removed_records SET slug = ?, saved = CASE WHEN json_type(saved, '$.row') = 'object'
           THEN json_set(saved, '$.row.slug', ?) ELSE saved END WHERE record_id = ?`,
        to,
        to,
        id,
      );
    else this.#run(`UPDATE ${table} SET slug = ? WHERE id = ?`, to, id);
    this.#run('UPDATE audit_log SET subject = ? WHERE record_id = ? AND subject = ?', to, id, slug);
    for (const side of ['a', 'b'])
      this.#run(
        `UPDATE OR REPLACE match_decisions SET ${side}_external_id = ? WHERE kind = ? AND ${side}_source = '' AND ${side}_external_id = ?`,
        to,
        kind,
        slug,
      );
    const changes = this.sqlite
      .prepare<[number, string], Row<'changes'>>('SELECT * FROM changes WHERE record_id = ? AND slug = ?')
      .all(id, slug);
    for (const row of changes) this.#setSlug(row, to);
    return true;
  }

  /** Notes that unused parts of the file may contain forgotten data. */
  noteTraces(): void {
    writeSetting(this.sqlite, tracesSetting, '1');
  }

  /** Rewrites the file, which leaves nothing in unused parts, and empties the log. No other process may use it. */
  rewriteFile(): void {
    this.sqlite.exec('VACUUM');
    this.#run('DELETE FROM settings WHERE key = ?', tracesSetting);
    this.emptyLog();
  }

  /** Copies the log into the file and empties it, as far as other processes allow. */
  emptyLog(): boolean {
    const [result] = this.sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return result?.busy === 0;
  }
}
