/** Upcoming events as an Atom feed (RFC 4287). An entry's time is that of its last change; when the event is stands in it. */

import { venueText } from './parts.tsx';
import { type Ask, absolute, addressOf } from './site.ts';
import type { Subscription } from './subscriptions.ts';
import { dateIn, longDate, zoneText } from './when.tsx';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Text within XML; characters that XML has no way to write are dropped. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (character) => entities[character] as string);
const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');

type Entry = Subscription['entries'][number];

function when({ start_at, timezone }: Entry): string {
  const date = longDate(dateIn(start_at));
  return timezone === null ? date : `${date}, ${start_at.slice(11, 16)} ${zoneText(timezone, start_at)}`;
}

function entryText(ask: Ask, entry: Entry): string {
  const { name, status, lineup, rest } = entry;
  const url = absolute(ask, entry.url);
  const state = status === 'cancelled' || status === 'postponed' ? `${status.toUpperCase()}: ` : '';
  const lines = [
    when(entry),
    venueText(entry.venue),
    lineup.map((act) => act.name).join(', '),
    rest?.description ?? '',
  ];
  const html = lines
    .filter((line) => line !== '')
    .map((line) => `<p>${xml(line)}</p>`)
    .join('');
  return `<entry><id>${xml(idOf(ask, entry.id))}</id><title>${xml(`${state}${name}, ${longDate(dateIn(entry.start_at))}`)}</title>
<link rel="alternate" type="text/html" href="${xml(url)}"/><updated>${time(entry.changed)}</updated>
${(rest?.genres ?? []).map((genre) => `<category term="${xml(genre.slug)}" label="${xml(genre.name)}"/>`).join('')}
<content type="html">${xml(html)}</content></entry>`;
}

/** Ids stay what they are when a slug is merged away; a tag URI of the service's host (RFC 4151). */
const idOf = ({ place }: Ask, id: string): string => `tag:${new URL(place.url).hostname},2026:${id}`;

/** @param path of the feed itself */
export function atomFeed(ask: Ask, { name, url, changed, entries }: Subscription, path: string): string {
  const self = addressOf(ask, path);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${xml(self)}</id><title>${xml(`${name}: upcoming events`)}</title><updated>${time(changed)}</updated>
<author><name>${xml(ask.place.name)}</name><uri>${xml(addressOf(ask, '/'))}</uri></author><generator version="${xml(ask.version)}">cratebase</generator>
<link rel="self" type="application/atom+xml" href="${xml(self)}"/><link rel="alternate" type="text/html" href="${xml(url)}"/>
${entries.map((entry) => entryText(ask, entry)).join('\n')}
</feed>
`;
}
