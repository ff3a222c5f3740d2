/** The types of source, and the recognition of a format by its first characters for messages about a wrong type. */

/** The types of source (docs/spec/imports.md#sources), in the order of help and lists. */
export const sourceTypes = [
  'feed',
  'jsonld',
  'ticketmaster',
  'ical',
  'podcast',
  'musicbrainz',
  'discogs',
  'wordpress',
  'squarespace',
  'gancio',
  'mobilizon',
  'eventbrite',
  'tickettailor',
  'seatgeek',
  'csv',
  'openstreetmap',
  'wikidata',
] as const;
export type SourceType = (typeof sourceTypes)[number];

/** The types in words, for help: "feed, jsonld … or wikidata". */
export const sourceTypeList = `${sourceTypes.slice(0, -1).join(', ')} or ${sourceTypes.at(-1)}`;

/** Hosts of the services whose requests carry a key of the operator: the only ones that an editor may send it to. */
const keyHosts: Readonly<Partial<Record<string, string>>> = {
  eventbrite: 'www.eventbriteapi.com',
  seatgeek: 'api.seatgeek.com',
  ticketmaster: 'app.ticketmaster.com',
  tickettailor: 'api.tickettailor.com',
};

/** The host that gets the operator's key for this type of source; null for a type without a key. */
export const keyHostOf = (type: string): string | null =>
  Object.hasOwn(keyHosts, type) ? (keyHosts[type] ?? null) : null;

/** Whether an address is one of the service that the key of a type belongs to. */
export function isKeyHost(type: string, url: string): boolean {
  const host = keyHostOf(type);
  if (host === null || !URL.canParse(url)) return false;
  const { protocol, hostname, port } = new URL(url);
  return protocol === 'https:' && hostname === host && port === '';
}

/** A format in words, and the source type that reads it; null: no type reads it. */
export type DetectedFormat = { label: string; type: string | null; isEmpty?: boolean };

/** The first match wins. */
const formats: readonly (readonly [label: string, type: string | null, pattern: RegExp])[] = [
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
  ['a table (CSV)', 'csv', /^[^\n<,;\t]{0,100}[,;\t]/],
  ['a zip archive', null, /^PK[^\w\s]{2}/],
  ['an SQLite data file', null, /^SQLite format 3/],
  ['a PDF', null, /^%PDF/],
];

/**
 * Recognizes a format.
 * @param text the first characters of a file or response, unpacked
 */
export function formatOfText(text: string): DetectedFormat | null {
  const head = text.replace(/^\ufeff/, '');
  if (head === '') return { label: 'an empty file', type: null, isEmpty: true };
  if (head.trim() === '') return { label: 'blank', type: null };
  const [label, type = null] = formats.find(([, , pattern]) => pattern.test(head)) ?? [];
  return label === undefined ? null : { label, type };
}
