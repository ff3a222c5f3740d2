/**
 * `npm run bench:matching`: measures precision, recall and F1 of matching.
 *
 *   node --import tsx bench/matching.ts [--wrong] [--split dev|held|blind|programme|sellers|last|abroad|weekends] [--orders N]
 *
 * `--orders N` imports each split in N random orders of sources and lines instead, and names the events that differ.
 */
import { festivalScene } from './matching-festival.ts';
import { byTag, figuresHead, figuresLine, figuresOf, type Judged } from './matching-figures.ts';
import { judgeScenes, readScenes, type Scene, type Split, splits } from './matching-listings.ts';
import { differing, inRandomOrder, type Outcome } from './matching-orders.ts';
import { haveInCommon, programmeScene } from './matching-programme.ts';
import { importRecords, readRecordScenes, recordFiles } from './matching-records.ts';
import { readSongPairs } from './matching-songs.ts';
import { importScenes } from './matching-whole.ts';
import { readBenchOptions } from './options.ts';

const usage = `npm run bench:matching -- [options]
  --wrong       print the pairs that are decided wrongly
  --split NAME  one of ${splits.join(', ')}; without it, all, and records of several sources
  --orders N    import each split in N random orders of sources and lines instead, and name the events that differ`;

const { values } = readBenchOptions(usage, {
  options: {
    wrong: { type: 'boolean', default: false },
    split: { type: 'string' },
    orders: { type: 'string' },
  },
});
if (values.split !== undefined && !splits.some((split) => split === values.split)) {
  process.stderr.write(`--split is one of ${splits.join(', ')}\n`);
  process.exit(2);
}
const chosen = values.split === undefined ? splits : [values.split as Split];
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

function report(title: string, judged: Judged[], tags: boolean): void {
  say(figuresLine(title, figuresOf(judged)));
  if (tags) for (const [tag, pairs] of byTag(judged)) say(figuresLine(`  ${tag}`, figuresOf(pairs)));
  if (!values.wrong) return;
  for (const { same, found, describe } of judged)
    if (same !== found) say(`- ${same ? 'MISSED' : 'WRONGLY MATCHED'}: ${describe()}`);
}

if (values.orders !== undefined) await reportOrders(Number(values.orders));
else await reportFigures();

async function reportFigures(): Promise<void> {
  const songs = readSongPairs();
  if (songs === null) say('songs: ../shared/data/matching is not here, left out');
  else {
    say(`Songs (iTunes and Amazon): title, version, artists, album and time compared`);
    say(figuresHead);
    report('songs', songs, false);
  }
  if (values.split === undefined) await reportRecords();
  for (const split of chosen) {
    const scenes = readScenes(split);
    say(`\nListings of shows, ${split}: two by two`);
    say(figuresHead);
    report(split, judgeScenes(scenes), true);
    for (const reversed of [false, true]) {
      const whole = await importScenes(scenes, reversed);
      say(
        `\nListings of shows, ${split}: imported${reversed ? ', sources in the other order' : ''} (${whole.listings} listings of ${whole.shows} shows became ${whole.events} events)`,
      );
      say(figuresHead);
      report(split, whole.judged, false);
    }
  }
  if (values.split === undefined) {
    await derived('A real programme as five sellers list it (derived)', programmeScene(), 'house');
    await derived('A real festival as four sellers list it (derived)', festivalScene(), 'festival');
  }
}

/** Reports on venues, artists, labels and festivals of several sources. */
async function reportRecords(): Promise<void> {
  for (const file of recordFiles) {
    for (const reversed of [false, true]) {
      say(`\nRecords, ${file}: imported${reversed ? ', sources in the other order' : ''}`);
      say(figuresHead);
      report(file, await importRecords(readRecordScenes(file), reversed), true);
    }
  }
}

/** Imports each split in random orders of sources and lines, and reports the events that depend on the order. */
async function reportOrders(orders: number): Promise<void> {
  for (const split of chosen) {
    const listings = readScenes(split).flatMap((scene) => scene.listings);
    const outcomes: Outcome[] = [];
    for (let seed = 1; seed <= orders; seed++) {
      const { outcome, changesOfRepeat } = await inRandomOrder(listings, seed);
      outcomes.push(outcome);
      if (changesOfRepeat > 0) say(`${split}: said once more, ${changesOfRepeat} changes (order ${seed})`);
    }
    const found = differing(outcomes);
    say(
      `${split}: ${outcomes[0]?.length} events in ${orders} orders, ${found.length} that not all orders came to`,
    );
    for (const event of found) say(`- ${event}`);
  }
}

/** One seller of a scene with each of the others, and all together. */
function* groupsOf(scene: Scene, first: string): Generator<[title: string, Scene]> {
  const others = [...new Set(scene.listings.map(({ source }) => source))].filter((one) => one !== first);
  for (const other of others) {
    const listings = scene.listings.filter(({ source }) => source === first || source === other);
    yield [`${first} and ${other}`, { ...scene, listings }];
  }
  yield ['all', scene];
}

async function derived(what: string, scene: Scene | null, first: string): Promise<void> {
  if (scene === null) return void say(`\n${what}: ../shared/data is not here, left out`);
  for (const reversed of [false, true]) {
    say(`\n${what}, imported${reversed ? ', sources in the other order' : ''}`);
    say(figuresHead);
    for (const [title, group] of reversed ? [['all', scene] as const] : groupsOf(scene, first)) {
      const { judged } = await importScenes([group], reversed);
      const telling = judged.filter(({ found, listings }) => found || haveInCommon(...listings));
      report(title, telling, false);
      const mute = judged.length - telling.length;
      if (mute > 0) say(`  and ${mute} pairs of one show with no word in common, not matched`);
    }
  }
}
