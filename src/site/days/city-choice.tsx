/** The button that remembers a city in a cookie, and the one that asks the browser where the visitor is. */
import type { VNode } from 'preact';
import { type PageContext, recordPath } from '../page-context.ts';

/** A button to remember a city for the home page, or to forget it. */
export function CityChoice({
  context,
  city: { slug, name },
}: {
  context: PageContext;
  city: { slug: string; name: string };
}): VNode {
  const { days: words } = context.messages;
  const isRemembered = context.rememberedCity === slug;
  const path = recordPath(context, 'city', slug);
  return (
    <form class="remember" method="post" action={`${path}/${isRemembered ? 'forget' : 'remember'}`}>
      <button class="quiet small" type="submit" title={words.rememberHint}>
        {isRemembered ? words.forget(name) : words.remember(name)}
      </button>
    </form>
  );
}

/**
 * The button "Near me". The script shows it, if the browser can tell positions; it sends the position rounded to one
 * decimal of a degree.
 */
export function NearMe({ context }: { context: PageContext }): VNode {
  const { days: words } = context.messages;
  return (
    <p class="near" data-near={`${context.siteUrl.prefix}/near`} data-failed={words.nearFailed} hidden>
      <button type="button" class="quiet" title={words.nearHint}>
        {words.near}
      </button>
      <span class="soft small" role="status" />
    </p>
  );
}
