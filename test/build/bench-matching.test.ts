/** The bench of matching: it runs, and no figure falls below its floor. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { byTag, figuresOf, type Judged } from '../../bench/matching-figures.ts';
import { judgeScenes, pairsOf, readScenes, type Scene, type Split } from '../../bench/matching-listings.ts';
import { haveInCommon, programmeScene } from '../../bench/matching-programme.ts';
import { importRecords, readRecordScenes, recordFiles } from '../../bench/matching-records.ts';
import { readSongPairs } from '../../bench/matching-songs.ts';
import { importScenes } from '../../bench/matching-whole.ts';

/** A little under what was measured last: a change that costs more than a pair or two is seen. */
const floors = {
  songs: { precision: 0.98, recall: 0.95 },
  pairs: { precision: 0.98, recall: 0.97 },
  whole: { precision: 0.99, recall: 0.97 },
  records: { precision: 0.98, recall: 0.95 },
  houses: { precision: 0.94, recall: 0.94 },
};

function above(judged: readonly Judged[], floor: { precision: number; recall: number }, what: string): void {
  const { precision, recall } = figuresOf(judged);
  const wrong = judged.filter(({ same, found }) => same !== found).map(({ describe }) => describe());
  assert.ok(precision >= floor.precision, `${what}: precision ${precision}\n${wrong.join('\n')}`);
  assert.ok(recall >= floor.recall, `${what}: recall ${recall}\n${wrong.join('\n')}`);
}

describe('the labelled listings', () => {
  const scenes: Scene[] = (['dev', 'held', 'blind'] as Split[]).flatMap(readScenes);

  test('are many pairs, about half of them different, of many kinds and places', () => {
    const pairs = scenes.flatMap(({ listings }) => pairsOf(listings));
    const same = pairs.filter(([a, b]) => a.show === b.show).length;
    assert.ok(pairs.length >= 400, String(pairs.length));
    assert.ok(same >= pairs.length * 0.4 && same <= pairs.length * 0.6, String(same));
    assert.ok(new Set(scenes.map(({ tag }) => tag)).size >= 20);
    const cities = scenes.flatMap(({ listings }) => listings.map(({ event }) => event.venue?.city));
    assert.ok(new Set(cities).size >= 40);
  });

  test('have an id of their own at their source, and a scene of their own', () => {
    const ids = scenes.flatMap(({ listings }) =>
      listings.map(({ source, event }) => `${source}/${event.external_id}`),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(new Set(scenes.map(({ scene }) => scene)).size, scenes.length);
  });

  test('a source keeps one clock', () => {
    const clocks = new Map<string, string>();
    for (const { source, clock = 'instant' } of scenes.flatMap(({ listings }) => listings)) {
      assert.equal(clocks.get(source) ?? clock, clock, source);
      clocks.set(source, clock);
    }
  });
});

describe('figures', () => {
  test('of pairs without a label: nothing found is precise, nothing to find is found', () => {
    assert.deepEqual(figuresOf([]), {
      pairs: 0,
      same: 0,
      found: 0,
      right: 0,
      precision: 1,
      recall: 1,
      f1: 1,
    });
    const judged = [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ].map(([same = false, found = false]) => ({ tag: 't', same, found, describe: () => '' }));
    const { precision, recall, f1 } = figuresOf(judged);
    assert.deepEqual({ precision, recall, f1 }, { precision: 0.5, recall: 0.5, f1: 0.5 });
  });

  test('of songs', (t) => {
    const songs = readSongPairs();
    if (songs === null) t.skip('../shared/data/matching is not here');
    else above(songs, floors.songs, 'songs');
  });

  for (const split of ['dev', 'held'] as Split[]) {
    test(`of listings two by two, ${split}`, () => {
      above(judgeScenes(readScenes(split)), floors.pairs, split);
    });

    test(`of listings imported, ${split}; the order of sources does not matter`, async () => {
      const forth = await importScenes(readScenes(split));
      above(forth.judged, floors.whole, split);
      const back = await importScenes(readScenes(split), true);
      assert.deepEqual(back.events, forth.events);
      assert.deepEqual(figuresOf(back.judged), figuresOf(forth.judged));
    });
  }
});

for (const file of recordFiles) {
  test(`of houses, artists, labels, festivals imported, ${file}; the order of sources does not matter`, async () => {
    const forth = await importRecords(readRecordScenes(file));
    // A room that is listed by itself is its house here: that alone is held against the houses.
    for (const [kind, pairs] of byTag(forth))
      above(pairs, kind === 'venue' ? floors.houses : floors.records, kind);
    const back = await importRecords(readRecordScenes(file), true);
    assert.deepEqual(figuresOf(back), figuresOf(forth));
  });
}

test('a year of a real programme as five sellers list it', async (t) => {
  const scene = programmeScene([2012]);
  if (scene === null) return t.skip('../shared/data/berghain is not here');
  const { judged } = await importScenes([scene]);
  const telling = judged.filter(({ found, listings }) => found || haveInCommon(...listings));
  above(telling, { precision: 0.99, recall: 0.98 }, 'programme');
});

test('the command prints its figures, and refuses a split that there is not', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const run = (...more: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'bench/matching.ts', ...more], {
      cwd: root,
      encoding: 'utf8',
    });
  const good = run('--split', 'held');
  assert.equal(good.status, 0, good.stderr);
  assert.match(good.stdout, /precision {2}recall {2}F1/);
  assert.match(good.stdout, /^held +\d+/m);
  const bad = run('--split', 'all');
  assert.equal(bad.status, 2);
  assert.match(bad.stderr, /--split is one of dev, held, blind,/);
});
