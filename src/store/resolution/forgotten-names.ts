/**
 * Names and ids of forgotten people, as keyed digests (docs/decisions/17-removals.md). Imports compare what they
 * read with them. The key is in this file only, so a digest does not tell a name.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { FeedKind } from '../../contract/feed.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { isEmojiName, normalizeName } from '../../text/normalize.ts';
import { slugOf } from '../../text/slug.ts';
import { readInstanceSecret } from '../instance-secret.ts';
import { SqliteStore } from '../statement.ts';

/** The prefix of external ids that replace those of a forgotten record at its sources. */
const replacedIdPrefix = 'forgotten-';
const maxRememberedWords = 50_000;

const firstWord = (text: string): string => normalizeForSearch(text).split(' ', 1)[0] || fold(text);

/** Compares names and ids with the digests of forgotten records, all of which are in memory after the first look-up. */
export class ForgottenNames extends SqliteStore {
  #key: KeyObject | null = null;
  #records: Map<string, number> | null = null;
  #ids: Set<number> | null = null;
  #areFirstWordsKnown: boolean | null = null;
  readonly #beginnings = new Map<string, boolean>();
  readonly #insert = this.sqlite.prepare(
    'INSERT OR IGNORE INTO forgotten_names (digest, kind, record_id, created_ts) VALUES (?, ?, ?, ?)',
  );
  readonly #all = this.sqlite
    .prepare<unknown[], [string, number]>('SELECT digest, record_id FROM forgotten_names')
    .raw();

  /** Clears the cache. Call it after another process wrote, or after a rollback. */
  reload(): void {
    this.#records = null;
    this.#ids = null;
    this.#areFirstWordsKnown = null;
    this.#beginnings.clear();
  }

  get #byDigest(): Map<string, number> {
    this.#records ??= new Map(this.#all.all());
    return this.#records;
  }

  /** Whether the file has no forgotten record, so that names need no comparison. */
  get isEmpty(): boolean {
    return this.#byDigest.size === 0;
  }

  /** Whether a record was forgotten, also one that keeps its name. */
  has(record: number): boolean {
    this.#ids ??= new Set(this.#byDigest.values());
    return this.#ids.has(record);
  }

  /** The forgotten record with this name; null if there is none. */
  recordOfName(kind: FeedKind, name: string): number | null {
    return this.#byDigest.get(this.#nameDigest(kind, name)) ?? null;
  }

  /** The forgotten record with this id at a source. */
  recordOfSourceId(kind: FeedKind, source: string, externalId: string): number | null {
    return this.#byDigest.get(this.#sourceIdDigest(kind, source, externalId)) ?? null;
  }

  /** The forgotten record with this id at a service, such as `discogs`. */
  recordOfServiceId(kind: FeedKind, service: string, id: string): number | null {
    return this.#byDigest.get(this.#digest(kind, 'service', service, id)) ?? null;
  }

  /** The id that replaces the one of a forgotten record at a source. */
  replacedId(kind: FeedKind, source: string, externalId: string): string {
    if (externalId.startsWith(replacedIdPrefix)) return externalId;
    return replacedIdPrefix + this.#sourceIdDigest(kind, source, externalId);
  }

  /** Whether a forgotten name of several words may begin with this word: a quick test before names are looked up. */
  mayBegin(kind: FeedKind, word: string): boolean {
    this.#areFirstWordsKnown ??= this.#haveAllFirstWords(kind);
    if (!this.#areFirstWordsKnown) return true;
    const cached = this.#beginnings.get(word);
    if (cached !== undefined) return cached;
    if (this.#beginnings.size >= maxRememberedWords) this.#beginnings.clear();
    const may = this.#byDigest.has(this.#digest(kind, 'first word', firstWord(word)));
    this.#beginnings.set(word, may);
    return may;
  }

  /** Whether the first words of all names are known. Early builds of schema 8 stored the digests of whole names only. */
  #haveAllFirstWords(kind: FeedKind): boolean {
    const records = new Set(this.#byDigest.values());
    return [...records].every((record) => this.#byDigest.has(this.#firstWordsDigest(kind, record)));
  }

  /** Marks a record the first words of whose names are stored. */
  #firstWordsDigest(kind: FeedKind, record: number): string {
    return this.#digest(kind, 'first words', String(record));
  }

  /** The forgotten record whose name an address spells so, in letters and digits without anything between them. */
  recordOfSpelling(kind: FeedKind, letters: string): number | null {
    return this.#byDigest.get(this.#digest(kind, 'spelling', letters)) ?? null;
  }

  /** Adds the digests of a name: as a whole, of its first word, and as an address spells it. */
  addName(kind: FeedKind, record: number, name: string, now: number): void {
    this.#add(kind, record, this.#nameDigest(kind, name), now);
    this.#add(kind, record, this.#digest(kind, 'first word', firstWord(name)), now);
    this.#add(kind, record, this.#firstWordsDigest(kind, record), now);
    const words = slugOf(name, kind).split('-');
    if (words.length < 2) return;
    this.#add(kind, record, this.#digest(kind, 'spelling', words.join('')), now);
    this.#add(kind, record, this.#digest(kind, 'first word', words[0] as string), now);
  }

  addSourceId(kind: FeedKind, record: number, source: string, externalId: string, now: number): void {
    if (externalId.startsWith(replacedIdPrefix)) return;
    this.#add(kind, record, this.#sourceIdDigest(kind, source, externalId), now);
  }

  addServiceId(kind: FeedKind, record: number, service: string, id: string, now: number): void {
    this.#add(kind, record, this.#digest(kind, 'service', service, id), now);
  }

  #add(kind: FeedKind, record: number, digest: string, now: number): void {
    this.#insert.run(digest, kind, record, now);
    this.reload();
  }

  #nameDigest(kind: FeedKind, name: string): string {
    return this.#digest(
      kind,
      'name',
      isEmojiName(name) ? fold(normalizeName(name)) : normalizeForSearch(name) || fold(name),
    );
  }

  #sourceIdDigest(kind: FeedKind, source: string, externalId: string): string {
    return this.#digest(kind, 'source-id', source, externalId);
  }

  /** The digest of texts; each kind and purpose has its own. */
  #digest(...texts: string[]): string {
    this.#key ??= createSecretKey(Buffer.from(readInstanceSecret(this.sqlite), 'hex'));
    return createHmac('sha256', this.#key)
      .update(JSON.stringify(['forgotten', ...texts]))
      .digest('base64url');
  }
}
