/**
 * What turns one kind of source into feed records (docs/spec/imports.md#sources). An adapter knows what its format means and nothing
 * of files, networks or the catalogue: it is given a way to open things, and yields records one by one.
 */
import type { z } from 'zod';
import type { FeedKind, feedRecordSchemas } from '../contract/feed.ts';
import type { RecordKey } from './common/input-items.ts';

/** The types of source (docs/spec/imports.md#sources), in the order in which they are told. */
export const sourceTypes = [
  'feed',
  'jsonld',
  'ticketmaster',
  'ical',
  'podcast',
  'musicbrainz',
  'discogs',
] as const;
export type SourceType = (typeof sourceTypes)[number];

/** Names of the settings (`--option name=value`) that each type accepts. Its adapter documents them. */
export const adapterOptions: Readonly<Record<SourceType, readonly string[]>> = {
  feed: [],
  jsonld: ['pages', 'match', 'pause', 'timezone', 'venue', 'city', 'country'],
  ticketmaster: ['apikey', 'country', 'locale', 'horizon', 'segment'],
  ical: ['timezone', 'venue', 'city', 'country', 'horizon'],
  podcast: [],
  musicbrainz: ['genres'],
  discogs: [],
};

/** Something opened: bytes as they are after gunzip and content encoding. The body is read once, or left. */
export type OpenedResource = {
  /** Where it was found in the end, after redirections; of a file its path. */
  url: string;
  /** The media type with its parameters, where the other side said one. */
  contentType: string | null;
  body: AsyncIterable<Uint8Array>;
  /** Called once the body was read: it has to be read again next time, changed or not. */
  clearValidator?: () => void;
};

export type OpenResourceOptions = {
  accept?: string;
  /** More than this (after unpacking) is a `Failure`, thrown where the body is read. */
  maxBytes?: number;
  /** Ask only for what changed since the last finished run (ETag, Last-Modified); `open` gives null where nothing did. */
  conditional?: boolean;
  /** Asked for whole, changed or not; what it says of its state is remembered all the same. Only with `conditional`. */
  ignoreValidator?: boolean;
  /** What else the reading depends on, such as a horizon's month: under another variant nothing counts as unchanged. */
  variant?: string;
  headers?: Readonly<Record<string, string>>;
  /** Values that must not appear in a message, such as a key in the address. */
  secrets?: readonly string[];
  /** What the body of an answer that is an error says; null where it says nothing. */
  describeErrorBody?: (body: string) => string | null;
};

export type AdapterContext = {
  /** Where the source begins: a path (a file or a folder), `-`, or an address. */
  readonly location: string;
  /**
   * Opens a file, or an address through the guarded fetch with its caps and retries. Only a source that begins in a
   * file may open files; what a folder holds, `list` tells.
   * @throws Failure with one line that says what is wrong
   */
  open(location: string, options?: OpenResourceOptions): Promise<OpenedResource | null>;
  /** The pages that the last finished run read, or knew to be as they were; none where there was no such run. */
  previousPages?(): readonly string[];
  /** The files of a folder in the order of their names; of anything else, itself. */
  list(location: string): Promise<string[]>;
  /** ms since 1970. */
  readonly now: number;
  /**
   * What the source lists no longer will be withdrawn: where it consists of several parts, all of them have to be read
   * again, unchanged or not.
   */
  readonly complete: boolean;
  /** An item that could not be taken, and why; it goes to the report. */
  reject(where: string, reason: string, subject?: RecordKey): void;
  /** An item that is nothing for the catalogue, and why: what the source says is right, and nobody has to mend it. */
  skip?(where: string, reason: string): void;
  /** Where the next record stands, for what is told of it; else its id has to do. */
  setRecordLocation?(where: string): void;
  /** The settings of the source: an api key, a country, a horizon in days. */
  readonly options: Readonly<Record<string, string>>;
  /** Aborted where the run is to end early. */
  readonly signal?: AbortSignal;
};

/** A line of a feed, as it is before it is checked: what an adapter makes. */
export type FeedRecord = {
  [K in FeedKind]: { kind: K; external_id: string } & z.input<(typeof feedRecordSchemas)[K]>;
}[FeedKind];
export type RecordOf<K extends FeedKind> = Extract<FeedRecord, { kind: K }>;

/** A record, or why an item of the source has none; the reason goes to the report of the run. */
export type RecordResult<R extends FeedRecord = FeedRecord> = { record: R } | { rejected: string };

/**
 * How a reading ended: `whole` (all that the source lists was seen), `unchanged` (nothing since the last run), `partial`
 * (what was yielded is good, but there is more than was read; `reason` says why). Only `whole` may withdraw.
 */
export type ReadOutcome = { ended: 'whole' } | { ended: 'unchanged' } | { ended: 'partial'; reason: string };

export type Adapter = {
  /**
   * Reads a source to its end, one record at a time, in memory that does not grow with the source.
   * @returns how it ended; nothing means `whole`
   * @throws Failure where the source cannot be read; what was yielded until then stays good
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a generator that ends without a word returns void
  read(context: AdapterContext): AsyncGenerator<FeedRecord, ReadOutcome | void>;
};
