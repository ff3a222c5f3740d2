/** Readers of texts: whatever is written, each ends soon and without an error. */
import { test } from 'node:test';
import { parseApiKey } from '../../src/access/api-key-format.ts';
import { splitHoliday, splitLikelyTime, splitTime } from '../../src/catalogue/dates/time-expressions.ts';
import { parseDate, parseInstant } from '../../src/contract/parameters.ts';
import { parsePlace } from '../../src/sources/address/place.ts';
import { htmlTitleToText, htmlToText, stripMarkup } from '../../src/sources/common/html.ts';
import { profileToText } from '../../src/sources/discogs/profile.ts';
import { toIanaZone } from '../../src/sources/ical/time-zones.ts';
import { festivalName } from '../../src/sources/musicbrainz/events.ts';
import { parseEpisodeTitle } from '../../src/sources/podcast/episode-title.ts';
import { parseTracklist } from '../../src/sources/podcast/tracklist/parse.ts';
import { parseDurationSeconds, parsePublished } from '../../src/sources/podcast/values.ts';
import { isNonArtistLine } from '../../src/text/lineup/non-artist.ts';
import { parseLineup, parseLineupEntry } from '../../src/text/lineup/parse.ts';
import { nameKey, nameSimilarity } from '../../src/text/name-similarity.ts';
import { normalizeText } from '../../src/text/normalize.ts';
import { parseTitle } from '../../src/text/title/parse.ts';
import { parseVenueName } from '../../src/text/venue-name.ts';
import { fuzz } from './fuzzer.ts';
import { mutated, pump } from './mutate.ts';

const megabyte = 1_000_000;
/** What the feed format lets a name have (src/contract/feed.ts). */
const name = 1_000;

const titles = [
  'Klubnacht: Ann b2b Bob (live), Cid & many more',
  'Fri 20.11.2026 – Winter Tour 2026 – Ann (DE) with Bob @ Tresor, Berlin [SOLD OUT]',
  'Ann – vox, double bass, Bob: modular synth & electronics',
  'Room 1: Ann 23:00-01:00, Bob 01:00–03:00 | Room 2: TBA, Special Guest',
  '10 Years of Night (with Ann, Bob + Cid) pt. 2 … hosted by Dora',
];
const places = [
  'Berghain, Am Wriezener Bahnhof, 10243 Berlin, Germany',
  'LGBTQ Center 114 Hunt Street, Durham, NC 27701, USA',
  'Paradiso (Weteringschans 6-8, Amsterdam)',
  'The Grey Eagle, 185 Clingman Ave. Asheville',
];
const notes = [
  'Tracklist:\n01. Ann - One (Bob Remix) [Label]\n02. Cid – Two\n03. ID - ID\n\nFollow: https://example.org',
  '<p>00:00 Ann - One</p><p>04:05 Bob &amp; Cid - “Two” (12:30)</p><ol><li>A / B</li></ol>',
];
const profiles = [
  'German DJ [a=Ann (2)] of [l=Label], [url=https://example.org]site[/url], [m12] and [r=34].',
];
const times = [
  'Fri, 20 Nov 2026 23:00:00 +0100',
  '2026-11-20T23:00:00+01:00',
  '2026-11-20',
  '1:02:03',
  'PT1H2M',
  '1h 30 min',
];
const asked = [
  'techno in Berlin on Friday night',
  'who plays between 3 and 5 December',
  'this weekend near Köln now?',
];
const keys = ['cb_live_abc123_0123456789abcdefghijklmnopqrstuvwxyzABCD'];

const readers: Record<string, [texts: readonly string[], longest: number, read: (text: string) => unknown]> =
  {
    'titles of events': [
      titles,
      megabyte,
      (text) => parseTitle(text, { venue: text.slice(5, 30), city: 'Berlin' }),
    ],
    'line-ups': [titles, megabyte, parseLineup],
    'entries of line-ups': [titles, megabyte, parseLineupEntry],
    'what is no act': [titles, name, isNonArtistLine],
    'letters of names': [titles, name, normalizeText],
    'keys of names': [titles, name, (text) => [nameKey(text), nameSimilarity(text, 'Ann')]],
    'names of venues': [[...places, ...titles], megabyte, (text) => parseVenueName(text, text.slice(-8))],
    addresses: [places, megabyte, (text) => parsePlace(text, { country: 'DE' })],
    'names of festivals': [['23. Wave-Gotik-Treffen', 'Rock am Ring 2002/03'], megabyte, festivalName],
    tracklists: [notes, megabyte, (text) => parseTracklist(text)],
    'show notes': [notes, megabyte, htmlToText],
    'titles of notes': [[...titles, ...notes], megabyte, htmlTitleToText],
    'titles of episodes': [
      ['Resident Radio 123 - Ann (live)', 'RR #12: Bob b2b Cid'],
      megabyte,
      (text) => parseEpisodeTitle(text, { podcast: text.slice(0, 900), isMusicShow: true }),
    ],
    'profiles of Discogs': [profiles, megabyte, profileToText],
    'marked-up texts': [notes, megabyte, stripMarkup],
    'dates and times': [
      times,
      megabyte,
      (text) => [parsePublished(text), parseDurationSeconds(text), parseDate(text), parseInstant(text)],
    ],
    'zones of calendars': [
      ['W. Europe Standard Time', '(UTC+01:00) Amsterdam, Berlin', '/x/Europe/Berlin'],
      megabyte,
      toIanaZone,
    ],
    'times in questions': [
      asked,
      200,
      (text) => [splitTime(text), splitLikelyTime(text), splitHoliday(text)],
    ],
    'API keys': [keys, megabyte, parseApiKey],
  };

for (const [reader, [texts, longest, read]] of Object.entries(readers))
  test(reader, (context) =>
    fuzz(context, {
      runs: 500,
      make(chance) {
        const text = chance.once(10) ? pump(chance, longest) : mutated(chance.of(texts), chance, longest);
        return text.slice(0, longest);
      },
      attempt: (text) => (read(text) === null ? 'rejected' : 'read'),
    }),
  );
