/** The calendar adapter: zones under any name, rules with their exceptions, whole days, what broke; the recorded calendars. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import ICAL from 'ical.js';
import { Failure } from '../../src/failure.ts';
import { parsePlace } from '../../src/sources/address/place.ts';
import { eventsIn, fileWith, type ReadOptions, read, recorded, serve } from '../support/source-server.ts';

const vevent = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
const calendar = (...parts: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts, 'END:VCALENDAR', ''].join('\r\n');
const readText = (context: TestContext, text: string | Uint8Array, options: ReadOptions = {}) =>
  read('ical', fileWith(context, 'a.ics', text), options);
/** The events of a calendar with one VEVENT of these lines. */
const one = async (context: TestContext, lines: string[], ...before: string[]) =>
  eventsIn(await readText(context, calendar(...before, vevent('UID:u', 'SUMMARY:Night', ...lines))));

test('categories that are genres of the catalogue are genres of the event; others are ignored', async (context) => {
  const night = ['DTSTART:20261201T200000', 'CATEGORIES:Techno,Party', 'CATEGORIES: dub\\, deep ,Techno'];
  const text = calendar(vevent('UID:u', 'SUMMARY:Night', ...night));
  const isGenre = (name: string) => ['Techno', 'dub, deep'].includes(name);
  const [known] = eventsIn(await readText(context, text, { isGenre }));
  assert.deepEqual(known?.genres, ['Techno', 'dub, deep']);
  const [unknown] = eventsIn(await readText(context, text));
  assert.equal(unknown?.genres, undefined);
});

test('a calendar that writes city and venue into its titles has events with both', async (context) => {
  const titles = [
    'Ann + Bob, Madrid, Sala Sol',
    'Cid, Murcia, Mamba',
    'Ann + Cid, Villaverde (Madrid), Nave 1',
    'Dee + Eve, Madrid',
    'Residents',
  ];
  const entries = titles.map((title, at) =>
    vevent(`UID:${at}`, 'DTSTART;VALUE=DATE:20261205', `SUMMARY:${title.replaceAll(',', '\\,')}`),
  );
  const isCity = (name: string, country: string | null) =>
    ['Madrid', 'Murcia', 'Bob'].includes(name) && country === 'ES';
  const readAll = async (...parts: string[]) =>
    eventsIn(await readText(context, calendar('X-WR-TIMEZONE:Europe/Madrid', ...parts), { isCity }));
  assert.deepEqual(
    (await readAll(...entries)).map(({ venue, city, country }) => [venue?.name, city, country]),
    [
      ['Sala Sol', 'Madrid', 'ES'],
      ['Mamba', 'Murcia', 'ES'],
      ['Nave 1', 'Madrid', 'ES'],
      [undefined, 'Madrid', 'ES'],
      [undefined, undefined, undefined],
    ],
  );
  // One title proves nothing: a line-up may name an artist like a city.
  const [single] = await readAll(vevent('UID:1', 'DTSTART:20261205T200000', 'SUMMARY:Ann\\, Bob\\, Cid'));
  assert.deepEqual([single?.venue, single?.city], [undefined, undefined]);
});

