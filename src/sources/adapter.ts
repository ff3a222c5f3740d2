/**
 * Defines source adapters: they convert one type of source into feed records (docs/spec/imports.md#sources). An adapter
 * knows its format only. It opens files and addresses through its context and yields records one by one.
 */
import type { z } from 'zod';
import type { FeedKind, feedRecordSchemas } from '../contract/feed.ts';
import { type SourceType, sourceTypes } from '../contract/source-formats.ts';
import type { RecordKey } from './common/input-items.ts';

export { type SourceType, sourceTypes };

/** Options of the types that list events of places: values for events that state none, and the pause in ms. */
const placeOptions = ['timezone', 'venue', 'city', 'country', 'pause'] as const;

/** Names of the settings (`--option name=value`) that each type accepts. Its adapter documents them. */
export const adapterOptions: Readonly<Record<SourceType, readonly string[]>> = {
  feed: [],
  jsonld: ['pages', 'match', 'pause', 'timezone', 'venue', 'city', 'country'],
  ticketmaster: ['apikey', 'country', 'locale', 'horizon', 'segment'],
  ical: ['timezone', 'venue', 'city', 'country', 'horizon'],
  podcast: [],
  musicbrainz: ['genres'],
  discogs: [],
  wordpress: placeOptions,
  squarespace: placeOptions,
  gancio: placeOptions,
  mobilizon: placeOptions,
  eventbrite: ['apikey', ...placeOptions],
  tickettailor: ['apikey', ...placeOptions],
  seatgeek: ['apikey', ...placeOptions],
  csv: placeOptions.slice(0, -1),
  openstreetmap: ['city', 'country'],
  wikidata: [],
};

/** An opened file or response. Its bytes are unzipped and decoded. The body can be read once. */
export type OpenedResource = {
  /** The final address after redirects; the path of a file. */
  url: string;
  /** Media type with its parameters; null if unknown. */
  contentType: string | null;
  body: AsyncIterable<Uint8Array>;
  /** Makes the next run read the resource again, changed or not. Call it after the body was read. */
  clearValidator?: () => void;
};

export type OpenResourceOptions = {
  accept?: string;
  /** Max bytes after unpacking. Beyond it the body throws a `Failure`. */
  maxBytes?: number;
  /**
   * Sends a conditional request (ETag, Last-Modified). `open` returns null if nothing changed since the last
   * finished run.
   */
  conditional?: boolean;
  /** Requests the resource in full, but stores its validator. Only with `conditional`. */
  ignoreValidator?: boolean;
  /** What else the records depend on, such as the month of a horizon. Another variant never counts as unchanged. */
  variant?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sends this text in a POST. Not with `conditional`. */
  body?: string;
  /** Values to remove from messages, such as a key in the address. */
  secrets?: readonly string[];
  /** Extracts a message from the body of an error response; null without one. */
  describeErrorBody?: (body: string) => string | null;
};

export type AdapterContext = {
  /** Start of the source: a path (file or folder), `-` (standard input), or an address. */
  readonly location: string;
  /**
   * Opens a file, or an address through the guarded fetch with its limits and retries. Only a source that starts with a
   * file may open files. `list` returns the files of a folder.
   * @returns null if the resource is unchanged (`conditional`)
   * @throws Failure with one line that says what is wrong
   */
  open(location: string, options?: OpenResourceOptions): Promise<OpenedResource | null>;
  /** Pages that the last finished run read or found unchanged; empty without such a run. */
  previousPages?(): readonly string[];
  /** Returns the sorted files of a folder, or the location itself. */
  list(location: string): Promise<string[]>;
  /** ms since 1970. */
  readonly now: number;
  /**
   * Whether records that are no longer listed are withdrawn. A source of several parts must then read all parts,
   * unchanged or not.
   */
  readonly complete: boolean;
  /** Reports an item that cannot be imported. */
  reject(where: string, reason: string, subject?: RecordKey): void;
  /** Reports an item that is valid but not for the catalogue. It needs no fix. */
  skip?(where: string, reason: string): void;
  /** Reports a value or a column that is left out. The records that have it are imported. */
  note?(where: string, text: string): void;
  /** Sets where the next record was found, for reports. The default is its id. */
  setRecordLocation?(where: string): void;
  /** Whether the catalogue has a genre with this name or alias. Without it, no genre is known. */
  isGenre?(name: string): boolean;
  /** Whether a place of the world has this name, in a country if one is given. Without it, no place is known. */
  isCity?(name: string, country: string | null): boolean;
  /** Settings of the source: an API key, a country, a horizon in days. */
  readonly options: Readonly<Record<string, string>>;
  /** Aborted to end the run early. */
  readonly signal?: AbortSignal;
};

/** A feed record before validation: the output of an adapter. */
export type FeedRecord = {
  [K in FeedKind]: { kind: K; external_id: string } & z.input<(typeof feedRecordSchemas)[K]>;
}[FeedKind];
export type RecordOf<K extends FeedKind> = Extract<FeedRecord, { kind: K }>;

/** A record, or why an item of the source has none; the reason goes to the report of the run. */
export type RecordResult<R extends FeedRecord = FeedRecord> = { record: R } | { rejected: string };

/**
 * How a source was read. `whole`: completely; `unchanged`: nothing changed since the last run; `partial`: the yielded
 * records are valid, but there are more (`reason` says why). Records are withdrawn only after `whole`.
 */
export type ReadOutcome = { ended: 'whole' } | { ended: 'unchanged' } | { ended: 'partial'; reason: string };

export type Adapter = {
  /**
   * Reads a source, one record at a time, in constant memory.
   * @returns how it ended; undefined means `whole`
   * @throws Failure where the source cannot be read; records yielded before stay valid
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a generator without a return statement returns void
  read(context: AdapterContext): AsyncGenerator<FeedRecord, ReadOutcome | void>;
};
