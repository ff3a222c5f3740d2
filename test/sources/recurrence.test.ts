/** Recurrence rules: the same occurrences however old the series is, and limited work for rules that match no day. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandRule } from '../../src/sources/ical/recurrence.ts';
import { RecurrenceWork } from '../../src/sources/ical/recurrence-work.ts';
import { eventsIn, fileWith, read } from '../support/source-server.ts';

const window = { from: '2026-10-20T23:59:59', to: '2027-11-20T23:59:59' };
const expand = (rule: object, start: string, isDate = false) =>
  expandRule(rule, start, isDate, window, new RecurrenceWork());
const series = (uid: number, start: string, rule: string) =>
  `BEGIN:VEVENT\nUID:${uid}\nSUMMARY:Night\nDTSTART:${start}\nRRULE:${rule}\nEND:VEVENT\n`;
const calendar = (...parts: string[]) => `BEGIN:VCALENDAR\n${parts.join('')}END:VCALENDAR\n`;
const single = 'BEGIN:VEVENT\nUID:single\nSUMMARY:Gala\nDTSTART:20261201T200000Z\nEND:VEVENT\n';

test('an endless rule has the occurrences of the same rule with an end', () => {
  const rules = [
    { freq: 'DAILY' },
    { freq: 'DAILY', interval: 3 },
    { freq: 'DAILY', interval: 7, bymonth: [3, 12] },
    { freq: 'DAILY', bymonth: 2, bymonthday: [29, 28] },
    { freq: 'WEEKLY', interval: 2, byday: ['MO', 'FR'], wkst: 1 },
    { freq: 'WEEKLY', interval: 3, byday: ['SU', 'MO'], wkst: 2 },
    { freq: 'HOURLY', interval: 50 },
    { freq: 'MONTHLY', byday: ['-1SU'] },
    { freq: 'YEARLY', bymonth: 5, byday: ['2FR'] },
  ];
  for (const rule of rules) {
    for (const start of ['2017-03-05T22:00:00', '2024-02-29T04:30:00']) {
      const endless = expand(rule, start).starts;
      const all = expand({ ...rule, until: window.to }, start).starts;
      assert.deepEqual(
        endless,
        all.filter((at) => at >= window.from),
        `${JSON.stringify(rule)} from ${start}`,
      );
      assert.ok(endless.length > 0, JSON.stringify(rule));
    }
  }
});

test('rules that match no day are refused', () => {
  const old = '1900-01-01T00:00:00';
  const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
  const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  const cases: [object, RegExp][] = [
    [{ freq: 'DAILY', bymonth: 2, bymonthday: 30 }, /days that do not exist/],
    [{ freq: 'DAILY', bymonth: [4, 6], bymonthday: [31, -31] }, /days that do not exist/],
    [{ freq: 'DAILY', bymonth: 4, byday: ['1MO'], bymonthday: 15, byyearday: 1 }, /recurrence|recurs/],
    [{ freq: 'YEARLY', byday: weekdays, bymonth: months, bysetpos: 366 }, /too often, or never/],
    [{ freq: 'DAILY', bymonth: Array.from({ length: 900 }, (_, at) => at + 1) }, /too many values/],
  ];
  for (const [rule, message] of cases) assert.throws(() => expand(rule, old), message, JSON.stringify(rule));
});

test('many rules of a calendar that match no day are reported with their lines; single events are read', async (context) => {
  const impossible = Array.from({ length: 300 }, (_, at) =>
    series(at, '19000101T000000Z', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'),
  );
  const reading = await read('ical', fileWith(context, 'never.ics', calendar(...impossible, single)));
  assert.equal(reading.end.ended, 'whole');
  assert.equal(reading.rejected.length, 300);
  assert.match(reading.rejected[1]?.where ?? '', /never\.ics:8$/);
  assert.equal(eventsIn(reading).length, 1);
});

test('rules that take too much work end the expansion of a calendar, and nothing of it is withdrawn', async (context) => {
  const months = 'BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12';
  const yearly = Array.from({ length: 40 }, (_, at) =>
    series(at, '19000101T000000Z', `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;${months};BYSETPOS=366`),
  );
  const reading = await read('ical', fileWith(context, 'heavy.ics', calendar(...yearly, single)));
  assert.equal(reading.end.ended, 'partial');
  assert.equal(reading.rejected.length, 40);
  assert.match(JSON.stringify(reading.rejected.at(-1)), /take too much work/);
  assert.equal(eventsIn(reading).length, 1);
});

test('an hourly rule from the year 1 is expanded from the window on', () => {
  const { starts, isTruncated } = expand({ freq: 'HOURLY' }, '0001-01-01T00:30:00');
  assert.equal(starts[0], '2026-10-21T00:30:00');
  assert.equal(starts.length, 1_000);
  assert.ok(isTruncated);
});