/** A zone of one part, with a rule. */
const zoneOf = (id: string, start: string, rule: string): string =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:${id}`,
    'BEGIN:STANDARD',
    `DTSTART:${start}T000000`,
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    `RRULE:${rule}`,
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\r\n');

/** Counts the steps of the library through recurrence rules while a function runs. */
async function countSteps<T>(
  context: TestContext,
  run: () => Promise<T>,
): Promise<{ steps: number; result: T }> {
  const next = context.mock.method(ICAL.RecurIterator.prototype, 'next');
  const result = await run();
  const steps = next.mock.callCount();
  next.mock.restore();
  return { steps, result };
}

test('a series of overrides alone is read, and each is looked at a few times', async (context) => {
  const count = 300;
  const entries = Array.from({ length: count }, (_, at) => {
    const start = `20270101T${String(Math.floor(at / 60)).padStart(2, '0')}${String(at % 60).padStart(2, '0')}00Z`;
    return vevent('UID:u', `SUMMARY:Night ${at}`, `DTSTART:${start}`, `RECURRENCE-ID:${start}`);
  });
  const has = context.mock.method(Map.prototype, 'has');
  const reading = await readText(context, calendar(...entries));
  const looks = has.mock.calls.filter(({ arguments: [key] }) => key === 'recurrence-id').length;
  has.mock.restore();
  assert.equal(eventsIn(reading).length, count);
  assert.ok(looks <= 5 * count, `${looks} looks`);
});

test('values of an event beyond the limit are left out unread', async (context) => {
  const parse = context.mock.method(ICAL.parse, 'property');
  const exdate = 'EXDATE:20261202T200000Z';
  const event = vevent(
    'UID:u',
    'SUMMARY:Night',
    'DTSTART:20261201T200000Z',
    ...Array.from({ length: 20_000 }, () => exdate),
    'RRULE:FREQ=DAILY;COUNT=3',
  );
  const reading = await readText(context, calendar(event));
  const parsed = parse.mock.callCount();
  parse.mock.restore();
  assert.deepEqual(
    eventsIn(reading).map(({ start_at }) => start_at),
    ['2026-12-01T20:00:00Z', '2026-12-03T20:00:00Z'],
  );
  assert.ok(parsed < 6_000, `${parsed} lines`);
});

test('a zone whose clock changes often is not followed', async (context) => {
  const rules = [
    'FREQ=SECONDLY',
    'FREQ=DAILY',
    'FREQ=YEARLY;BYHOUR=1,2,3;BYSECOND=1,2,3',
    'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU',
    'FREQ=YEARLY;BYMONTH=1,2,3,4,5,6;BYDAY=MO,SU',
    'FREQ=YEARLY;BYMONTHDAY=1',
  ];
  for (const rule of rules) {
    const zone = zoneOf('Evil', '00010101', rule);
    const { steps, result } = await countSteps(context, () =>
      one(context, ['DTSTART;TZID=Evil:20261201T200000'], zone),
    );
    // Without an offset: nothing tells what its clock means.
    assert.equal(result[0]?.start_at, '2026-12-01T20:00:00');
    assert.equal(steps, 0, rule);
  }
});

test('the clock changes of a calendar are expanded once, and are limited', async (context) => {
  const rule = 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU';
  const ids = Array.from({ length: 1_000 }, (_, at) => `Zone ${at}`);
  const many = calendar(
    ...ids.map((id) => zoneOf(id, '00010101', rule)),
    ...ids.map((id) => vevent(`UID:${id}`, 'SUMMARY:Night', `DTSTART;TZID=${id}:20261201T200000`)),
  );
  const zones = await countSteps(context, () => readText(context, many));
  assert.equal(eventsIn(zones.result)[0]?.start_at, '2026-12-01T20:00:00+02:00');
  assert.equal(eventsIn(zones.result).at(-1)?.start_at, '2026-12-01T20:00:00');
  assert.ok(zones.steps <= 20_000, `${zones.steps} steps`);

  const years = Array.from({ length: 500 }, (_, at) => 2026 + 15 * at);
  const late = calendar(
    zoneOf('Own', '16010101', rule),
    ...years.map((year) => vevent(`UID:${year}`, 'SUMMARY:Night', `DTSTART;TZID=Own:${year}0601T200000`)),
  );
  const events = await countSteps(context, () => readText(context, late));
  assert.equal(eventsIn(events.result).length, years.length);
  assert.equal(eventsIn(events.result).at(-1)?.start_at, '9511-06-01T20:00:00+02:00');
  assert.ok(events.steps <= 300, `${events.steps} steps`);
});

test('rules of zones that began long ago have the offsets of both seasons', async (context) => {
  const part = (name: string, from: string, to: string, rule: string) =>
    [
      `BEGIN:${name}`,
      'DTSTART:16010101T030000',
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      rule,
      `END:${name}`,
    ].join('\r\n');
  const cases: [string, string][] = [
    ['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'],
    [
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      'RRULE:FREQ=YEARLY;BYDAY=SU;BYMONTH=3;BYSETPOS=-1',
    ],
    [
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=25,26,27,28,29,30,31;BYDAY=SU',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=25,26,27,28,29,30,31;BYDAY=SU',
    ],
  ];
  for (const [winter, summer] of cases) {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Customized',
      part('STANDARD', '+0200', '+0100', winter),
      part('DAYLIGHT', '+0100', '+0200', summer),
      'END:VTIMEZONE',
    ].join('\r\n');
    const text = calendar(
      zone,
      ...['19650701', '20260328', '20260330', '20261024', '20261026'].map((day) =>
        vevent(`UID:${day}`, 'SUMMARY:Night', `DTSTART;TZID=Customized:${day}T200000`),
      ),
    );
    assert.deepEqual(
      eventsIn(await readText(context, text)).map(({ start_at }) => start_at?.slice(19)),
      ['+02:00', '+01:00', '+02:00', '+02:00', '+01:00'],
      winter,
    );
  }
});

test('a zone is found under whatever name it goes by', async (context) => {
  const rules = [
    'BEGIN:VTIMEZONE',
    'TZID:Own',
    'BEGIN:STANDARD',
    'DTSTART:19701025T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:19700329T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ].join('\r\n');
  const cases: [string, string, string | undefined, string?][] = [
    ['DTSTART;TZID=Europe/Berlin:20261205T230000', '2026-12-05T23:00:00', 'Europe/Berlin'],
    ['DTSTART;TZID="W. Europe Standard Time":20261205T230000', '2026-12-05T23:00:00', 'Europe/Berlin'],
    [
      'DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261205T230000',
      '2026-12-05T23:00:00',
      'Europe/Berlin',
    ],
    [
      'DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rome":20261205T230000',
      '2026-12-05T23:00:00',
      'Europe/Amsterdam',
    ],
    [
      'DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20261205T230000',
      '2026-12-05T23:00:00',
      'America/New_York',
    ],
    ['DTSTART;TZID=Europe/Germany:20261205T230000', '2026-12-05T23:00:00', 'Europe/Berlin'],
    ['DTSTART;TZID=TZID=Europe/Berlin:20261205T230000', '2026-12-05T23:00:00', 'Europe/Berlin'],
    ['DTSTART;TZID=UTC+02:20261205T230000', '2026-12-05T23:00:00+02:00', undefined],
    ['DTSTART;TZID=Own:20261205T230000', '2026-12-05T23:00:00+01:00', undefined, rules],
    ['DTSTART;TZID=Own:20260705T230000', '2026-07-05T23:00:00+02:00', undefined, rules],
    ['DTSTART;TZID=Nowhere At All:20261205T230000', '2026-12-05T23:00:00', undefined],
    ['DTSTART:20261205T230000', '2026-12-05T23:00:00', undefined],
    ['DTSTART:20261205T230000', '2026-12-05T23:00:00', 'Europe/Paris', 'X-WR-TIMEZONE:Europe/Paris'],
    ['DTSTART:20261205T220000Z', '2026-12-05T22:00:00Z', 'Europe/Paris', 'X-WR-TIMEZONE:Europe/Paris'],
    ['DTSTART:20261205T220000Z', '2026-12-05T22:00:00Z', undefined, 'X-WR-TIMEZONE:UTC'],
  ];
  for (const [start, at, zone, before] of cases) {
    const [event] = await one(context, [start], ...(before ? [before] : []));
    assert.deepEqual([event?.start_at, event?.timezone], [at, zone], start);
  }
  const set = await readText(context, calendar(vevent('UID:u', 'SUMMARY:x', 'DTSTART:20261205T230000')), {
    options: { timezone: 'Asia/Tokyo' },
  });
  assert.equal(eventsIn(set)[0]?.timezone, 'Asia/Tokyo');
});

test('whole days, durations, ends', async (context) => {
  const cases: [string[], string, string | undefined][] = [
    [['DTSTART;VALUE=DATE:20261205', 'DTEND;VALUE=DATE:20261206'], '2026-12-05', undefined],
    [['DTSTART;VALUE=DATE:20261205', 'DTEND;VALUE=DATE:20261208'], '2026-12-05', '2026-12-07'],
    [['DTSTART;VALUE=DATE:20261205', 'DURATION:P2D'], '2026-12-05', '2026-12-06'],
    [['DTSTART:20261205T000000', 'DTEND:20261206T000000'], '2026-12-05', undefined],
    [['DTSTART:20261205T230000', 'DURATION:PT7H30M'], '2026-12-05T23:00:00', '2026-12-06T06:30:00'],
    [['DTSTART:20261205T230000', 'DTEND:20261205T220000'], '2026-12-05T23:00:00', undefined],
    [['DTSTART:20261205T230000', 'DURATION:-PT1H'], '2026-12-05T23:00:00', undefined],
    [['DTSTART;VALUE=DATE:20261205T230000'], '2026-12-05T23:00:00', undefined],
    [
      ['DTSTART;TZID=Europe/Berlin:20261205T230000', 'DTEND;TZID=Europe/London:20261206T050000'],
      '2026-12-05T23:00:00',
      '2026-12-06T06:00:00',
    ],
  ];
  for (const [lines, start, end] of cases) {
    const [event] = await one(context, lines);
    assert.deepEqual([event?.start_at, event?.end_at], [start, end], lines.join(' '));
  }
});

test('a repeating event is one record a night, with the exceptions of single nights', async (context) => {
  const zone = ';TZID=Europe/Berlin';
  const text = calendar(
    vevent(
      'UID:w',
      `DTSTART${zone}:20261101T220000`,
      `DTEND${zone}:20261102T040000`,
      'SUMMARY:Weekly',
      'RRULE:FREQ=WEEKLY;UNTIL=20261206T210000Z',
      `EXDATE${zone}:20261108T220000`,
      `RDATE${zone}:20261231T220000`,
    ),
    vevent(
      'UID:w',
      `RECURRENCE-ID${zone}:20261115T220000`,
      `DTSTART${zone}:20261116T210000`,
      'SUMMARY:Weekly, a day late',
    ),
    vevent(
      'UID:w',
      'RECURRENCE-ID:20261122T210000Z',
      `DTSTART${zone}:20261122T220000`,
      'SUMMARY:Weekly',
      'STATUS:CANCELLED',
    ),
  );
  const nights = eventsIn(await readText(context, text)).map(({ external_id, name, start_at, status }) => [
    external_id,
    name,
    start_at,
    status ?? null,
  ]);
  assert.deepEqual(nights.sort(), [
    ['w/2026-11-01', 'Weekly', '2026-11-01T22:00:00', null],
    ['w/2026-11-15', 'Weekly, a day late', '2026-11-16T21:00:00', null],
    ['w/2026-11-22', 'Weekly', '2026-11-22T22:00:00', 'cancelled'],
    ['w/2026-11-29', 'Weekly', '2026-11-29T22:00:00', null],
    ['w/2026-12-06', 'Weekly', '2026-12-06T22:00:00', null],
    ['w/2026-12-31', 'Weekly', '2026-12-31T22:00:00', null],
  ]);
});

test('a rule without end is listed from at least 30 days ago to at least its horizon', async (context) => {
  const lines = ['DTSTART;TZID=Europe/Berlin:20190101T230000', 'RRULE:FREQ=DAILY'];
  const year = await one(context, lines);
  assert.deepEqual(
    [year[0]?.start_at, year.at(-1)?.start_at],
    ['2026-10-04T23:00:00', '2027-12-03T23:00:00'],
  );
  const text = calendar(vevent('UID:u', 'SUMMARY:x', ...lines));
  assert.equal(
    eventsIn(await readText(context, text, { options: { horizon: '7' } })).at(-1)?.start_at,
    '2026-11-27T23:00:00',
  );
});

test('rules that make no sense, or too much, cost their own event alone', {
  timeout: 60_000,
}, async (context) => {
  for (const rule of [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=WEEKLY;INTERVAL=100000000',
    'FREQ=SECONDLY',
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=WEEKLY;BYMONTH=13',
    'nonsense',
    'FREQ=YEARLY;BYMONTH=4;BYDAY=1MO;BYMONTHDAY=15',
  ]) {
    const text = calendar(
      vevent('UID:bad', 'SUMMARY:x', 'DTSTART:20260101T100000', `RRULE:${rule}`),
      vevent('UID:good', 'SUMMARY:Good', 'DTSTART:20261205T230000'),
    );
    const reading = await readText(context, text);
    assert.equal(eventsIn(reading).filter(({ external_id }) => external_id === 'good').length, 1, rule);
    assert.ok(reading.rejected.length > 0 || eventsIn(reading).length < 3, rule);
  }
  const hourly = await readText(
    context,
    calendar(vevent('UID:u', 'SUMMARY:x', 'DTSTART:20261120T100000', 'RRULE:FREQ=HOURLY')),
  );
  assert.equal(eventsIn(hourly).length, 1_000);
  assert.match(hourly.rejected[0]?.reason ?? '', /more than 1000 times/);
});

test('of two statements the one revised last counts; tasks, alarms and private events are none', async (context) => {
  const text = calendar(
    vevent(
      'UID:u',
      'SEQUENCE:2',
      'SUMMARY:New',
      'DTSTART:20261205T230000',
      'BEGIN:VALARM',
      'SUMMARY:Alarm',
      'END:VALARM',
    ),
    vevent('UID:u', 'SEQUENCE:1', 'SUMMARY:Old', 'DTSTART:20261204T230000'),
    vevent('UID:p', 'CLASS:PRIVATE', 'SUMMARY:Dentist', 'DTSTART:20261205T230000'),
    'BEGIN:VTODO\r\nSUMMARY:Task\r\nDTSTART:20261205T230000\r\nEND:VTODO',
  );
  assert.deepEqual(
    eventsIn(await readText(context, text)).map(({ name }) => name),
    ['New'],
  );
});

test('places are read as far as the text gives evidence', async (context) => {
  const cases: [string, (string | null)[] | null][] = [
    [
      'Berghain, Am Wriezener Bahnhof, 10243 Berlin, Germany',
      ['Berghain', 'Am Wriezener Bahnhof', '10243', 'Berlin', 'DE'],
    ],
    [
      'Fabric, 77a Charterhouse St, London EC1M 6HJ, UK',
      ['Fabric', '77a Charterhouse St', 'EC1M 6HJ', 'London', 'GB'],
    ],
    ['Output, 74 Wythe Ave, Brooklyn, NY 11249', ['Output', '74 Wythe Ave', '11249', 'Brooklyn', 'US']],
    [
      'Paradiso (Weteringschans 6-8, 1017 SG Amsterdam)',
      // Only Dutch codes have this form.
      ['Paradiso', 'Weteringschans 6-8', '1017 SG', 'Amsterdam', 'NL'],
    ],
    ['Berghain, Berlin', ['Berghain', null, null, 'Berlin', null]],
    ['Memphis, TN, US', [null, null, null, 'Memphis', 'US']],
    ['Meeting room, Ricoh Arena', ['Meeting room, Ricoh Arena', null, null, null, null]],
    ['Bogen F', ['Bogen F', null, null, null, null]],
    ['TBA', null],
    ['Secret location', null],
    ['https://zoom.us/j/123', null],
  ];
  for (const [text, expected] of cases) {
    const place = parsePlace(text);
    assert.deepEqual(
      place && [place.name, place.address, place.postalCode, place.city, place.country],
      expected,
      text,
    );
  }
  const reading = await readText(
    context,
    calendar(
      vevent(
        'UID:u',
        'SUMMARY:x',
        'DTSTART:20261205T230000',
        'LOCATION:Berghain\\, Am Wriezener Bahnhof\\, 10243 Berlin\\, Germany',
        'GEO:52.511;13.443',
      ),
    ),
  );
  const [venue, event] = reading.records;
  assert.ok(venue?.kind === 'venue' && event?.kind === 'event');
  assert.deepEqual([venue.name, venue.address, venue.latitude], ['Berghain', 'Am Wriezener Bahnhof', 52.511]);
  assert.equal(event.venue?.external_id, venue.external_id);
});

test('texts are unfolded, unescaped and without mark-up; bad lines cost nothing else', async (context) => {
  const [event] = await one(context, [
    'DTSTART:20261205T230000',
    'DESCRIPTION:<p>Techno &amp\\; house<br>all night</p>\\, with a lo',
    ' ng line',
    'this is no property',
    'X-ODD;A="unclosed:1',
    'URL:https://example.org/night',
    'ATTACH;FMTTYPE=image/jpeg:https://example.org/flyer.jpg',
  ]);
  assert.equal(
    event?.description?.replace(/\n/g, ' / '),
    'Techno & house / all night, with a long line this is no property',
  );
  assert.deepEqual(
    [event?.url, event?.image_url],
    ['https://example.org/night', 'https://example.org/flyer.jpg'],
  );
});

test('titles are without entities, addresses without what counts visits', async (context) => {
  const [event] = eventsIn(
    await readText(
      context,
      calendar(
        vevent(
          'UID:e',
          'SUMMARY:Regis &#8220\\;Live&#8221\\; &#038\\; Friends <3',
          'DTSTART:20261205T230000Z',
          'URL:https://example.org/night?utm_source=feed&id=4',
        ),
      ),
    ),
  );
  assert.deepEqual(
    [event?.name, event?.url],
    ['Regis “Live” & Friends <3', 'https://example.org/night?id=4'],
  );
});

test('broken, truncated and other files are reported', async (context) => {
  const whole = calendar(
    vevent('UID:a', 'SUMMARY:A', 'DTSTART:20261205T230000'),
    vevent('UID:b', 'SUMMARY:B', 'DTSTART:20261206T230000'),
  );
  const cut = await readText(context, whole.slice(0, whole.indexOf('UID:b') + 20));
  assert.deepEqual([eventsIn(cut).length, cut.rejected.length, cut.end.ended], [1, 1, 'partial']);
  const bad = await readText(
    context,
    calendar(
      vevent('UID:c', 'SUMMARY:C'),
      vevent('UID:d', 'SUMMARY:D', 'DTSTART:20260230T100000'),
      vevent('UID:e', 'SUMMARY:E', 'DTSTART:20261205T100000', 'DTSTART:20261206T100000'),
    ),
  );
  assert.deepEqual(
    bad.rejected.map(({ reason }) => reason),
    ['has no DTSTART', 'has a DTSTART that is not a time', 'has more than one DTSTART'],
  );
  await assert.rejects(
    readText(context, '<html>Sign in</html>'),
    (failure) => failure instanceof Failure && /is not a calendar/.test(failure.message),
  );
  await assert.rejects(readText(context, ''), Failure);
  assert.deepEqual((await readText(context, calendar())).records, []);
});

test('hostile calendars neither crash nor grow', { timeout: 60_000 }, async (context) => {
  const deep = `BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(50_000)}`;
  assert.equal((await readText(context, deep)).records.length, 0);
  const nested = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${'BEGIN:VALARM\r\n'.repeat(50_000)}END:VEVENT\r\nEND:VCALENDAR`;
  await readText(context, nested);
  const long = calendar(vevent('UID:u', `SUMMARY:${'x'.repeat(3_000_000)}`, 'DTSTART:20261205T230000'));
  await readText(context, long).catch(() => {});
  const zone = calendar(
    `BEGIN:VTIMEZONE\r\nTZID:Z\r\nBEGIN:STANDARD\r\nDTSTART:00010101T000000\r\nTZOFFSETFROM:x\r\nTZOFFSETTO:y\r\nRRULE:FREQ=SECONDLY\r\nEND:STANDARD\r\nEND:VTIMEZONE`,
    vevent('UID:u', 'SUMMARY:x', 'DTSTART;TZID=Z:20261205T230000'),
  );
  assert.equal(eventsIn(await readText(context, zone)).length, 1);
  const latin = Buffer.from(calendar(vevent('UID:u', 'SUMMARY:Fête', 'DTSTART:20261205T230000')), 'latin1');
  assert.equal(eventsIn(await readText(context, latin))[0]?.name, 'Fête');
  assert.equal(
    eventsIn(
      await readText(
        context,
        Buffer.from(
          `\ufeff${calendar(vevent('UID:u', 'SUMMARY:Fête', 'DTSTART:20261205T230000'))}`,
          'utf16le',
        ),
      ),
    )[0]?.name,
    'Fête',
  );
});

