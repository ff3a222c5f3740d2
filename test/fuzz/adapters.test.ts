/**
 * Adapters of sources: recorded files with something changed, and small ones of our own. Each reading ends with records
 * or with a failure that is told, soon and in little memory.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { feedRecordHead, feedRecordSchemas } from '../../src/contract/feed.ts';
import { Failure } from '../../src/failure.ts';
import type { AdapterContext, SourceType } from '../../src/sources/adapter.ts';
import { adapters } from '../../src/sources/adapter-registry.ts';
import { makeOpener } from '../../src/sources/common/opener.ts';
import { limitBytes } from '../../src/sources/common/streams.ts';
import { type Chance, fuzz, type Outcome } from './fuzzer.ts';
import { mutated, mutatedValue } from './mutate.ts';

const recorded = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
/** Larger ones would take the time of many small ones. */
const largest = 60_000;
const megabyte = 1_000_000;

/** Recorded files of a folder; none where the folder is not here. */
function filesOf(folder: string, kind: RegExp): string[] {
  const path = `${recorded}${folder}/`;
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((file) => kind.test(file))
    .map((file) => {
      const bytes = readFileSync(path + file);
      return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    })
    .map((text) => text.slice(0, text.startsWith('{') || text.startsWith('[') ? text.length : largest))
    .filter((text) => text.length <= largest);
}

const event = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  name: 'Klubnacht: Ann b2b Bob',
  startDate: '2026-12-05T23:00:00+01:00',
  endDate: '2026-12-06',
  location: { '@type': 'Place', name: 'Tresor', address: 'Köpenicker Straße 70, 10179 Berlin, Germany' },
  performer: [
    { '@type': 'MusicGroup', name: 'Ann', sameAs: ['https://www.discogs.com/artist/1-Ann'] },
    'Bob',
  ],
  offers: { '@type': 'Offer', price: '15,00', priceCurrency: 'EUR', url: 'https://example.org/tickets' },
  superEvent: { '@type': 'Festival', name: 'Rock am Ring 2026' },
};
const microdata = `<base href="https://club.example/"><div itemscope itemtype="http://schema.org/MusicEvent" itemref="more">
  <a itemprop="url" href="/1"><span itemprop="name">Ann (live)</span></a><time itemprop="startDate" datetime="2026-12-05T23:00">5.12.</time>
  <div itemprop="location" itemscope itemtype="http://schema.org/Place"><b itemprop="name">Tresor</b>
  <p itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="addressLocality">Berlin</span>
  <meta itemprop="addressCountry" content="DE"></p></div></div><p id="more" itemprop="description">Doors 23:00</p>`;
const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:Own\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Ann\\, Bob b2b Cid\r\nDTSTART;TZID=Own:20261205T230000\r\nDURATION:PT5H\r\nRRULE:FREQ=WEEKLY;COUNT=5;BYDAY=FR,SA\r\nEXDATE;TZID=Own:20261212T230000\r\nLOCATION:Tresor\\, Köpenicker Str. 70\\, 10179 Berlin\r\nDESCRIPTION:Doors\r\n  23:00\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:1\r\nRECURRENCE-ID;TZID=Own:20261211T230000\r\nDTSTART;VALUE=DATE:20261212\r\nSUMMARY:Moved\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const show = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:psc="http://podlove.org/simple-chapters"><channel><title>Resident Radio</title><link>https://example.org/</link><description>Mixes</description><item><guid>e1</guid><title>Resident Radio 123 - Ann</title><pubDate>Fri, 20 Nov 2026 23:00:00 +0100</pubDate><itunes:duration>1:02:03</itunes:duration><enclosure url="https://example.org/e.mp3" type="audio/mpeg" length="1"/><description><![CDATA[<p>Tracklist</p><ol><li>Ann - One</li><li>Bob - Two [Label]</li><li>Cid - Three</li></ol>]]></description><psc:chapters version="1.2"><psc:chapter start="00:00:00" title="Ann - One"/><psc:chapter start="04:05.5" title="Bob - Two"/></psc:chapters></item></channel></rss>`;
const rows = {
  _embedded: {
    events: [
      {
        id: 'E1',
        name: 'Klubnacht',
        type: 'event',
        url: 'https://www.ticketmaster.de/event/E1',
        dates: {
          start: { localDate: '2026-12-05', localTime: '23:00:00', dateTime: '2026-12-05T22:00:00Z' },
          timezone: 'Europe/Berlin',
          status: { code: 'onsale' },
        },
        classifications: [
          {
            primary: true,
            segment: { name: 'Music' },
            genre: { id: 'KnvZfZ7vAvF', name: 'Dance/Electronic' },
          },
        ],
        priceRanges: [{ type: 'standard', currency: 'EUR', min: 10, max: 20 }],
        _embedded: {
          venues: [
            {
              id: 'V1',
              name: 'Tresor',
              city: { name: 'Berlin' },
              country: { countryCode: 'DE' },
              address: { line1: 'Köpenicker Straße 70' },
              location: { latitude: '52.51', longitude: '13.42' },
            },
          ],
          attractions: [
            {
              id: 'A1',
              name: 'Ann',
              classifications: [{ segment: { name: 'Music' } }],
              externalLinks: { homepage: [{ url: 'https://example.org' }] },
            },
          ],
        },
      },
    ],
  },
  page: { size: 20, totalElements: 1, totalPages: 1, number: 0 },
};
const entity = {
  id: '1b7ac7a9-9a3b-4f6b-9a7e-0a5d2f1a0001',
  name: 'Ann',
  'sort-name': 'Ann',
  type: 'Person',
  country: 'DE',
  area: { id: 'berlin', name: 'Berlin', type: 'City', 'iso-3166-2-codes': ['DE-BE'] },
  aliases: [{ name: 'Anna', locale: 'de' }],
  tags: [{ name: 'techno', count: 3 }],
  genres: [{ name: 'techno', count: 3 }],
  'life-span': { begin: '1980-01', end: null, ended: false },
  relations: [
    { 'target-type': 'url', type: 'discogs', url: { resource: 'https://www.discogs.com/artist/1' } },
  ],
};
const dump = `<?xml version="1.0"?><artists><artist><id>1</id><name>Ann (2)</name><realname>Anna A</realname><profile>DJ of [l=Label] &amp; [a=Bob], [url=https://example.org]site[/url].</profile><data_quality>Correct</data_quality><urls><url>https://example.org</url></urls><namevariations><name>An</name></namevariations><aliases><name id="3">Cid</name></aliases><groups><name id="4">Band</name></groups></artist><artist><id>3</id><name>Cid</name></artist></artists>`;
const lines = [
  {
    kind: 'artist',
    external_id: 'a1',
    name: 'Ann',
    country: 'DE',
    aliases: ['Anna'],
    links: [{ type: 'website', url: 'https://example.org' }],
  },
  {
    kind: 'venue',
    external_id: 'v1',
    name: 'Tresor',
    city: 'Berlin',
    country: 'DE',
    address: 'Köpenicker Straße 70',
    latitude: 52.5,
    longitude: 13.4,
  },
  {
    kind: 'event',
    external_id: 'e1',
    name: 'Klubnacht',
    start_at: '2026-12-05T23:00',
    venue: { external_id: 'v1', name: 'Tresor', city: 'Berlin', country: 'DE' },
    lineup: [{ name: 'Ann', billing: 'headline' }],
    tickets: [{ seller: 'x', url: 'https://example.org', price_min: 1, currency: 'EUR' }],
  },
].map((line) => JSON.stringify(line));

