/** Tables of events: columns by their names, dates with one meaning, rows that are rejected with their line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parsePriceRange } from '../../src/sources/common/prices.ts';
import { parseTable, separatorOf } from '../../src/sources/csv/table.ts';
import { eventsIn, fileWith, read } from '../support/source-server.ts';

const cellsOf = (text: string) => [...parseTable(text, separatorOf(text))];

test('a table has quotes, line breaks in cells, and one of three separators', () => {
  assert.deepEqual(cellsOf('a,b\r\n"1, ""one""","x\ny"\r\n\r\n2,'), [
    { line: 1, cells: ['a', 'b'], openQuoteLine: null },
    { line: 2, cells: ['1, "one"', 'x\ny'], openQuoteLine: null },
    { line: 5, cells: ['2', ''], openQuoteLine: null },
  ]);
  assert.deepEqual(cellsOf('a;"b,c"\n1;2')[1]?.cells, ['1', '2']);
  assert.deepEqual(cellsOf('a\tb\n1\t2')[1]?.cells, ['1', '2']);
  // A quote that never ends takes the rest, in linear time.
  assert.equal(cellsOf(`a,b\n"${'x,'.repeat(1_000_000)}`)[1]?.cells.length, 1);
});

test('cells of megabytes need little memory, and quotes in them no search for each', () => {
  const module = new URL('../../src/sources/csv/table.ts', import.meta.url);
  const script = `import { parseTable } from ${JSON.stringify(module.href)};
    const texts = ['"' + 'a'.repeat(2e7), 'a' + '"'.repeat(5e6), '"' + '""'.repeat(2e6) + '",b'];
    for (const text of texts)
      for (const { cells } of parseTable(text, ',')) console.log(cells.map((cell) => cell.length).join());`;
  const loader = import.meta.resolve('tsx');
  const args = ['--max-old-space-size=200', '--import', loader, '--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(stdout, '20000000\n5000001\n2000000,1\n', stderr);
});

test('each row is an event with its venue, artists, price and end on the next day', async (t) => {
  const file = fileWith(
    t,
    'nights.csv',
    [
      'Title,Date,Start,End,Venue,City,Country,Line-up,Price,Link,Genre,Status',
      'Spring Night,2030-05-03,23:00,06:00,Haus am See,Berlin,de,"Ann Example; Bob",€12,https://club.example/1,techno,',
      'Summer Night,1.6.2030,,,Garten,,,,,,,abgesagt',
    ].join('\n'),
  );
  const reading = await read('csv', file, {
    options: { city: 'Leipzig', country: 'DE', timezone: 'Europe/Berlin' },
  });
  assert.deepEqual([reading.rejected, reading.end], [[], { ended: 'whole' }]);
  const [spring, summer] = eventsIn(reading);
  assert.deepEqual(
    {
      ...spring,
      external_id: '',
      venue: spring?.venue?.name,
      lineup: spring?.lineup?.map(({ name }) => name),
    },
    {
      kind: 'event',
      external_id: '',
      name: 'Spring Night',
      start_at: '2030-05-03T23:00:00',
      end_at: '2030-05-04T06:00:00',
      timezone: 'Europe/Berlin',
      city: 'Berlin',
      country: 'DE',
      venue: 'Haus am See',
      url: 'https://club.example/1',
      genres: ['techno'],
      lineup: ['Ann Example', 'Bob'],
      tickets: [
        {
          seller: 'club.example',
          url: 'https://club.example/1',
          price_min: 12,
          price_max: 12,
          currency: 'EUR',
        },
      ],
    },
  );
  assert.deepEqual(
    [summer?.start_at, summer?.city, summer?.country, summer?.status],
    ['2030-06-01', 'Leipzig', 'DE', 'cancelled'],
  );
});

test('German titles, semicolons, Windows-1252', async (t) => {
  const rows = [
    'Veranstaltung;Datum;Uhrzeit;Club;Stadt;Land;Künstler',
    'Frühlingsnacht;3.5.2030;23 Uhr;Löwe;Köln;DE;Ann',
    'Mai;4.5.2030;22:30;Löwe;Köln;DE;',
    'Juni;4.6.2030;spät;Löwe;Köln;DE;',
  ];
  const reading = await read('csv', fileWith(t, 'a.csv', Buffer.from(rows.join('\n'), 'latin1')));
  assert.deepEqual(
    eventsIn(reading).map(({ name, start_at, venue, city }) => [name, start_at, venue?.name, city]),
    [
      ['Frühlingsnacht', '2030-05-03T23:00:00', 'Löwe', 'Köln'],
      ['Mai', '2030-05-04T22:30:00', 'Löwe', 'Köln'],
    ],
  );
  assert.equal(reading.rejected[0]?.reason, 'has a time that cannot be read: spät; write it as 23:00');
});

test('a quote that is not closed is named by its line, and what it takes in is not read', async (t) => {
  const rows = ['name,date', 'A,2030-05-03', '"B,2030-05-04', 'C,2030-05-05'];
  const linesOf = ({ rejected }: { rejected: { where: string; reason: string }[] }) =>
    rejected.map(({ where, reason }) => `${where.split(':').at(-1)} ${reason}`);
  const reason = 'has a quote (") that is not closed. The rows up to the next quote are not read';
  const open = await read('csv', fileWith(t, 'open.csv', rows.join('\n')));
  assert.deepEqual(linesOf(open), [`3 ${reason}`]);
  assert.equal(open.end.ended, 'partial', 'a complete source withdraws nothing');
  assert.deepEqual(
    eventsIn(open).map(({ name }) => name),
    ['A'],
  );
  // The next quote closes it within a line; the rows below are read.
  const met = await read(
    'csv',
    fileWith(t, 'met.csv', [...rows, '"D, E",2030-05-06', 'F,2030-05-07'].join('\n')),
  );
  assert.deepEqual(linesOf(met), [`3 ${reason}`]);
  assert.deepEqual(
    eventsIn(met).map(({ name }) => name),
    ['A', 'F'],
  );
});

test('a table with too many rows is read in part: the first row that is left out is named', async (t) => {
  // Rows with too many cells take little time, but reading stops after 50,000 of them.
  const rows = [
    'name,date',
    ...Array.from({ length: 99_999 }, (_, at) => (at % 40_000 === 0 ? `Night ${at},2030-05-03` : 'x,y,z')),
  ];
  const full = await read('csv', fileWith(t, 'full.csv', rows.join('\n')));
  assert.equal(full.rejected.length, 99_996);
  assert.equal(full.end.ended, 'whole');
  const long = await read(
    'csv',
    fileWith(t, 'long.csv', [...rows, 'B,2030-05-04', 'C,2030-05-05'].join('\n')),
  );
  const last = long.rejected.at(-1);
  assert.equal(
    `${last?.where.split(':').at(-1)} ${last?.reason}`,
    '100001 is behind the first 100000 rows, and is not read, nor are those below it. Split the table',
  );
  assert.equal(long.end.ended, 'partial', 'a complete source withdraws nothing');
});

test('rows that cannot be read are rejected with their line; a table without columns too', async (t) => {
  const rows = ['name,date', 'A,3/5/2030', ',2030-05-03', 'B,', 'D,soon', 'C,2030-05-03', 'C,2030-05-03'];
  const reading = await read('csv', fileWith(t, 'b.csv', rows.join('\n')));
  assert.deepEqual(
    reading.rejected.map(({ where, reason }) => `${where.split(':').at(-1)} ${reason}`),
    [
      '2 has a date whose day and month cannot be told apart: 3/5/2030; write it as 2030-05-03',
      '3 has no name',
      '4 has no date',
      '5 has a date that cannot be read: soon; write it as 2030-05-03',
      '7 is listed twice',
    ],
  );
  const wrong = await read('csv', fileWith(t, 'c.csv', 'a,b\n1,2'));
  assert.deepEqual(wrong.end, {
    ended: 'partial',
    reason: 'its first row must name the columns, "name" and "date" among them',
  });
});

test('a table as people keep it: hours in one cell, the city behind the venue, prices with conditions', async (t) => {
  const rows = [
    'event_date,event_name,genre,location,time,price,ages,promoter,link',
    '10/24/2030,Taco Tuesday,"house, disco",Monarch (San Francisco),5:30pm-8:30pm,Free,21+,Ann,https://club.example/1',
    '3/5/2030,Late Night,techno,1015 Folsom (San Francisco),10pm - 4am,"$5 before 11, $10-15",18+,Ann,https://club.example/2',
    '3/6/2030,Hall,techno,Room (Upstairs),22 Uhr bis 23 Uhr,12 EUR,all ages,Ann,https://club.example/3',
  ];
  const reading = await read('csv', fileWith(t, 'd.csv', rows.join('\n')), { options: { country: 'US' } });
  assert.deepEqual(reading.rejected, []);
  assert.match(reading.skipped[0]?.reason ?? '', /^has columns that are not read: promoter$/);
  assert.deepEqual(
    eventsIn(reading).map(({ start_at, end_at, venue, city, minimum_age, tickets }) => [
      start_at,
      end_at,
      venue?.name,
      city,
      minimum_age,
      tickets?.map(({ price_min, price_max, currency }) => `${price_min}-${price_max} ${currency}`).join(),
    ]),
    [
      ['2030-10-24T17:30:00', '2030-10-24T20:30:00', 'Monarch', 'San Francisco', 21, '0-0 USD'],
      ['2030-03-05T22:00:00', '2030-03-06T04:00:00', '1015 Folsom', 'San Francisco', 18, '5-15 USD'],
      ['2030-03-06T22:00:00', '2030-03-06T23:00:00', 'Room (Upstairs)', undefined, undefined, '12-12 EUR'],
    ],
  );
});

test('a row with more cells than columns is rejected with its line; empty and missing cells are none', async (t) => {
  const readRows = async (...rows: string[]) => {
    const { rejected, records } = await read('csv', fileWith(t, 'shift.csv', rows.join('\n')));
    return {
      rejected: rejected.map(({ where, reason }) => `${where.split(':').at(-1)} ${reason}`),
      names: records.map((record) => (record.kind === 'event' ? record.name : record.kind)),
    };
  };
  const advice = 'put quotes around a value that contains the separator';
  assert.deepEqual(
    await readRows(
      'name,date,time,venue,city,country,price,link',
      'A,2030-05-03,23:00,,Berlin,DE,12,50 €,https://nights.example/1',
      'B,2030-05-03,23:00,,Berlin,DE,"12,50 €",https://nights.example/2',
      'C,2030-05-03,23:00,,Berlin,DE,12 €,https://nights.example/3,,,',
      'D,2030-05-03',
    ),
    { rejected: [`2 9 cells, 8 columns: ${advice}`], names: ['B', 'C', 'D'] },
  );
  assert.deepEqual(
    await readRows(
      'name;date;lineup;genre;link',
      'A;2030-05-03;Ben Klock; Mara X;techno;https://nights.example/1',
      'B;2030-05-03;"Ben Klock; Mara X";techno;https://nights.example/2',
    ),
    { rejected: [`2 6 cells, 5 columns: ${advice}`], names: ['B'] },
  );
  // A column without a title holds notes, unless the row is longer than the first one.
  assert.deepEqual(
    await readRows(
      'name,date,price,link,',
      'A,2030-05-03,12 €,https://nights.example/1,call Ann',
      'B,2030-05-03,12,50 €,https://nights.example/2,',
    ),
    { rejected: [`3 6 cells, 5 columns: ${advice}`], names: ['A'] },
  );
});

test('values that have no meaning are reported, one line for each problem; the rest of the row is read', async (t) => {
  const file = fileWith(
    t,
    'values.csv',
    [
      'name,date,time,end,venue,city,country,price,link,age,status,image',
      'A,2030-05-03,23:00,06:00,Haus,Berlin,DE,frei,nights.example/1,18+,confirmed,nights.example/1.jpg',
      'B,2030-05-04,23:00,-,Haus,Berlin,DE,Eintritt frei,www.nights.example,all ages,-,-',
      'C,2030-05-05,23:00,,Haus,Berlin,DE,12 €,,,,',
      'D,2030-05-06,23:00-open end,,Haus,Berlin,DE,Spende,see the poster,grown-ups,sold out,flyer.jpg',
      'E,2030-05-07,23:00,,Haus,Berlin,DE,Spende,https://nights.example/5,,,',
      'F,2030-05-08,23:00,,Haus,Berlin,DE,Spende,https://nights.example/6,,,',
      'G,2030-05-09,23:00,,,,,12,https://nights.example/7,,,',
      ',2030-05-10,23:00,,Haus,Berlin,DE,Spende,https://nights.example/8,,,',
    ].join('\n'),
  );
  const reading = await read('csv', file);
  assert.deepEqual(
    eventsIn(reading).map(({ name, url, image_url, status, tickets }) => [
      name,
      url,
      image_url,
      status,
      tickets?.map(
        ({ url, price_min, price_max, currency }) => `${url} ${price_min}-${price_max} ${currency}`,
      ),
    ]),
    [
      [
        'A',
        'https://nights.example/1',
        'https://nights.example/1.jpg',
        'scheduled',
        ['https://nights.example/1 0-0 EUR'],
      ],
      ['B', 'https://www.nights.example/', undefined, undefined, ['https://www.nights.example/ 0-0 EUR']],
      ['C', undefined, undefined, undefined, undefined],
      ['D', undefined, undefined, undefined, undefined],
      ['E', 'https://nights.example/5', undefined, undefined, undefined],
      ['F', 'https://nights.example/6', undefined, undefined, undefined],
      ['G', 'https://nights.example/7', undefined, undefined, undefined],
    ],
  );
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason),
    ['has no name'],
  );
  assert.deepEqual(
    reading.skipped.map(({ where, reason }) => `${where.split(':').at(-1)} ${reason}`),
    [
      '4 has a price without a link: 12 €, which is left out; a price needs the address of the tickets',
      '5 has an end that cannot be read or is not after its start: open end, which is left out; write 06:00',
      '5 has a link that is no web address: see the poster, which is left out; write https://club.example/1',
      '5 has an image that is no web address: flyer.jpg, which is left out; write https://club.example/1.jpg',
      '5 has an age that cannot be read: grown-ups, which is left out; write 18+ or all ages',
      '5 has a status that cannot be read: sold out, which is left out; write cancelled or postponed',
      '5 has a price that cannot be read: Spende (and 2 more rows), which is left out; write 12 EUR or free',
      '8 has a price without a currency: 12, which is left out; write 12 EUR, or the country of the event',
    ],
  );
});

test('a date with slashes means what its table shows; a table that contradicts itself shows nothing', async (t) => {
  const startsOf = async (...dates: string[]) => {
    const rows = ['name,date', ...dates.map((date, index) => `Night ${index},${date}`)];
    const reading = await read('csv', fileWith(t, 'e.csv', rows.join('\n')));
    return [eventsIn(reading).map(({ start_at }) => start_at), reading.rejected.length];
  };
  assert.deepEqual(await startsOf('3/5/2030', '31/5/2030'), [['2030-05-03', '2030-05-31'], 0]);
  assert.deepEqual(await startsOf('3/5/2030', '5/31/2030'), [['2030-03-05', '2030-05-31'], 0]);
  assert.deepEqual(await startsOf('3/5/2030', '31/5/2030', '5/31/2030'), [[], 3]);
});

test('prices as tables state them', () => {
  const cases: [string, string | null, string | null][] = [
    ['€12', 'DE', '12-12 EUR'],
    ['10-15 €', null, '10-15 EUR'],
    ['$12 pre/$15', 'CA', '12-15 CAD'],
    ['$12', null, '12-12 null'],
    ['free before 11, $10 after', 'US', '0-10 USD'],
    ['$1,200', 'US', '1200-1200 USD'],
    ['12,50 EUR', 'US', '12.5-12.5 EUR'],
    ['1.000 kr', 'DK', '1000-1000 DKK'],
    ['₺1.500', 'TR', '1500-1500 TRY'],
    ['1.234,50 €', 'DE', '1234.5-1234.5 EUR'],
    ['R$ 1.200,00', 'BR', '1200-1200 BRL'],
    ['1 500 kr', 'SE', '1500-1500 SEK'],
    ["CHF 1'200", 'CH', '1200-1200 CHF'],
    ['1.000–1.500 ₺', 'TR', '1000-1500 TRY'],
    ['¥3,000', 'JP', '3000-3000 JPY'],
    ['sold out', 'US', null],
    ['frei', 'DE', '0-0 EUR'],
    ['Eintritt frei', 'DE', '0-0 EUR'],
    ['Der Eintritt ist frei!', 'AT', '0-0 EUR'],
    ['Freier Eintritt', 'CH', '0-0 CHF'],
    ['gratis', 'ES', '0-0 EUR'],
    ['Entrée libre', 'FR', '0-0 EUR'],
    ['frei bis 23 Uhr, danach 10 €', 'DE', '0-10 EUR'],
    ['Eintritt 10 €', 'DE', '10-10 EUR'],
    ['Freitag 12 €', 'DE', '12-12 EUR'],
    ['Freiwillige Spende', 'DE', null],
    [`$${'1-'.repeat(60_000)}`, 'US', null],
  ];
  for (const [text, country, expected] of cases) {
    const range = parsePriceRange(text, country);
    assert.equal(range && `${range.min}-${range.max} ${range.currency}`, expected, text.slice(0, 40));
  }
});

test('a status that is the name of a member of all objects is none', async (t) => {
  const reading = await read(
    'csv',
    fileWith(t, 'e.csv', 'name,date,status\nOne,2030-05-03,constructor\nTwo,2030-05-03,__proto__'),
  );
  assert.deepEqual(
    eventsIn(reading).map(({ status }) => status),
    [undefined, undefined],
  );
  assert.match(
    reading.skipped[0]?.reason ?? '',
    /a status that cannot be read: constructor \(and 1 more row/,
  );
});

test('a table of a folder that cannot be read is reported, and the others are read', async (t) => {
  const [first, third] = ['a.csv', 'c.csv'].map((name, at) =>
    fileWith(t, name, `name,date\nNight ${at},2030-05-03`),
  ) as [string, string];
  const folder = dirname(first);
  writeFileSync(join(folder, 'b.csv.gz'), Buffer.from([0x1f, 0x8b, 8, 0]));
  copyFileSync(third, join(folder, 'c.csv'));
  const reading = await read('csv', folder);
  assert.deepEqual(
    eventsIn(reading).map(({ name }) => name),
    ['Night 0', 'Night 1'],
  );
  const reason = `${join(folder, 'b.csv.gz')} is not a complete gzip file.`;
  assert.deepEqual(reading.rejected, [{ where: join(folder, 'b.csv.gz'), reason, subject: null }]);
  assert.deepEqual(reading.end, { ended: 'partial', reason });
});
