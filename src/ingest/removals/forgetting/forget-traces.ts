/**
 * Overwrites what names a forgotten artist outside the source records: the audit log, reports of runs, records that wait
 * for approval, edits and saved rows of other records, and pairs of a review.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseEditValue } from '../../../store/edits.ts';
import type { StoredContent } from '../../../store/resolution/forget-store.ts';
import { parseSaved } from '../../../store/resolution/removed-records.ts';
import {
  type HeldText,
  isJsonColumn,
  type TraceColumn,
  TraceStore,
  type TraceText,
  traceColumns,
  withoutMatches,
} from '../../../store/resolution/trace-store.ts';
import { parseHeldContent } from '../../../store/schedule/held-records.ts';
import { fold } from '../../../text/fold.ts';
import { removedArtistText } from '../../../text/removed-artist.ts';
import { slugOf } from '../../../text/slug.ts';
import type { ParsedRecord } from '../../import/parse-record.ts';
import type { WriteBatches } from '../../write-lock/write-batches.ts';
import type { WriteSession } from '../../write-session.ts';
import { TraceScrubber, type TraceTerm } from './trace-scrubber.ts';

/** Whether the stage name stays, or line-ups omit the artist. */
export type NameChoice = 'keep' | 'remove';
/** What is known of a person, to be overwritten. */
export type Person = {
  id: number;
  name: string;
  slug: string;
  /** All names, without those that belong to another artist too. */
  names: string[];
  /** All slugs that lead to the record. */
  slugs: string[];
  /** [service, id] */
  serviceIds: [string, string][];
  rows: StoredContent[];
};

/** Shorter names and ids may mean anything, and are replaced only where an artist is named. */
const minDistinctLength = 5;
const removedSlug = 'removed-artist';
const removedId = 'removed';

/** Overwrites the traces of one person in transactions of milliseconds. */
export class ForgetTraces {
  readonly #session: WriteSession;
  readonly #store: TraceStore;
  readonly #person: Person;
  readonly #scrubber: TraceScrubber;
  /** Records that named the artist. */
  readonly #touched: ReadonlySet<number>;
  /** Parts of slugs that name the artist, and what replaces them. */
  readonly slugTerms: readonly TraceTerm[];
  /** Those of them that hardly mean anything else, in the slug of any record. */
  readonly namedSlugs: readonly string[];

  constructor(session: WriteSession, person: Person, choice: NameChoice, touched: ReadonlySet<number>) {
    this.#session = session;
    this.#store = new TraceStore(session.writer.sqlite);
    this.#person = person;
    this.#touched = touched;
    this.slugTerms = slugTermsOf(person, choice);
    const spelled = new Set(person.names.map((name) => slugOf(name, 'artist')));
    this.namedSlugs = this.slugTerms
      .filter(({ text, isDistinct }) => isDistinct && spelled.has(text))
      .map(({ text }) => text);
    const terms = [...nameTermsOf(person, choice), ...this.slugTerms, ...idTermsOf(person)];
    this.#scrubber = new TraceScrubber(terms, choice === 'remove' ? removedArtistText : null);
  }

  /** Overwrites everything, in transactions of milliseconds. It can be repeated. */
  async erase(batches: WriteBatches): Promise<void> {
    await this.#erasePairs(batches);
    await this.#eraseHeld(batches);
    await this.#eraseEdits(batches);
    for (const column of traceColumns) await this.#eraseColumn(batches, column);
    this.#session.lookup.removed.reload();
  }

