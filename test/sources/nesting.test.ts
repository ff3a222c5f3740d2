/** Limits on the depth of JSON and on the attributes of an element, which cost far more memory than their text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../../src/sources/common/html.ts';
import { parseJson } from '../../src/sources/common/parse-json.ts';
import { parsePageList } from '../../src/sources/jsonld/sitemap.ts';
import { fileWith, read } from '../support/source-server.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('JSON is parsed up to a depth of 2,000', () => {
  assert.deepEqual(parseJson('{"a":[1,{"b":"]"}]}'), { a: [1, { b: ']' }] });
  assert.ok(Array.isArray(parseJson(nested(2_000))));
  assert.throws(() => parseJson(nested(2_001)), /nested deeper than 2,000 levels/);
  assert.throws(() => parseJson(`${'{"a":'.repeat(2_001)}1${'}'.repeat(2_001)}`), /nested deeper/);
  // Refused before it is parsed: the text is not closed.
  assert.throws(() => parseJson(`{"z":${'['.repeat(5_000_000)}`), /nested deeper/);
});

test('brackets in strings and beside each other are no depth', () => {
  const text = `\\"${'[{'.repeat(5_000)}\\\\`;
  assert.deepEqual(parseJson(`["${text}",${nested(10)},${Array(5_000).fill('[]').join()}]`), [
    JSON.parse(`"${text}"`),
    JSON.parse(nested(10)),
    ...Array.from({ length: 5_000 }, () => []),
  ]);
});

test('a line of a feed that is nested too deeply is reported', async (context) => {
  const lines = [
    '{"kind":"artist","external_id":"1","name":"Ada"}',
    `{"kind":"artist","external_id":"2","name":"Eve","z":${nested(100_000)}}`,
    '{"kind":"artist","external_id":"3","name":"Ivo"}',
  ];
  const { records, rejected } = await read('feed', fileWith(context, 'deep.ndjson', lines.join('\n')));
  assert.equal(records.length, 2);
  assert.equal(rejected.length, 1);
  assert.match(rejected[0]?.where ?? '', /deep\.ndjson:2$/);
  assert.match(rejected[0]?.reason ?? '', /nested deeper than 2,000 levels/);
});

test('an element keeps its first 1,000 attributes', () => {
  const attributes = Array.from({ length: 5_000 }, (_, at) => `a${at}="${at}"`).join(' ');
  const [first, second] = parseHtml(`<p ${attributes}>one</p><p id="two">two</p>`).children ?? [];
  assert.equal(Object.keys(first?.attribs ?? {}).length, 1_000);
  assert.equal(first?.attribs?.a999, '999');
  assert.equal(first?.children?.[0]?.data, 'one');
  assert.deepEqual({ ...second?.attribs }, { id: 'two' });
});

test('reading a sitemap ends at an element with too many attributes; the pages before it are kept', () => {
  const attributes = Array.from({ length: 50_000 }, (_, at) => `a${at}="${at}"`).join(' ');
  const url = (name: string, more = '') => `<url ${more}><loc>https://club.example/${name}</loc></url>`;
  const text = `<urlset>${url('one')}${url('two', attributes)}${url('three')}</urlset>`;
  assert.deepEqual(parsePageList(text, 'sitemap', 10).pages, ['https://club.example/one']);
});

test('a podcast feed with an element of too many attributes is refused', async (context) => {
  const attributes = Array.from({ length: 20_000 }, (_, at) => `a${at}="${at}"`).join(' ');
  const text = `<rss><channel><title>T</title><item ${attributes}><title>E</title></item></channel></rss>`;
  const { rejected } = await read('podcast', fileWith(context, 'feed.xml', text));
  assert.match(rejected[0]?.reason ?? '', /too many attributes/);
});