test('an unchanged calendar is read again when its horizon has moved on', async (context) => {
  const url = await serve(context, (request, response) => {
    if (request.headers['if-none-match']) response.writeHead(304).end();
    else
      response
        .writeHead(200, { etag: '"1"' })
        .end(calendar(vevent('UID:u', 'SUMMARY:x', 'DTSTART:20261205T230000')));
  });
  const kept = new Map();
  const validators = {
    get: (key: string) => kept.get(key) ?? null,
    put: (key: string, value: unknown) => void kept.set(key, value),
  };
  const ended = async (now: string) =>
    (await read('ical', url, { validators, now: Date.parse(now), complete: true })).end.ended;
  assert.deepEqual(
    [
      await ended('2026-11-20T12:00:00Z'),
      await ended('2026-11-21T12:00:00Z'),
      await ended('2026-12-01T12:00:00Z'),
      await ended('2026-12-20T12:00:00Z'),
    ],
    ['whole', 'unchanged', 'unchanged', 'whole'],
  );
});

test('an unchanged calendar of endless nights: every day all nights to the horizon are known, most days for nothing', async (context) => {
  const text = calendar(vevent('UID:u', 'SUMMARY:x', 'DTSTART:20200101T230000', 'RRULE:FREQ=DAILY'));
  let bodies = 0;
  const url = await serve(context, (request, response) => {
    if (request.headers['if-none-match']) return void response.writeHead(304).end();
    bodies++;
    response.writeHead(200, { etag: '"1"' }).end(text);
  });
  const kept = new Map();
  const validators = {
    get: (key: string) => kept.get(key) ?? null,
    put: (key: string, value: unknown) => void kept.set(key, value),
  };
  for (const [horizon, most] of [
    ['366', 8],
    ['60', 28],
    ['7', 120],
  ] as const) {
    kept.clear();
    bodies = 0;
    const known = new Set<string>();
    for (let day = 0; day < 120; day++) {
      const now = Date.parse('2026-11-20T23:30:00Z') + day * 86_400_000;
      const reading = await read('ical', url, { validators, now, options: { horizon } });
      for (const { start_at } of eventsIn(reading)) known.add(start_at.slice(0, 10));
      const last = new Date(now + Number(horizon) * 86_400_000).toISOString().slice(0, 10);
      assert.ok(known.has(last), `${horizon} days from day ${day}`);
    }
    assert.ok(bodies <= most, `${bodies} bodies for ${horizon}`);
  }
});