  async #write(batches: WriteBatches, what: string, work: () => void): Promise<void> {
    await batches.beginWhenFree();
    batches.noteWrite(what);
    work();
    if (batches.isDue()) await batches.commit();
  }

  async #erasePairs(batches: WriteBatches): Promise<void> {
    const { rows, slugs } = this.#person;
    const keys = [
      ...rows.map(({ source, external_id }) => [source, external_id] as const),
      ...slugs.map((slug) => ['', slug] as const),
    ];
    for (const [source, id] of keys)
      await this.#write(batches, 'pairs of a forgotten artist', () => {
        this.#store.deletePostponed('artist', source, id);
        this.#store.deletePossible('artist', source, id);
      });
    await batches.commit();
  }

  async #eraseHeld(batches: WriteBatches): Promise<void> {
    for (const page of this.#store.held()) {
      for (const row of page) {
        const content = this.#scrubHeld(row);
        if (content === row.content) continue;
        await this.#write(batches, 'records that wait', () => this.#store.replaceHeld(row.rowid, content));
      }
      await batches.commit();
      await nextTurn();
    }
  }

  /** The content without the artist; null if it is about the artist. */
  #scrubHeld({ kind, external_id, source, content }: HeldText): string | null {
    const { slug = null, ...statement } = parseHeldContent(content);
    const line: ParsedRecord = { kind, externalId: external_id, statement, slug: null };
    const scrubbed = this.#session.scrubber().scrub(line, source) as ParsedRecord;
    if (scrubbed.boundTo !== undefined) return null;
    const isNaming = scrubbed !== line;
    const rest = slug === null ? {} : { slug };
    const text = isNaming ? JSON.stringify({ ...scrubbed.statement, ...rest }) : content;
    return this.#scrubber.json(text, isNaming);
  }

  async #eraseEdits(batches: WriteBatches): Promise<void> {
    const { writer, sources } = this.#session;
    for (const edit of this.#store.edits(this.#person.id)) {
      const before = { field: edit.field, value: parseEditValue(edit.value) };
      const isNaming = this.#touched.has(edit.record_id);
      const after = this.#scrubber.value(before, isNaming) as typeof before;
      if (after === before) continue;
      await this.#write(batches, 'edits', () => {
        this.#store.replaceEdit(edit, JSON.stringify(after.value));
        writer.markStale(edit.record_id);
        writer.changed = true;
      });
    }
    await batches.commit();
    sources.edits.clearCache();
  }

  async #eraseColumn(batches: WriteBatches, column: TraceColumn): Promise<void> {
    for (const page of this.#store.texts(column)) {
      for (const row of page) {
        if (row.record === this.#person.id) continue;
        const text = this.#scrubTrace(row);
        if (text === row.text) continue;
        await this.#write(batches, 'traces of a forgotten artist', () => this.#store.replace(row, text));
      }
      await batches.commit();
      await nextTurn();
    }
  }

  #scrubTrace({ column, record, text }: TraceText): string {
    const isNaming =
      (record !== null && this.#touched.has(record)) ||
      column === 'scheduleError' ||
      column === 'removedReason';
    if (!isJsonColumn(column)) return this.#scrubber.text(text, isNaming);
    const scrubbed = this.#scrubber.json(text, isNaming);
    if (scrubbed === text) return text;
    return column === 'removedSaved' ? withFoldedName(scrubbed) : withoutMatches(scrubbed);
  }
}

/** A saved row with the folded form of its present name. */
function withFoldedName(text: string): string {
  const saved = parseSaved(text);
  if (saved.row?.name !== undefined && 'folded' in saved.row) saved.row.folded = fold(saved.row.name);
  return JSON.stringify(saved);
}

const isDistinctName = (name: string): boolean =>
  name.length >= minDistinctLength && /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(name);

const nameTermsOf = ({ name: shown, names }: Person, choice: NameChoice): TraceTerm[] =>
  names
    .filter((name) => choice === 'remove' || name !== shown)
    .map((text) => ({
      text,
      replacement: choice === 'keep' ? shown : removedArtistText,
      isDistinct: isDistinctName(text),
    }));

function slugTermsOf({ slug, slugs, names }: Person, choice: NameChoice): TraceTerm[] {
  const spelled = names.map((name) => slugOf(name, 'artist'));
  return [...new Set([slug, ...slugs, ...spelled])]
    .filter((text) => text !== '' && text !== 'artist' && (choice === 'remove' || text !== slug))
    .map((text) => ({
      text,
      replacement: choice === 'keep' ? slug : removedSlug,
      isDistinct: text.length >= minDistinctLength && text.includes('-'),
    }))
    .sort((a, b) => b.text.length - a.text.length);
}

/** Ids at sources and services. An id of the service may also be the one of the source. */
const idTermsOf = ({ rows, serviceIds }: Person): TraceTerm[] =>
  [...new Set([...rows.map(({ external_id }) => external_id), ...serviceIds.map(([, id]) => id)])]
    .filter((id) => !id.startsWith('forgotten-'))
    .flatMap((text) => [
      { text: `artist:${text}`, replacement: `artist:${removedId}`, isDistinct: true },
      ...(text.length < minDistinctLength ? [] : [{ text, replacement: removedId, isDistinct: true }]),
    ]);
