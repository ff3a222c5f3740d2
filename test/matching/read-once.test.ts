/** Texts are read once: what is read of a name, title or ticket does not grow with the records it is compared with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { artistAliases } from '../../src/ingest/resolution/entity-source-records.ts';
import { areSimilarNames } from '../../src/matching/entities/name-variants.ts';
import { compareEvents } from '../../src/matching/events/compare-events.ts';

/** Returns how often a text was normalized: names and titles are read that often. */
function countNormalized(work: () => void): number {
  let count = 0;
  const { normalize } = String.prototype;
  String.prototype.normalize = function counted(this: string, form?: string) {
    count++;
    return normalize.call(this, form);
  };
  try {
    work();
  } finally {
    String.prototype.normalize = normalize;
  }
  return count;
}

test('the title of a show is read once, however many sources list it', () => {
  const listed = Array.from({ length: 40 }, (_, index) => ({
    source: `source-${index}`,
    externalId: 'e1',
    name: 'Zwielicht – Jahrestag: eine lange Nacht',
    startAt: '2027-12-01T23:00',
    venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  }));
  const pairs = listed.flatMap((a, at) => listed.slice(0, at).map((b) => [a, b] as const));
  const count = countNormalized(() => {
    for (const [a, b] of pairs) compareEvents(a, b);
  });
  assert.ok(count <= 2 * listed.length, `${count} texts normalized for ${listed.length} listings`);
});

test('the titles of shows on other dates are not read', () => {
  const listed = Array.from({ length: 20 }, (_, index) => ({
    source: `seller-${index}`,
    externalId: 'e1',
    name: `Zwielicht – Nacht ${index}`,
    startAt: `2027-12-${index + 10}T23:00`,
    venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  }));
  const count = countNormalized(() => {
    for (const a of listed)
      for (const b of listed) if (a !== b) assert.equal(compareEvents(a, b).rule, 'another-date');
  });
  assert.equal(count, 0);
});

test('the parts of a joint name are read once, however many names it is compared with', () => {
  const parts = Array.from({ length: 40 }, (_, index) => `Ørsted Quarry ${index}`);
  const names = parts.map((_, index) => [...parts.slice(index), ...parts.slice(0, index)].join(' & '));
  const count = countNormalized(() => {
    for (const a of names) for (const b of names) assert.ok(areSimilarNames(a, b));
  });
  assert.ok(
    count <= 20 * names.length,
    `${count} texts normalized for ${names.length} names of ${parts.length} parts`,
  );
});

test('the aliases of an artist are read once, however many artists they are compared with', () => {
  let reads = 0;
  const statement = {
    name: 'Matthew Kornfeld',
    get aliases() {
      reads++;
      return ['Kornfeld', 'Doctor Rockit'];
    },
  };
  for (let times = 0; times < 60; times++)
    assert.deepEqual(
      artistAliases(statement).map(({ isVariant }) => isVariant),
      [true, false],
    );
  assert.equal(reads, 1);
});

test('tickets without a price are not compared', () => {
  let reads = 0;
  const tickets = Array.from({ length: 100 }, (_, index) => ({
    seller: 'Seller',
    url: `https://seller.example/event/${1_000 + index}`,
    get price_min() {
      reads++;
      return null;
    },
  }));
  const listing = (source: string) => ({
    source,
    externalId: 'e1',
    name: 'Tiefdruck',
    startAt: '2027-12-01T23:00',
    venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
    tickets,
  });
  compareEvents(listing('club'), listing('city'));
  assert.ok(reads <= 2 * tickets.length, `${reads} prices read of 2 × ${tickets.length} tickets`);
});