test('an entry that says that nothing is on is no show; a name that only has such words is one', async (context) => {
  const titles = [
    ...['CLOSED', 'Closed !!!', 'geschlossen', 'Geschlossen / Closed', 'Closed for private event'],
    ...['CLOSED FOR A PRIVATE PARTY', 'Private Event', 'No Show', 'Geschlossene Gesellschaft', 'Fermé'],
    ...['We are closed today', 'Closed due to renovation', 'Privatveranstaltung'],
  ];
  const shows = [
    ...['Closed Session', 'Private Affair', 'Closed for Business', 'Private Event: DJ Hell', 'Enclosed'],
    ...['The Private Party Records Showcase', 'No Show Jones', 'CLOSED w/ Ben Klock', 'geschlossen.live'],
  ];
  const text = calendar(
    ...[...titles, ...shows].map((title, index) =>
      vevent(`UID:${index}`, `SUMMARY:${title}`, 'DTSTART:20261205T230000', 'LOCATION:Haus\\, Berlin'),
    ),
    vevent('UID:weekly', 'SUMMARY:CLOSED', 'DTSTART:20261201T200000', 'RRULE:FREQ=WEEKLY'),
  );
  const reading = await readText(context, text);
  assert.deepEqual(
    eventsIn(reading).map(({ name }) => name),
    shows,
  );
  assert.deepEqual(reading.rejected, []);
  assert.equal(reading.skipped.length, titles.length + 1);
  assert.match(reading.skipped[0]?.reason ?? '', /"CLOSED" on 2026-12-05 is not a public event/);
});

