/** Tables of events: columns by their names, dates with one meaning, rows that are rejected with their line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTable, separatorOf } from '../../src/sources/csv/table.ts';
import { eventsIn, fileWith, read } from '../support/source-server.ts';

const cellsOf = (text: string) => [...parseTable(text, separatorOf(text))];

test('a table has quotes, line breaks in cells, and one of three separators', () => {
  assert.deepEqual(cellsOf('a,b\r\n"1, ""one""","x\ny"\r\n\r\n2,'), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1, "one"', 'x\ny'] },
    { line: 5, cells: ['2', ''] },
  ]);
  assert.deepEqual(cellsOf('a;"b,c"\n1;2')[1]?.cells, ['1', '2']);
  assert.deepEqual(cellsOf('a\tb\n1\t2')[1]?.cells, ['1', '2']);
  // A quote that never ends takes the rest, in linear time.
  assert.equal(cellsOf(`a,b\n"${'x,'.repeat(1_000_000)}`)[1]?.cells.length, 1);
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
  assert.equal(reading.rejected[0]?.reason, 'has a time that is none: spät; write 23:00');
});

test('rows that cannot be read are rejected with their line; a table without columns too', async (t) => {
  const rows = ['name,date', 'A,3/5/2030', ',2030-05-03', 'B,', 'C,2030-05-03', 'C,2030-05-03'];
  const reading = await read('csv', fileWith(t, 'b.csv', rows.join('\n')));
  assert.deepEqual(
    reading.rejected.map(({ where, reason }) => `${where.split(':').at(-1)} ${reason}`),
    [
      '2 has a date that is ambiguous or none: 3/5/2030; write 2030-05-03',
      '3 has no name',
      '4 has no date',
      '6 is listed twice',
    ],
  );
  const wrong = await read('csv', fileWith(t, 'c.csv', 'a,b\n1,2'));
  assert.deepEqual(wrong.end, {
    ended: 'partial',
    reason: 'its first row must name the columns, "name" and "date" among them',
  });
});
