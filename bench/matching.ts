/**
 * `npm run bench:matching`: how well records are told apart and put together (issue: precision, recall and F1).
 *
 *   node --import tsx bench/matching.ts [--wrong] [--split dev|held|blind|programme]
 */
import { parseArgs } from 'node:util';
import { byTag, figuresHead, figuresLine, figuresOf, type Judged } from './matching-figures.ts';
import { judgeScenes, readScenes, type Split } from './matching-listings.ts';
import { readSongPairs } from './matching-songs.ts';
import { importScenes } from './matching-whole.ts';

const { values } = parseArgs({
  options: { wrong: { type: 'boolean', default: false }, split: { type: 'string' } },
});
const all: readonly Split[] = ['dev', 'held', 'blind', 'programme'];
if (values.split !== undefined && !all.some((split) => split === values.split)) {
  process.stderr.write('--split is dev, held, blind or programme\n');
  process.exit(2);
}
const splits = values.split === undefined ? all : [values.split as Split];
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

function report(title: string, judged: Judged[], tags: boolean): void {
  say(figuresLine(title, figuresOf(judged)));
  if (tags) for (const [tag, pairs] of byTag(judged)) say(figuresLine(`  ${tag}`, figuresOf(pairs)));
  if (!values.wrong) return;
  for (const { same, found, describe } of judged)
    if (same !== found) say(`- ${same ? 'MISSED' : 'WRONGLY MATCHED'}: ${describe()}`);
}

const songs = readSongPairs();
if (songs === null) say('songs: ../shared/data/matching is not here, left out');
else {
  say(`Songs (iTunes and Amazon): title, version, artists, album and time compared`);
  say(figuresHead);
  report('songs', songs, false);
}
for (const split of splits) {
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
