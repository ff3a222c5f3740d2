/** Look-ups and areas with values at their bounds, empty, huge and in odd forms. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { refused } from '../../support/expect.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../../support/program.ts';
import { ask } from '../../support/rest-client.ts';

const folder = temporaryFolder();
let server: Server;
const places: [name: string, latitude: number, longitude: number][] = [
  ['North Pole Club', 90, 0],
  ['South Pole Club', -90, 120],
  ['West of the Line', 0, 179.99],
  ['East of the Line', 0, -179.99],
  ['On the Line', 0, 180],
  ['Greenwich', 0, 0],
];
before(async () => {
  const dataFile = join(folder.path, 'odd.db');
  importFeed(
    dataFile,
    places.map(([name, latitude, longitude], at) => ({
      kind: 'venue',
      external_id: `v${at}`,
      name,
      city: `Town ${at}`,
      country: 'NO',
      latitude,
      longitude,
      external_ids: { musicbrainz: `mb-${at}` },
    })),
  );
  server = await startServer({ dataFile, window: 10_000 });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

const names = async (query: string): Promise<string[]> => {
  const answer = await ask(server, `/venues?${query}`);
  assert.equal(answer.status, 200, `${query}: ${answer.text}`);
  return (answer.json() as { data: { name: string }[] }).data.map(({ name }) => name);
};

describe('look-ups', () => {
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(',');

  for (const [name, prefix] of [
    ['slug', 'no-such-'],
    ['external_id', 'musicbrainz:none-'],
  ] as const)
    it(`${name}: a hundred, a hundred and one, empty and huge values`, async () => {
      assert.deepEqual(await names(`${name}=${many(100, prefix)}`), []);
      refused('invalid_parameter', await ask(server, `/venues?${name}=${many(101, prefix)}`), name);
      const known = name === 'slug' ? 'greenwich' : 'musicbrainz:mb-5';
      assert.deepEqual(await names(`${name}=,,${known},,${known},%20,`), ['Greenwich']);
      // No value is no filter; values that are all empty are a mistake.
      assert.equal((await names(`${name}=`)).length, places.length);
      refused('invalid_parameter', await ask(server, `/venues?${name}=,,`), name);
      const huge = name === 'slug' ? 'a'.repeat(8_000) : `musicbrainz:${'a'.repeat(8_000)}`;
      const answer = await ask(server, `/venues?${name}=${huge},${known}`);
      assert.ok([200, 400].includes(answer.status), answer.text);
      if (answer.status === 200) assert.match(answer.text, /Greenwich/);
      for (const odd of ['%00', '%F0%9F%8E%B5', '%25', "'%20or%201=1", '%22', '%0A'])
        assert.ok([200, 400].includes((await ask(server, `/venues?${name}=${odd}`)).status), odd);
    });
});

describe('areas', () => {
  it('poles and the date line', async () => {
    assert.deepEqual(await names('near=90,0&radius=1km'), ['North Pole Club']);
    assert.deepEqual(await names('near=90,-135.5&radius=500km'), ['North Pole Club']);
    assert.deepEqual(await names('near=-90,0&radius=1km'), ['South Pole Club']);
    const line = ['East of the Line', 'On the Line', 'West of the Line'];
    for (const longitude of ['180', '-180', '179.999', '-179.999'])
      assert.deepEqual(await names(`near=0,${longitude}&radius=3km`), line, longitude);
    assert.deepEqual(await names('bbox=179,-1,-179,1'), line);
    assert.deepEqual(await names('bbox=180,-1,-180,1'), ['On the Line']);
    assert.deepEqual(await names('bbox=-180,-90,180,90'), places.map(([name]) => name).sort());
  });

  it('the smallest and the largest radius', async () => {
    assert.deepEqual(await names('near=0,0&radius=500km'), ['Greenwich']);
    assert.deepEqual(await names('near=0,0&radius=310mi'), ['Greenwich']);
    assert.deepEqual(await names('near=0,0&radius=0.001km'), ['Greenwich']);
    for (const radius of [
      '0',
      '0km',
      '-1km',
      '500.1km',
      '311mi',
      '1e3km',
      'NaN',
      'Infinity',
      '5m',
      'km',
      '5kmkm',
      '0x5km',
    ])
      refused('invalid_parameter', await ask(server, `/venues?near=0,0&radius=${radius}`), 'radius');
  });

  it('numbers in odd forms', async () => {
    for (const near of [
      'NaN,0',
      '0,NaN',
      'Infinity,0',
      '91,0',
      '-90.0001,0',
      '0,181',
      '0',
      '0,0,0',
      ',',
      'a,b',
      '0x1,0',
      '٣,٤',
      '0;0',
      '1e1,0',
      '--1,0',
    ])
      refused('invalid_parameter', await ask(server, `/venues?near=${encodeURIComponent(near)}`), 'near');
    for (const bbox of [
      '0,0,0',
      '0,0,0,0,0',
      '0,1,0,-1',
      'NaN,0,0,0',
      '-181,0,0,0',
      '0,-91,0,0',
      '0,0,0,91',
      'a,b,c,d',
      ''.padEnd(900, '1'),
    ])
      refused('invalid_parameter', await ask(server, `/venues?bbox=${encodeURIComponent(bbox)}`), 'bbox');
    for (const near of ['-0,0', '0.0,-0.0', '+0,0', '00,000', ' 0 , 0 ', '0.,0'])
      assert.ok(
        [200, 400].includes((await ask(server, `/venues?near=${encodeURIComponent(near)}`)).status),
        near,
      );
    assert.deepEqual(await names('near=-0.0,0.000001'), ['Greenwich']);
  });

  it('the same areas find events, and none holds the service up', async () => {
    for (const area of [
      'near=90,0&radius=500km',
      'near=0,180&radius=500km',
      'bbox=-180,-90,180,90',
      'bbox=1,-90,0,90',
    ])
      for (const other of [
        '',
        '&status=cancelled',
        '&has_tickets=true',
        '&updated_since=2090-01-01T00:00:00Z',
      ])
        assert.equal((await ask(server, `/events?${area}${other}`)).status, 200, `${area}${other}`);
  });
});
