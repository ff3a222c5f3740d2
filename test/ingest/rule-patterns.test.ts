/** Patterns of source rules: words and globs, without case and accents, in bounded time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRecordContent } from '../../src/contract/feed.ts';
import { withTimeLimit } from '../../src/ingest/import/record-time-limit.ts';
import { compilePattern, findPattern, type Listing } from '../../src/ingest/rules/pattern.ts';
import { changeRules, summarizeRules } from '../../src/ingest/rules/rule-changes.ts';
import { RuleFilter } from '../../src/ingest/rules/rule-filter.ts';
import { parseStoredRules } from '../../src/ingest/rules/source-rules.ts';

const event = (changes: Partial<FeedRecordContent<'event'>> = {}): Listing => ({
  kind: 'event',
  externalId: '4711',
  statement: {
    name: 'Brain Break: Frühstück',
    start_at: '2027-03-01T23:00',
    venue: { name: 'Salon zur Wilden Renate', city: 'Köln', country: 'DE' },
    lineup: [{ name: 'Âme' }, { name: 'Ben Klock' }],
    genres: ['Techno'],
    url: 'https://Club.example/kids/4711',
    ...changes,
  },
});
const fits = (pattern: string, listing = event()): boolean =>
  findPattern([compilePattern(pattern)], listing) !== undefined;

test('a pattern fits whole words, or the whole text with * and ?', () => {
  for (const pattern of [
    'brain break',
    'BREAK',
    'fruhstuck',
    'Brain Break*',
    '*frühstück',
    'b?ain*',
    'name:brain',
    'venue:renate',
    'venue:salon*',
    'city:Koln',
    'country:de',
    'artist:ame',
    'genre:techno',
    'url:*/kids/*',
    'url:kids',
    'id:4711',
    'Name: Brain Break*',
  ])
    assert.ok(fits(pattern), pattern);
  for (const pattern of [
    'brain bre',
    'break brain',
    'Brain Break',
    'rain',
    'Brain Break?',
    'venue:brain',
    'artist:klock ben',
    'id:471',
  ])
    assert.equal(fits(pattern, event({ name: 'Brainbreak' })), false, pattern);
});

test('a name without letters or with a colon is matched as it is', () => {
  assert.ok(fits('!!!', event({ name: '!!!' })));
  assert.equal(fits('!!!', event({ name: '???!' })), false);
  assert.ok(fits('Live: Acid', event({ name: 'Live: Acid' })));
  assert.equal(fits('venue:Salon', event({ venue: null })), false);
});

test('editions and episodes are judged by their name, artists and address', () => {
  const edition: Listing = {
    kind: 'edition',
    externalId: 'f27',
    statement: {
      festival: { name: 'Dimensions' },
      edition: '2027',
      city: 'Tisno',
      lineup: [{ name: 'Objekt' }],
    },
  };
  assert.ok(fits('Dimensions 2027', edition));
  assert.ok(fits('artist:Objekt', edition));
  const episode: Listing = {
    kind: 'episode',
    externalId: 'e1',
    statement: { podcast: { name: 'Mixes' }, name: 'Mix 1', artists: [{ name: 'Call Super' }] },
  };
  assert.ok(fits('artist:call super', episode));
  assert.equal(fits('venue:x', episode), false);
});

test('hostile patterns and names end', () => {
  const rules = changeRules(
    {},
    { exclude: Array.from({ length: 100 }, (_, i) => `${'*a?'.repeat(60)}${i}`) },
  );
  const filter = new RuleFilter(rules, 0);
  const hostile = event({ name: 'a'.repeat(1_000), lineup: [{ name: 'a'.repeat(1_000) }] });
  withTimeLimit(5_000, () => assert.equal(filter.judge(hostile), null));
  withTimeLimit(5_000, () => assert.equal(fits('(a+)+$', event({ name: `${'a'.repeat(900)}!` })), false));
  withTimeLimit(5_000, () => assert.ok(fits(`*${'?'.repeat(150)}*`, event({ name: '🎛'.repeat(500) }))));
});

test('rules are changed by texts, and say what is wrong', () => {
  const rules = changeRules(
    {},
    { addExclude: ['Brain Break*', 'brain break*', ' quiz '], maxAge: '90d', onMissing: 'remove:7d' },
  );
  assert.deepEqual(rules.exclude, ['brain break*', 'quiz']);
  assert.deepEqual(rules.onMissing, { removeAfterMs: 7 * 86_400_000 });
  assert.equal(summarizeRules(rules).on_missing, 'remove:7d');
  assert.equal(summarizeRules(rules).max_age, '90d');
  const weeks = changeRules({}, { maxAge: '2w', onMissing: 'remove:36h' });
  assert.deepEqual([summarizeRules(weeks).max_age, summarizeRules(weeks).on_missing], ['14d', 'remove:36h']);
  const fewer = changeRules(rules, { unset: ['exclude=Quiz', 'max-age'], country: ' de ', hold: false });
  assert.deepEqual(fewer, { exclude: ['brain break*'], country: 'DE', onMissing: rules.onMissing });
  assert.deepEqual(changeRules(fewer, { unset: ['all'] }), {});
  const wrong: [Parameters<typeof changeRules>[1], RegExp][] = [
    [{ country: 'Germany' }, /country is not an ISO 3166-1/],
    [{ timezone: 'Berlin' }, /timezone is not an IANA/],
    [{ license: 'free for all' }, /license is neither an SPDX/],
    [{ attributionUrl: 'javascript:alert(1)' }, /attributionUrl is not an http/],
    [{ attribution: 'two\nlines' }, /attribution has more than one line/],
    [{ maxAge: 'long' }, /--max-age is a time span such as 12h, 90d or 2w/],
    [{ maxAge: '15000w' }, /--max-age is a time span/],
    [{ onMissing: 'hide' }, /--on-missing is cancel, remove/],
    [{ unset: ['colour'] }, /--unset is all, include/],
    [{ unset: ['exclude=other'] }, /There is no exclude pattern other/],
    [{ exclude: ['x'.repeat(201)] }, /exclude 1 is longer than 200/],
    [{ exclude: Array.from({ length: 101 }, (_, i) => `x${i}`) }, /exclude has more than 100 patterns/],
  ];
  for (const [changes, message] of wrong) assert.throws(() => changeRules({}, changes), message);
});

test('unknown members of a newer version are kept, and broken rules are reported', () => {
  const rules = parseStoredRules('club', '{"exclude":["a"],"colour":"red"}');
  assert.equal(changeRules(rules, { addExclude: ['b'] }).colour, 'red');
  assert.throws(
    () => parseStoredRules('club', '{"exclude":"a"}'),
    /rules of club cannot be read.*--unset all/,
  );
  assert.throws(() => parseStoredRules('club', 'nonsense'), /cannot be read/);
});

test('defaults fill in what a record does not state, in their own country only', () => {
  const rules = changeRules(
    {},
    { city: 'Berlin', country: 'DE', timezone: 'Europe/Berlin', genres: ['techno'] },
  );
  const filter = new RuleFilter(rules, 0);
  const bare = { name: 'Night', start_at: '2027-03-01T23:00' };
  assert.deepEqual(filter.complete('event', bare), {
    ...bare,
    city: 'Berlin',
    country: 'DE',
    timezone: 'Europe/Berlin',
    genres: ['techno'],
  });
  const abroad = { ...bare, country: 'FR', timezone: 'Europe/Paris', genres: ['House'] };
  assert.deepEqual(filter.complete('event', abroad), abroad);
  const placed = { ...bare, venue: { name: 'Salon', city: 'Leipzig', country: 'DE' } };
  assert.equal('city' in filter.complete('event', placed), false);
  const artist = { name: 'Ben Klock' };
  assert.equal(filter.complete('artist', artist), artist);
});

test('events that ended too long ago are skipped', () => {
  const now = Date.parse('2027-06-01T12:00:00Z');
  const filter = new RuleFilter(changeRules({}, { maxAge: '30d' }), now);
  const ruleOf = (start_at: string, end_at?: string) => filter.judge(event({ start_at, end_at }))?.rule;
  assert.equal(ruleOf('2027-04-30T23:00'), 'max-age');
  assert.equal(ruleOf('2027-05-02'), undefined);
  assert.equal(ruleOf('2027-04-01', '2027-05-20'), undefined);
});

test('a pattern that names a field and no text is refused', () => {
  assert.throws(() => changeRules({}, { include: ['Night*', 'venue: '] }), {
    message: 'The include pattern venue: has no text. Write venue:TEXT.',
  });
  assert.throws(
    () => changeRules({}, { addExclude: ['artist:'] }),
    /The exclude pattern artist: has no text/,
  );
  assert.deepEqual(changeRules({}, { exclude: ['Remix:'] }).exclude, ['Remix:'], 'a name may end in a colon');
});
