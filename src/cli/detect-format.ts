/** What a file is by its beginning, for whoever imports it as something else. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';

/** In words, and the type of source that reads it; null where none does. */
export type DetectedFormat = { label: string; type: string | null; isEmpty?: boolean };

/** So much of a file tells what it is. */
export const maxHeadBytes = 65_536;

/** In this order: the first that fits counts. */
const formats: readonly (readonly [what: string, type: string | null, pattern: RegExp])[] = [
  ['a calendar', 'ical', /^BEGIN:\s?VCALENDAR/im],
  ['a sitemap', 'jsonld', /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/],
  ['an RSS or Atom feed', 'podcast', /<(?:rss|rdf:RDF|feed)[\s>]/],
  ['a Discogs dump', 'discogs', /^(?:<\?xml[^>]{0,200}>)?\s{0,9}<(?:artists|labels)>/],
  ['an HTML page', 'jsonld', /<!doctype html|<html[\s>]|<head[\s>]|<body[\s>]/i],
  ['XML', null, /^\s{0,9}<\?xml/],
  ['lines of a feed', 'feed', /^\s{0,9}\{[^\n]{0,2000}"kind"\s?:/],
  ['JSON-LD', 'jsonld', /^\s{0,9}[[{][\s\S]{0,2000}"@(?:context|type|graph)"/],
  [
    'a Ticketmaster response',
    'ticketmaster',
    /^\s{0,9}[[{][\s\S]{0,2000}"(?:_embedded|_links|totalElements)"/,
  ],
  ['MusicBrainz JSON', 'musicbrainz', /^\s{0,9}[[{][\s\S]{0,2000}"(?:sort-name|type-id|life-span)"/],
  ['a JSON array. Write each record on its own line', null, /^\s{0,9}\[/],
  ['JSON with line breaks. Write each record on one line', null, /^\s{0,9}\{/],
  ['a CSV table. Write each row as a JSON object on its own line', null, /^[^\n<,;\t]{0,100}[,;\t]/],
  ['a zip archive', null, /^PK[^\w\s]{2}/],
  ['an SQLite data file', null, /^SQLite format 3/],
  ['a PDF', null, /^%PDF/],
];

/** @param commonFields the first bytes of a file, gzipped or not; null where nothing is known of them */
export function detectFormat(head: Uint8Array | null): DetectedFormat | null {
  if (head === null) return null;
  const text = Buffer.from(decompressHead(head))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .slice(0, maxHeadBytes);
  if (text === '') return { label: 'an empty file', type: null, isEmpty: true };
  if (text.trim() === '') return { label: 'blank', type: null };
  const found = formats.find(([, , pattern]) => pattern.test(text));
  return found === undefined ? null : { label: found[0], type: found[1] };
}

function decompressHead(head: Uint8Array): Uint8Array {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * maxHeadBytes });
  } catch {
    return head;
  }
}

/** The first bytes of a file, or of the first file in a folder; null where they cannot be read. */
export function readHead(path: string): Uint8Array | null {
  try {
    const file = statSync(path).isDirectory()
      ? readdirSync(path, { withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
          .map(({ name }) => join(path, name))
          .sort()[0]
      : path;
    if (file === undefined || !statSync(file).isFile()) return null;
    const descriptor = openSync(file, 'r');
    try {
      const head = Buffer.alloc(maxHeadBytes);
      return head.subarray(0, readSync(descriptor, head, 0, maxHeadBytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

const importableTypes = 'feed, jsonld, ticketmaster, ical, podcast, musicbrainz and discogs';

/**
 * What to say of an import that found nothing.
 * @param name of what was read
 * @param type as which it was read
 */
export function nothingImportedMessage(name: string, type: string, looks: DetectedFormat | null): string {
  const nothing = `${name} contains no records of type ${type}`;
  if (looks === null) return `${nothing}. Supported types: ${importableTypes}.`;
  if (looks.type === type) return `${nothing}: it looks like ${looks.label} without entries.`;
  if (looks.type !== null) return `${nothing}: it looks like ${looks.label}. Try --type ${looks.type}.`;
  return `${nothing}: it is ${looks.label}. Supported types: ${importableTypes}.`;
}

/** What to add to a failure of an import; empty where the type fits, or nothing is known. */
export const formatHint = (type: string, looks: DetectedFormat | null): string =>
  looks === null || looks.type === null || looks.type === type
    ? ''
    : ` It looks like ${looks.label}: try --type ${looks.type}.`;
