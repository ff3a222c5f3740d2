/** Addresses of profiles: all sources recognize the same services and ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractServiceIds, toProfileLink } from '../../src/sources/common/web-links.ts';
import { parseProfileLinks } from '../../src/text/profile-links.ts';

test('an address has the same service and id in every source', () => {
  for (const [url, type, ids] of [
    ['https://fb.com/club', 'facebook', {}],
    ['https://music.apple.com/de/artist/x/1', 'apple_music', {}],
    ['https://www.tiktok.com/@a', 'tiktok', {}],
    ['https://vk.com/a', 'vk', {}],
    ['https://www.lastfm.de/music/x', 'lastfm', {}],
    ['https://viaf.org/viaf/1', 'other', {}],
    ['https://club.example/soundcloud.com/a', 'website', {}],
    ['https://ra.co/promoters/1', 'ra', { ra: '1' }],
    ['https://ra.co/dj/ann', 'ra', { ra: 'ann' }],
    ['https://www.residentadvisor.net/profile/ann', 'ra', { ra: 'ann' }],
    ['https://www.bandsintown.com/de/a/12', 'bandsintown', { bandsintown: '12' }],
    ['https://ann.bandcamp.com/', 'bandcamp', { bandcamp: 'ann' }],
    ['https://www.discogs.com/de/artist/12-Ann', 'discogs', { discogs: '12' }],
    ['https://soundcloud.com/ann', 'soundcloud', { soundcloud: 'ann' }],
  ] as const) {
    assert.deepEqual(toProfileLink(url), { type, url });
    assert.deepEqual(extractServiceIds([url]), ids, url);
    const { links, external_ids } = parseProfileLinks([url]);
    assert.deepEqual([links, external_ids], [[{ type, url }], ids], url);
  }
});