type Format = { file: string; texts: string[]; json?: boolean; options?: Record<string, string> };
const inPage = (value: unknown): string =>
  `<html><head><script type="application/ld+json">${JSON.stringify(value)}</script></head><body>Ann</body></html>`;
const formats: Record<string, [SourceType, Format]> = {
  'JSON-LD in pages': [
    'jsonld',
    { file: 'page.html', texts: [inPage(event), ...filesOf('jsonld', /\.html$/)] },
  ],
  'JSON-LD alone': [
    'jsonld',
    { file: 'event.json', json: true, texts: [JSON.stringify(event), ...filesOf('jsonld', /\.json$/)] },
  ],
  microdata: ['jsonld', { file: 'page.html', texts: [microdata] }],
  iCalendar: ['ical', { file: 'calendar.ics', texts: [calendar, ...filesOf('ical', /\.ics$/)] }],
  Ticketmaster: [
    'ticketmaster',
    {
      file: 'events.json',
      json: true,
      texts: [JSON.stringify(rows), ...filesOf('ticketmaster', /v2.*\.json$/)],
    },
  ],
  podcasts: ['podcast', { file: 'feed.xml', texts: [show, ...filesOf('rss', /\.(?:rss|atom)$/)] }],
  MusicBrainz: [
    'musicbrainz',
    {
      file: 'artist.json',
      json: true,
      texts: [JSON.stringify(entity), ...filesOf('musicbrainz', /\.json$/)],
      options: { artists: 'all', labels: 'all', places: 'all' },
    },
  ],
  Discogs: ['discogs', { file: 'dump.xml', texts: [dump, ...filesOf('discogs', /\.xml\.gz$/)] }],
  'the feed format': ['feed', { file: 'feed.ndjson', texts: [lines.join('\n')] }],
};

/** Reads a text as a source does; records that the feed format refuses are rejected lines. */
async function readAs(type: SourceType, { file, options = {} }: Format, text: string): Promise<Outcome> {
  const files = makeOpener({
    location: file,
    fetch: async () => Promise.reject(new Failure('no network here')),
  });
  let rejected = 0;
  const context: AdapterContext = {
    ...files,
    location: file,
    async open(address, opening) {
      if (address !== file) throw new Failure(`${address} is not there.`);
      const body = (async function* () {
        yield Buffer.from(text);
      })();
      return {
        url: address,
        contentType: null,
        body: limitBytes(body, opening?.maxBytes ?? 2 ** 40, address),
      };
    },
    list: async () => [file],
    now: Date.UTC(2026, 10, 20),
    complete: false,
    options,
    reject(where, reason) {
      rejected++;
      assert.ok(where !== '' && reason !== '', 'a rejection says where and why');
    },
  };
  let records = 0;
  try {
    for await (const record of adapters[type].read(context)) {
      records++;
      if (
        feedRecordHead.safeParse(record).success &&
        feedRecordSchemas[record.kind].safeParse(record).success
      )
        continue;
      rejected++;
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return 'rejected';
  }
  return records === 0 && rejected > 0 ? 'rejected' : 'read';
}

for (const [name, [type, format]] of Object.entries(formats))
  test(name, (context) =>
    fuzz(context, {
      runs: 400,
      make(chance: Chance) {
        const text = chance.of(format.texts);
        if (!format.json || chance.once(3)) return mutated(text, chance, megabyte);
        return JSON.stringify(mutatedValue(JSON.parse(text), chance, megabyte));
      },
      attempt: (text) => readAs(type, format, text),
    }),
  );
