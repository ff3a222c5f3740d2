/** Texts of reports: rejected and skipped items. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileWith, read } from '../support/source-server.ts';

test('a cut title in a report has no half of an emoji', async (context) => {
  const title = `${'x'.repeat(79)}🎧 and more`;
  const item = (more: string) => `<item><title>${title}</title>${more}</item>`;
  const feed = `<rss version="2.0"><channel><title>Show</title>${item('<guid>a</guid>')}${item(
    '<guid>b</guid><enclosure url="https://cdn.example.org/b.mp3" type="audio/mpeg"/>',
  )}</channel></rss>`;
  const { rejected } = await read('podcast', fileWith(context, 'show.rss', feed));
  assert.equal(rejected.length, 1);
  assert.match(rejected[0]?.where ?? '', /item 1 \(x{79}\)$/);
});
