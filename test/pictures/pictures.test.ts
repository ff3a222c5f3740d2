/** Pictures: texts that fit, drawings in the thread, and the limits of its queue. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pictureParts } from '../../src/assets.ts';
import { type Card, drawCard } from '../../src/pictures/card.ts';
import { readFont } from '../../src/pictures/font.ts';
import { drawIcon } from '../../src/pictures/icon.ts';
import { Painter, pictureDigest, TooManyPictures } from '../../src/pictures/painter.ts';
import { fit, printable, wrap } from '../../src/pictures/words.ts';

const [regular, bold] = pictureParts().fonts.map(readFont) as [
  ReturnType<typeof readFont>,
  ReturnType<typeof readFont>,
];
const card: Card = {
  service: 'cratebase',
  logo: null,
  accent: '#ff8d60',
  kind: 'Event',
  title: 'Night',
  date: { weekday: 'Fri', day: '27', month: 'Nov 2026' },
  lead: '23:00 · Hall, Berlin',
  lines: ['Ann, Bob'],
};
const painter = new Painter();
after(() => painter.close());

test('the font has Latin, Cyrillic and Greek letters; others are written in Latin letters', () => {
  const line = 'Ärger Łódź Щука Θεσσαλονίκη Žižkov';
  assert.equal(printable(line, bold), line);
  for (const text of ['電気グルーヴ', 'مهرجان', 'ไทย', '서울', '🎉🎉']) {
    const written = printable(text, regular);
    assert.ok(written.length > 0, text);
    assert.ok(
      [...written].every((letter) => regular.has(letter)),
      written,
    );
  }
  assert.equal(printable('a\u202e\u0000b\u200d\n c', regular), 'a b c');
});

test('lines are as wide as their room, and the last one says that there is more', () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve';
  const lines = wrap(words, regular, 32, 300, 3);
  assert.equal(lines.length, 3);
  assert.ok(lines.every((line) => regular.width(line, 32) <= 300));
  assert.ok(lines[2]?.endsWith('…'));
  assert.deepEqual(wrap('one two', regular, 32, 300, 3), ['one two']);
  assert.ok(regular.width(fit('x'.repeat(5_000), regular, 32, 300), 32) <= 300);
  assert.ok(bold.width('wide', 40) > regular.width('wide', 40));
});

test('a title of three lines leaves room for the line-up', () => {
  const title = 'Sample: Melodic Techno Open Air with Mind Against';
  for (const lead of [
    '23:00 · Hall, Berlin',
    '14:00 · The Great Concert Hall of the Old Docks, Frankfurt am Main',
  ]) {
    const svg = drawCard({ ...card, title, lead }, { regular, bold });
    const baselines = [...svg.matchAll(/<text x="(?:328)" y="(\d+)"/g)].map(([, y]) => Number(y));
    assert.ok(svg.includes('Ann, Bob'), lead);
    assert.ok(Math.max(...baselines) <= 546, `the last line is in the picture: ${baselines}`);
    assert.deepEqual(
      baselines,
      baselines.toSorted((one, other) => one - other),
    );
  }
  const acts = Array.from({ length: 20 }, (_, at) => `Artist ${at}`).join(', ');
  assert.match(drawCard({ ...card, title, lines: [acts] }, { regular, bold }), /Artist 0, [^<]*…<\/text>/);
  const without = drawCard({ ...card, title, lines: [] }, { regular, bold });
  assert.match(without, /font-size="76"/);
});

test('names stay text in the drawing', () => {
  const svg = drawCard({ ...card, title: '</text><image href="file:///etc/passwd"/>&' }, { regular, bold });
  assert.ok(!svg.includes('<image'));
  assert.ok(svg.includes('&lt;/text&gt;&lt;image'));
  const icon = drawIcon({ logo: null, accent: '#ff8d60', size: 512, maskable: true });
  assert.match(icon, /width="512" height="512"/);
});

test('a picture is drawn once, also for requests at the same time, and equal to itself', async () => {
  const [one, other] = await Promise.all([painter.draw({ card }), painter.draw({ card })]);
  assert.deepEqual(one?.png, other?.png);
  assert.equal((await painter.draw({ card })).ms, 0, 'the picture is kept');
  assert.equal(one?.digest, pictureDigest({ card }));
  assert.notEqual(pictureDigest({ card: { ...card, title: 'Day' } }), one?.digest);
});

test('a flood of new pictures is refused, and the accepted ones are drawn', async () => {
  const flood = Array.from({ length: 60 }, (_, index) =>
    painter.draw({
      icon: { logo: null, accent: `#0000${String(index).padStart(2, '0')}`, size: 180, maskable: false },
    }),
  );
  const results = await Promise.allSettled(flood);
  const refused = results.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 20);
  assert.ok(refused.every((one) => one.reason instanceof TooManyPictures));
});

test('a logo of the operator is part of the picture, and a broken one does not end the thread', async () => {
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const plain = await painter.draw({ card });
  const own = await painter.draw({ card: { ...card, logo: { type: 'image/png', base64: dot } } });
  assert.notDeepEqual(own.png, plain.png);
  const broken = await painter.draw({ card: { ...card, logo: { type: 'image/png', base64: 'AAAA' } } });
  assert.equal(broken.png.readUInt32BE(16), 1200);
});
