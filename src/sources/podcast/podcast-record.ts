/** The podcast itself, as a feed's first page tells of it. */

import type { RecordOf } from '../adapter.ts';
import { htmlToText } from '../common/html-to-text.ts';
import type { FeedPage } from './feed-page.ts';

const isHttpUrl = (text: string): boolean => /^https?:/i.test(text);
/** Descriptions are shown on a page: more than this is none. */
export const maxDescriptionLength = 50_000;

/**
 * @param formatLocation where the feed was found
 * @returns the podcast; null where it has no title. Its id is its podcast:guid, else its address, else its link or title.
 */
export function toPodcast(page: FeedPage, location: string): RecordOf<'podcast'> | null {
  if (page.title === undefined) return null;
  // Some feeds name their home page as themselves.
  const self = page.self === page.website ? undefined : page.self;
  const address = isHttpUrl(location) ? location : self;
  const description =
    page.description === undefined ? '' : htmlToText(page.description).slice(0, maxDescriptionLength);
  return {
    kind: 'podcast',
    external_id: (page.guid ?? address ?? page.website ?? page.title).trim().slice(0, 1_000),
    name: page.title.slice(0, 1_000),
    ...(page.publisher ? { publisher: page.publisher } : {}),
    ...(description === '' ? {} : { description }),
    ...(page.website ? { website: page.website } : {}),
    ...(address ? { feed_url: address } : {}),
    ...(page.image ? { image_url: page.image } : {}),
  };
}
