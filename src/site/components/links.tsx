/** Links from a record to other websites. */
import type { ComponentChildren, VNode } from 'preact';
import { externalServices } from '../../contract/fields.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { isHttpUrl } from '../page-context.ts';

const serviceNames: Record<string, string> = {
  musicbrainz: 'MusicBrainz',
  discogs: 'Discogs',
  ra: 'Resident Advisor',
  spotify: 'Spotify',
  wikidata: 'Wikidata',
  setlistfm: 'setlist.fm',
  soundcloud: 'SoundCloud',
};

/** The text of a link: its type in words, and its host if that is more specific. */
function linkLabel({ common }: Messages, { type, url }: { type: string; url: string }): string {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
  const service = type.toLowerCase();
  if (Object.hasOwn(serviceNames, service)) return serviceNames[service] as string;
  const words = type.replace(/[_-]+/g, ' ').trim();
  const name = service === 'website' ? common.website : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return host === '' || name.toLowerCase().replaceAll(' ', '') === host.split('.').at(-2)
    ? name
    : `${name}: ${host}`;
}

/** A link to another website. */
export const ExternalLink = ({ href, children }: { href: string; children: ComponentChildren }): VNode => (
  <a href={href} rel="nofollow noopener">
    {children}
  </a>
);

export type LinkedRecord = {
  website?: string | null;
  links: readonly { type: string; url: string }[];
};

/** The list of a record's links; null if it has none. Only http and https addresses become links. */
export function linkList(messages: Messages, { website = null, links }: LinkedRecord): VNode | null {
  const own = isHttpUrl(website) ? [{ type: 'website', url: website }] : [];
  const all = new Map([...own, ...links].filter(({ url }) => isHttpUrl(url)).map((link) => [link.url, link]));
  if (all.size === 0) return null;
  return (
    <ul class="chips">
      {[...all.values()].slice(0, 40).map((link) => (
        <li key={link.url}>
          <ExternalLink href={link.url}>{linkLabel(messages, link)}</ExternalLink>
        </li>
      ))}
    </ul>
  );
}

/** The names of the services that have an id for the record; the ids themselves are only in the API. */
export const knownServices = (ids: Record<string, string | null>): string =>
  externalServices
    .filter((service) => (ids[service] ?? null) !== null)
    .map((service) => serviceNames[service] ?? `${service.charAt(0).toUpperCase()}${service.slice(1)}`)
    .join(', ');
