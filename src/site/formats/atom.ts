/**
 * Upcoming events as an Atom feed (RFC 4287), in English for every subscriber.
 * `updated` is the last change of the event; its date is in the text. */

import * as en from '../../pages/messages/en.ts';
import { localDate, zoneText } from '../components/dates.tsx';
import { venueText } from '../components/parts.tsx';
import { absoluteUrl, type PageContext, resolveUrl } from '../page-context.ts';
import type { Subscription } from './subscriptions.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Escapes a text for XML and drops characters that XML 1.0 cannot contain. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (character) => entities[character] as string);
const rfc3339 = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');

type AtomEntry = Subscription['entries'][number];

function whenText({ start_at, timezone }: AtomEntry): string {
  const date = en.formats.longDate(localDate(start_at));
  return timezone === null
    ? date
    : `${date}, ${start_at.slice(11, 16)} ${zoneText(en.formats, timezone, start_at)}`;
}

function entryText(context: PageContext, entry: AtomEntry): string {
  const { name, status, lineup, genres, rest } = entry;
  const url = resolveUrl(context, entry.url);
  const state = status === 'cancelled' || status === 'postponed' ? `${status.toUpperCase()}: ` : '';
  const lines = [
    whenText(entry),
    venueText(en, entry.venue),
    lineup.map((act) => act.name).join(', '),
    rest?.description ?? '',
  ];
  const html = lines
    .filter((line) => line !== '')
    .map((line) => `<p>${escapeXml(line)}</p>`)
    .join('');
  return `<entry><id>${escapeXml(tagUri(context, entry.id))}</id><title>${escapeXml(`${state}${name}, ${en.formats.longDate(localDate(entry.start_at))}`)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(url)}"/><updated>${rfc3339(entry.changed)}</updated>
${genres.map((genre) => `<category term="${escapeXml(genre.slug)}" label="${escapeXml(genre.name)}"/>`).join('')}
<content type="html">${escapeXml(html)}</content></entry>`;
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
<id>${escapeXml(self)}</id><title>${escapeXml(`${name}: upcoming events`)}</title><updated>${rfc3339(changed)}</updated>
<author><name>${escapeXml(context.siteUrl.name)}</name><uri>${escapeXml(absoluteUrl(context, '/'))}</uri></author><generator version="${escapeXml(context.version)}">cratebase</generator>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/><link rel="alternate" type="text/html" href="${escapeXml(url)}"/>
${entries.map((entry) => entryText(context, entry)).join('\n')}
</feed>
`;
}