test('the recorded calendars', async (context) => {
  const folder = recorded(context, 'ical');
  if (folder === null) return;
  const nights = async (file: string) =>
    eventsIn(await read('ical', `${folder}${file}.ics`)).map(({ external_id, name, start_at, timezone }) => [
      external_id.replace(/^.*\//, ''),
      name,
      start_at,
      timezone ?? null,
    ]);
  assert.deepEqual(await nights('google-recurrence-order'), [
    ['2026-02-10', 'TEST RECURR 3', '2026-02-10T10:00:00', 'America/Denver'],
    ['2026-02-12', 'TEST RECURR 3', '2026-02-12T10:00:00', 'America/Denver'],
    ['2026-02-11', 'TEST RECURR 3 - MODIFIED', '2026-02-11T10:30:00', 'America/Denver'],
  ]);
  assert.deepEqual(
    (await nights('whole_day_moved_over_dst_change_berlin')).map(([, , start]) => start),
    ['2024-10-27', '2024-10-29', '2024-10-30'],
  );
  assert.deepEqual((await nights('germany_at_end_of_day_repeating')).length, 4);
  assert.deepEqual((await nights('exchange-custom-tz'))[0]?.[3], 'Asia/Bangkok');
  assert.deepEqual(await nights('test_with_tz_list'), []);
  assert.equal((await nights('bad_ms_tz'))[0]?.[2], '2020-08-25T10:35:00-04:00');
  assert.deepEqual((await nights('windows-quoted-tz-rrule')).length, 8);
  const rejected: string[] = [];
  for (const file of readdirSync(folder))
    rejected.push(...(await read('ical', folder + file)).rejected.map(({ reason }) => reason));
  assert.deepEqual(
    [rejected.length, [...new Set(rejected)].sort()],
    [14, ['has a DTSTART that is not a time', 'has more than one DTSTART', 'has no DTSTART']],
  );
});

test('a calendar of a folder that cannot be read is reported, and the others are read', async (context) => {
  const night = (uid: string) => calendar(vevent(`UID:${uid}`, 'SUMMARY:Night', 'DTSTART:20261205T230000'));
  const folder = dirname(fileWith(context, 'a.ics', night('a')));
  writeFileSync(join(folder, 'b.ics.gz'), Buffer.from([0x1f, 0x8b, 8, 0]));
  writeFileSync(join(folder, 'c.ics'), '<html>Sign in</html>');
  writeFileSync(join(folder, 'd.ics'), night('d'));
  const reading = await read('ical', folder);
  assert.deepEqual(
    eventsIn(reading).map(({ external_id }) => external_id),
    ['a', 'd'],
  );
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason.slice(folder.length + 1)),
    [
      'b.ics.gz is not a complete gzip file.',
      'c.ics is not a calendar: it has no BEGIN:VCALENDAR. Use the address of the .ics file.',
    ],
  );
  assert.equal(reading.end.ended, 'partial');
});
