/** Covers and maps: drawn from what is in their paths, and the same each time. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'cheerio/slim';
import { outlinesFile } from '../../src/assets.ts';
import { coverOf, coverPath, drawCover, parseCoverPath } from '../../src/media/cover.ts';
import { mapArea, mapPath, mapSize, parseMapPath } from '../../src/media/map/area.ts';
import { type DrawnMap, drawMap } from '../../src/media/map/draw-map.ts';
import { Maps } from '../../src/media/map/maps.ts';
import { type Outlines, openOutlines } from '../../src/media/map/outlines.ts';
import { isPathOf, parsePicturePath, picturePath } from '../../src/media/paths.ts';
import type { Place } from '../../src/places/place-index.ts';

describe('covers', () => {
  test('show initials, and are the same for the same name', () => {
    assert.equal(coverOf('Ben Klock').letters, 'BK');
    assert.equal(coverOf('Berghain').letters, 'B');
    assert.equal(coverOf('DJ Stingray 313').letters, 'DS');
    assert.equal(coverOf('ōkuma & лена').letters, 'ŌЛ');
    assert.equal(coverOf('!!!').letters, '');
    assert.deepEqual(coverOf('Tresor', 'Techno'), coverOf('Tresor', 'Techno'));
    assert.equal(coverOf('A', 'Techno').tone, coverOf('B', 'techno').tone, 'a genre has a colour');
  });

  test('are drawn from their path alone, which holds nothing else', () => {
    for (const name of [
      'Ben Klock',
      'ōkuma лена',
      '!!!',
      'x'.repeat(5_000),
      '<script>',
      'ﬃ ß',
      'q̂̌ \u{11013}\u{11001}',
    ]) {
      const cover = coverOf(name);
      assert.deepEqual(parseCoverPath(coverPath(cover)), cover, name);
      const svg = drawCover(cover);
      assert.ok(svg.length < 4_000, `${svg.length} bytes`);
      const $ = load(svg, { xml: true });
      assert.equal($('text').text(), cover.letters);
      assert.equal($('script').length, 0);
    }
    for (const path of [
      '/media/cover/1-12-0-A.svg',
      '/media/cover/1-0-4096-A.svg',
      '/media/cover/1-0-0-%3Cscript%3E.svg',
      '/media/cover/1-0-0-ABCDEFG.svg',
      '/media/cover/1-0-0-%E0%A4%A.svg',
      '/media/cover/2-0-0-A.svg',
    ])
      assert.equal(parseCoverPath(path), null, path);
  });
});

test('the path of a picture names the record and the address', () => {
  const path = picturePath('art_00000a', 'https://a.test/1.jpg', 320);
  const parsed = parsePicturePath(path);
  assert.ok(parsed !== null && parsed.id === 'art_00000a' && parsed.width === 320);
  assert.ok(isPathOf(parsed, 'https://a.test/1.jpg'));
  assert.ok(!isPathOf(parsed, 'https://a.test/2.jpg'));
  for (const other of [
    path.replace('320', '321'),
    path.replace('320', '0320'),
    path.replace('webp', 'jpg'),
    path.replace('art_', '../'),
  ])
    assert.equal(parsePicturePath(other), null, other);
});

describe('maps', () => {
  let outlines: Outlines;
  before(async () => {
    outlines = await openOutlines(outlinesFile());
  });
  const place = (name: string, latitude: number, longitude: number, more: Partial<Place> = {}): Place => ({
    rank: 0,
    name,
    country: 'XX',
    region: null,
    latitude,
    longitude,
    population: 5_000,
    timezone: 'UTC',
    isDistrict: false,
    ...more,
  });
  const draw = (latitude: number, longitude: number, scale: 'venue' | 'city', places: Place[] = []) =>
    load(drawMap({ outlines, places: { within: () => places } }, { latitude, longitude, scale }), {
      xml: true,
    });
  /** The area of the land in square kilometres, from its path (shoelace formula), within the drawn margin. */
  const landArea = (path: string): number =>
    path
      .split('z')
      .filter((ring) => ring !== '')
      .reduce((sum, ring) => {
        const points = [...ring.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [
          Number(x),
          Number(y),
        ]);
        const twice = points.reduce((total, [x = 0, y = 0], at) => {
          const [nextX = 0, nextY = 0] = points[(at + 1) % points.length] as number[];
          return total + x * nextY - nextX * y;
        }, 0);
        return sum + Math.abs(twice) / 2;
      }, 0) /
    (mapSize.width / 200) ** 2;

  test('an island has its size and water around it', () => {
    // Malta and Gozo have 316 km².
    const area = landArea(draw(35.94, 14.4, 'city')('.l').attr('d') ?? '');
    assert.ok(area > 280 && area < 350, `${Math.round(area)} km²`);
  });

  test('inland is all land, the open sea has none, and a map where three countries meet has borders', () => {
    const whole = (mapSize.width * 1.1 * mapSize.height * 1.1) / (mapSize.width / 200) ** 2;
    const inland = landArea(draw(51.5, 11, 'city')('.l').attr('d') ?? '');
    assert.ok(Math.abs(inland - whole) < whole * 0.01, `${Math.round(inland)} of ${Math.round(whole)} km²`);
    assert.equal(draw(0, -150, 'city')('.l').length, 0);
    assert.equal(draw(51.5, 11, 'city')('.b').length, 0);
    assert.equal(draw(47.58, 7.59, 'city')('.b').length, 1);
  });

  test('names do not cover each other, and are escaped', () => {
    const $ = draw(51.5, 11, 'venue', [
      place('First & <Last>', 51.52, 11.05, { population: 200_000 }),
      place('To the left', 51.52, 11.05),
      place('Hidden', 51.52, 11.051),
      place('Other', 51.45, 10.9),
      place('Off the edge', 51.5, 11.256),
    ]);
    const names = $('text')
      .toArray()
      .map((text) => $(text).text());
    assert.deepEqual(names, ['First & <Last>', 'To the left', 'Other', 'Off the edge', '5 km']);
    assert.equal($('text.big').text(), 'First & <Last>');
    assert.equal($('text[text-anchor=end]').text(), 'To the leftOff the edge');
    assert.equal($('circle.m').attr('cx'), String(mapSize.width / 2));
  });

  test('a kilometre is as long in each direction', () => {
    const area = mapArea(60, 10, 'venue');
    const [east, north] = [area.x(10.1) - area.x(10), area.y(60) - area.y(60.05)];
    assert.ok(Math.abs(east / north - 1) < 0.001);
  });

  test('a path has one spelling; positions near the poles have none', () => {
    assert.equal(mapPath(52.51112, 13.443, 'venue'), '/media/map/1-52.511,13.443-venue.svg');
    assert.equal(mapPath(52.51112, 13.443, 'city'), '/media/map/1-52.51,13.44-city.svg');
    assert.equal(mapPath(85, 0, 'city'), null);
    assert.deepEqual(parseMapPath('/media/map/1-52.51,13.44-city.svg'), {
      latitude: 52.51,
      longitude: 13.44,
      scale: 'city',
    });
    for (const path of [
      '1-52.511,13.443-city',
      '1-052.51,13.44-city',
      '1-99.00,0.00-city',
      '1-1.00,1.00-sea',
    ])
      assert.equal(parseMapPath(`/media/map/${path}.svg`), null, path);
  });

  describe('in their thread', () => {
    const maps = new Maps();
    after(() => maps.close());

    test('have the places of the world, and are drawn once', async () => {
      const path = mapPath(52.51, 13.44, 'city') as string;
      const [first, other] = await Promise.all([maps.at(path), maps.at(path)]);
      assert.deepEqual(first, other);
      const { svg: one, ms } = first as DrawnMap;
      assert.ok(ms > 0);
      const $ = load(one, { xml: true });
      const names = $('text')
        .toArray()
        .map((text) => $(text).text());
      assert.ok(names.includes('Potsdam'), names.join());
      assert.ok(!names.includes('Berlin'), 'the page names the city itself');
      assert.ok(one.length < 12_000);
      assert.deepEqual(await maps.at(path), { svg: one, ms: 0 }, 'a kept map costs nothing');
      assert.equal(await maps.at('/media/map/nothing.svg'), null);
    });
  });
});
