/** Dates as numbers, and the sentences about evidence that operators read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOf } from '../../src/matching/events/compare-start-times.ts';
import { sentenceOf } from '../../src/matching/explain.ts';
import type { EventFacts } from '../../src/matching/model.ts';
import { midnightUtc } from '../../src/text/date-number.ts';

test('a date is midnight UTC of its year, also below 100', () => {
  for (const [date, daysLater, text] of [
    [20270304, 0, '2027-03-04'],
    [20271231, 1, '2028-01-01'],
    [991231, 0, '0099-12-31'],
  ] as const)
    assert.equal(new Date(midnightUtc(date, daysLater)).toISOString(), `${text}T00:00:00.000Z`);
  const dayOf = (startAt: string) => startOf({ startAt } as EventFacts, null).day;
  assert.equal(dayOf('0100-01-01') - dayOf('0099-12-31'), 1);
});

test('the sentences about what one record mentions of the other', () => {
  const other = { evidence: 'aside', weight: 1 } as const;
  assert.equal(sentenceOf({ code: 'aside.mentioned', values: ['UK'], ...other }), 'one mentions UK');
  assert.equal(sentenceOf({ code: 'genre.mentioned', ...other }), 'one mentions a genre of the other');
  const founded = (years: number) => sentenceOf({ code: 'founded.same', values: [years], ...other });
  assert.deepEqual([0, 1, 2].map(founded), [
    'founded in one year',
    'founded 1 year apart',
    'founded 2 years apart',
  ]);
  const zoned = (minutes: number) =>
    sentenceOf({ code: 'start.country-zone-1-hour', values: [minutes], ...other });
  assert.deepEqual([1, 30].map(zoned), [
    'same start in a zone of the country',
    'starts 30 minutes apart in a zone of the country',
  ]);
});
