/** The tags that previews of a page are made from: Open Graph (ogp.me), and the card of X. */
import type { VNode } from 'preact';
import { cardSize } from '../../pictures/card.ts';
import { absoluteUrl, type PageContext } from '../page-context.ts';
import { picturePath } from './picture-paths.ts';

const locales = { en: 'en_GB', de: 'de_DE' } as const;

/**
 * The tags of a page. Addresses must be absolute: without a public address of the service there are none.
 * @param canonical the canonical path; null if the page has none
 */
export function SharingTags({
  context,
  leaf,
  description,
  canonical,
}: {
  context: PageContext;
  leaf: { title: string; type?: string };
  description: string;
  canonical: string | null;
}): VNode {
  const { siteUrl, query, path, language, hasPublicUrl } = context;
  // A selection of days is a page of its own for people, and the same as the list for search engines.
  const shared =
    canonical === null || query.has('when') ? `${path}${query.size === 0 ? '' : `?${query}`}` : canonical;
  return (
    <>
      <meta property="og:title" content={leaf.title} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content={leaf.type ?? 'website'} />
      <meta property="og:site_name" content={siteUrl.name} />
      <meta property="og:locale" content={locales[language]} />
      {hasPublicUrl && (
        <>
          <meta property="og:url" content={absoluteUrl(context, shared)} />
          <meta
            property="og:image"
            content={absoluteUrl(context, picturePath(context, [leaf.title, description]))}
          />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(cardSize.width)} />
          <meta property="og:image:height" content={String(cardSize.height)} />
          <meta property="og:image:alt" content={leaf.title} />
        </>
      )}
      <meta name="twitter:card" content={hasPublicUrl ? 'summary_large_image' : 'summary'} />
    </>
  );
}
