/** Offsets of time zones, compared with Temporal: around changes, short changes, and history. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../src/clock.ts';
import { endOfDate, readMoment } from '../../src/text/feed-time.ts';
import { instantAt, offsetAt } from '../../src/text/time-zones.ts';

const hourMs = 3_600_000;
const zones = [
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Gaza',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Monrovia',
  'Etc/GMT+3',
];

test('offsets are those of Temporal', () => {
  for (const zone of zones) {
    // 191 hours: all hours of the day, in any order of blocks.
    for (let ts = Date.UTC(1900, 0, 1); ts < Date.UTC(2038, 0, 1); ts += 191 * hourMs) {
      const at = Temporal.Instant.fromEpochMilliseconds(ts).toZonedDateTimeISO(zone);
      assert.equal(offsetAt(zone, ts), at.offsetNanoseconds / 1e6, `${zone} ${at}`);
    }
  }
});

test('an offset changes at the instant of the change', () => {
  const change = Date.UTC(2026, 9, 25, 1);
  assert.equal(offsetAt('Europe/Berlin', change - 1), 2 * hourMs);
  assert.equal(offsetAt('Europe/Berlin', change), hourMs);
});

test('a change of one week is found between equal offsets', () => {
  // Recife had daylight saving time from 8 to 15 October 2000.
  assert.equal(offsetAt('America/Recife', Date.UTC(2000, 9, 7)), -3 * hourMs);
  assert.equal(offsetAt('America/Recife', Date.UTC(2000, 9, 11)), -2 * hourMs);
  assert.equal(offsetAt('America/Recife', Date.UTC(2000, 9, 16)), -3 * hourMs);
});

test('historical offsets have seconds', () => {
  assert.equal(offsetAt('Europe/Berlin', Date.UTC(1880, 0, 1)), (53 * 60 + 28) * 1_000);
  assert.equal(offsetAt('Africa/Monrovia', Date.UTC(1966, 0, 1)), -(44 * 60 + 30) * 1_000);
});

test('a skipped clock time moves forward, and one that occurs twice is the first', () => {
  assert.equal(instantAt('Europe/Berlin', Date.UTC(2026, 2, 29, 2, 30)), Date.UTC(2026, 2, 29, 1, 30));
  assert.equal(instantAt('Europe/Berlin', Date.UTC(2026, 9, 25, 2, 30)), Date.UTC(2026, 9, 25, 0, 30));
});

test('a zone that does not exist throws', () => {
  assert.throws(() => offsetAt('Nowhere/Land', 0), RangeError);
});

test('a date ends where the next one begins, also if midnight is skipped or occurs twice', () => {
  for (const zone of [
    'Europe/Berlin',
    'America/Sao_Paulo',
    'America/Havana',
    'Asia/Beirut',
    'Pacific/Apia',
  ]) {
    for (let ts = Date.UTC(2000, 0, 1); ts < Date.UTC(2020, 0, 1); ts += dayMs) {
      const day = Temporal.PlainDate.from(new Date(ts).toISOString().slice(0, 10));
      const next = day.add({ days: 1 }).toZonedDateTime(zone);
      const date = day.year * 10_000 + day.month * 100 + day.day;
      assert.equal(endOfDate(date, zone), next.epochMilliseconds, `${zone} ${day}`);
    }
  }
});

test('years below 100 are those of the first century', () => {
  for (const text of ['0050-01-01', '0099-12-31', '0100-01-01', '9999-12-31'])
    assert.equal(new Date(readMoment(text, null, 'instant').ts).toISOString().slice(0, 10), text);
});
