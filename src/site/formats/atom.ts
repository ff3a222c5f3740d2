/**
 * Upcoming events as an Atom feed (RFC 4287), in English for every subscriber.
 * `updated` is the last change of the event; its date is in the text. */

import { formatUtc } from '../../clock.ts';
import { escapeXml } from '../../escape-xml.ts';
import * as en from '../../pages/messages/en.ts';
import { localDate, zoneText } from '../components/dates.tsx';
import { venueText } from '../components/parts.tsx';
import { absoluteUrl, type PageContext, resolveUrl } from '../page-context.ts';
import type { Subscription } from './subscriptions.ts';

/** Escapes a text and drops characters that XML 1.0 cannot contain. */
const toXml = (text: string): string =>
  escapeXml(
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''),
  );

type AtomEntry = Subscription['entries'][number];

function whenText({ start_at, timezone }: AtomEntry): string {
  const date = en.formats.longDate(localDate(start_at));
  return timezone === null
    ? date
    : `${date}, ${start_at.slice(11, 16)} ${zoneText(en.formats, timezone, start_at)}`;
}

function entryText(context: PageContext, entry: AtomEntry): string {
  const { name, status, acts, description, genres } = entry;
  const url = resolveUrl(context, entry.url);
  const state = status === 'cancelled' || status === 'postponed' ? `${status.toUpperCase()}: ` : '';
  const lines = [whenText(entry), venueText(en, entry.venue), acts, description];
  const html = lines
    .filter((line) => line !== '')
    .map((line) => `<p>${toXml(line)}</p>`)
    .join('');
  return `<entry><id>${toXml(tagUri(context, entry.id))}</id><title>${toXml(`${state}${name}, ${en.formats.longDate(localDate(entry.start_at))}`)}</title>
<link rel="alternate" type="text/html" href="${toXml(url)}"/><updated>${formatUtc(entry.changed)}</updated>
${genres.map((genre) => `<category term="${toXml(genre.slug)}" label="${toXml(genre.name)}"/>`).join('')}
<content type="html">${toXml(html)}</content></entry>`;
}

/** A tag URI of the service's host (RFC 4151). It contains the id, not the slug, which can change. */
const tagUri = ({ siteUrl }: PageContext, id: string): string =>
  `tag:${new URL(siteUrl.url).hostname},2026:${id}`;

/** Renders the feed. @param path path of the feed itself */
export function atomFeed(
  context: PageContext,
  { name, url, changed, entries }: Subscription,
  path: string,
): string {
  const self = absoluteUrl(context, path);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${toXml(self)}</id><title>${toXml(`${name}: upcoming events`)}</title><updated>${formatUtc(changed)}</updated>
<author><name>${toXml(context.siteUrl.name)}</name><uri>${toXml(absoluteUrl(context, '/'))}</uri></author><generator version="${toXml(context.version)}">cratebase</generator>
<link rel="self" type="application/atom+xml" href="${toXml(self)}"/><link rel="alternate" type="text/html" href="${toXml(url)}"/>
${entries.map((entry) => entryText(context, entry)).join('\n')}
</feed>
`;
}
