/** Pictures of records, and drawn covers for records without one. All come from /media of the service itself. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { coverOf, coverPath } from '../../media/cover.ts';
import { picturePath } from '../../media/paths.ts';
import type { PictureWidth } from '../../media/sizes.ts';
import type { PicturedKind } from '../../store/site/pictures.ts';
import { isHttpUrl, type PageContext, shorten } from '../page-context.ts';
import { ExternalLink } from './links.tsx';

type EventItem = ApiRecord<'EventItem'>;

/** A record with a picture, as its page shows it. */
export type PicturedRecord = {
  /** The public id. */
  id: string;
  name: string;
  image_url: string | null;
};

/** The address of a picture that is shown; null if there is none, or if the operator shows none. */
const shownAddress = ({ siteUrl }: PageContext, address: string | null | undefined): string | null =>
  siteUrl.identity.media && isHttpUrl(address ?? null) ? (address as string) : null;

/** Cuts a picture to a square, or shows all of it: posters and logos have text up to the edges. */
type Framing = 'square' | 'whole';

/** The picture of a record beside its heading, with its credit; a drawn cover if there is none. @param group gives the cover its colour: a genre */
export function RecordPicture({
  context,
  record,
  framing = 'square',
  group = null,
}: {
  context: PageContext;
  record: PicturedRecord;
  framing?: Framing;
  group?: string | null;
}): VNode {
  const { prefix } = context.siteUrl;
  const address = shownAddress(context, record.image_url);
  if (address === null) {
    const cover = prefix + coverPath(coverOf(record.name, group));
    return (
      <figure class="picture drawn">
        <img src={cover} alt="" width="240" height="240" />
      </figure>
    );
  }
  const path = (width: PictureWidth) => prefix + picturePath(record.id, address, width);
  return (
    <figure class={`picture ${framing}`}>
      <img
        src={path(640)}
        srcset={`${path(320)} 320w, ${path(640)} 640w, ${path(1200)} 1200w`}
        sizes="(min-width: 44rem) 15rem, 100vw"
        alt={context.messages.media.pictureOf(record.name)}
        width="240"
        height="240"
      />
      <PictureCredit context={context} id={record.id} address={address} />
    </figure>
  );
}

/** The page of a file of Wikimedia Commons, which states author and licence; null for other addresses. */
export function commonsPage(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { host, pathname } = new URL(address);
  const [, shared] =
    (host === 'upload.wikimedia.org' &&
      /^\/wikipedia\/commons\/(?:thumb\/)?[0-9a-f]\/[0-9a-f]{2}\/([^/]{1,300})/.exec(pathname)) ||
    ((host === 'commons.wikimedia.org' || host === 'www.wikidata.org') &&
      /^\/wiki\/Special:(?:FilePath|Redirect\/file)\/([^/]{1,300})$/i.exec(pathname)) ||
    [];
  return shared === undefined
    ? null
    : `https://commons.wikimedia.org/wiki/File:${shared.replaceAll('%20', '_')}`;
}

/** Author and licence of a picture as its source states them, and the page of a file of Wikimedia Commons. */
function PictureCredit({
  context: { site, messages },
  id,
  address,
}: {
  context: PageContext;
  id: string;
  address: string;
}): VNode | null {
  const { credit = null, license = null } = site.pictures.creditOf(id, address) ?? {};
  const page = commonsPage(address);
  if (credit === null && license === null && page === null) return null;
  const stated = [
    credit !== null && messages.media.by(shorten(credit, maxCreditLength)),
    license !== null && <Licence key="licence" license={license} />,
  ].filter(Boolean);
  return (
    <figcaption class="soft small">
      {stated.map((part, index) => [index > 0 && ', ', part])}
      {page !== null && (
        <>
          {stated.length > 0 && ' · '}
          <ExternalLink href={page}>
            {stated.length > 0 ? messages.media.filePage : messages.media.onCommons}
          </ExternalLink>
        </>
      )}
    </figcaption>
  );
}

const maxCreditLength = 200;

/** A licence: its name, or a link with its host if the source states an address. */
const Licence = ({ license }: { license: string }): VNode =>
  isHttpUrl(license) && URL.canParse(license) ? (
    <ExternalLink href={license}>{new URL(license).host + new URL(license).pathname}</ExternalLink>
  ) : (
    <span>{shorten(license, maxCreditLength)}</span>
  );

/** The small picture of a list entry; the name beside it says the same. */
export const Thumbnail = ({ src, size = 64 }: { src: string; size?: number }): VNode => (
  <img class="thumb" src={src} alt="" loading="lazy" width={size} height={size} />
);

/** Lists are longer than this without pictures only: each takes about 110 bytes. */
const maxPictured = 60;

/** Returns the small pictures of a list of events by their ids; of none if no event of the list has a picture. */
export function eventThumbnails(
  context: PageContext,
  events: readonly EventItem[],
): (event: EventItem) => string | null {
  const { site, siteUrl } = context;
  if (!siteUrl.identity.media || events.length > maxPictured) return () => null;
  const addresses = site.pictures.addressesOf(
    'event',
    events.map(({ id }) => id),
  );
  if (addresses.size === 0) return () => null;
  return ({ id, name, venue }) => {
    const address = shownAddress(context, addresses.get(id));
    return (
      siteUrl.prefix +
      (address === null ? coverPath(coverOf(name, venue.name)) : picturePath(id, address, 96))
    );
  };
}

/** Returns the small pictures of a list of names by their ids; of none if no record of the list has a picture. */
export function nameThumbnails(
  { site, siteUrl }: PageContext,
  kind: PicturedKind,
  records: readonly { id: string; name: string }[],
): (record: { id: string; name: string }) => string | null {
  if (!siteUrl.identity.media) return () => null;
  const ids = records.map(({ id }) => id);
  const addresses = site.pictures.addressesOf(kind, ids);
  if (addresses.size === 0) return () => null;
  return ({ id, name }) => {
    const address = addresses.get(id) ?? null;
    return siteUrl.prefix + (isHttpUrl(address) ? picturePath(id, address, 96) : coverPath(coverOf(name)));
  };
}
