/** Components of events, editions and venues: line-up, tickets, address. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import type { Formats } from '../../pages/messages/formats.ts';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';
import type { SiteLineupRow } from '../../store/site/relations.ts';
import { isHttpUrl, type PageContext, recordPath } from '../page-context.ts';
import { ExternalLink } from './links.tsx';
import { cityText, countryText } from './parts.tsx';

/** Maximum number of ticket sellers on a page. */
export const maxTickets = 25;

/** Countries that write the postal code after the city; others write it before. */
const postalCodeLastCountries = new Set(
  'GB IE US CA AU NZ IN PK ZA SG TH HK JP KR TW BR CO VE NG KE EG SA JO'.split(' '),
);

/** Street, postal code and city in the order of the country; the city is a link if it has a page. */
export function Address({
  context,
  location,
  city,
  code,
}: {
  context: PageContext;
  location: ApiRecord<'Venue'>['location'] | null;
  city: { slug: string | null; name: string | null };
  /** Code of the country (ISO 3166-1). */
  code: string | null;
}): VNode {
  const { address: street = null, postal_code: postal = null } = location ?? {};
  const isBehind = postalCodeLastCountries.has(code ?? '') || city.name === null;
  const name = cityText(context.messages, city.name, code);
  const place = city.slug === null ? name : <a href={recordPath(context, 'city', city.slug)}>{name}</a>;
  const town = [isBehind ? null : postal, place, isBehind ? postal : null].filter((part) => part !== null);
  const parts = [
    street && [street],
    town.length > 0 && town,
    code && [countryText(context.messages, code)],
  ].filter(Boolean);
  return (
    <>
      {(parts as (VNode | string)[][]).map((part, index) => (
        <span key={index}>
          {index > 0 && ', '}
          {part.map((piece, at) => [at > 0 && '\u00a0', piece])}
        </span>
      ))}
    </>
  );
}

/** A link to the coordinates (`geo:`, RFC 5870), which opens the visitor's map application. */
export function MapLink({ location }: { location: ApiRecord<'Venue'>['location'] | null }): VNode | null {
  if (location === null || location.latitude === null || location.longitude === null) return null;
  return (
    <>
      {' '}
      <a class="small whole" href={`geo:${location.latitude},${location.longitude}`}>
        {useMessages().common.openInMaps}
      </a>
    </>
  );
}

/** A line-up: headliners large, grouped by stage if it has stages. */
export function Lineup({
  context,
  lineup,
  most,
}: {
  context: PageContext;
  lineup: readonly SiteLineupRow[];
  most: number;
}): VNode {
  const acts = lineup.slice(0, most);
  const stages = [...new Set(acts.map(({ stage }) => stage))];
  const byStage = stages.length > 1 || stages[0] !== null;
  return (
    <div class="bill">
      {stages.map((stage) => (
        <div key={stage}>
          {byStage && <h3>{stage ?? context.messages.event.moreActs}</h3>}
          <ul>
            {acts
              .filter((act) => act.stage === stage)
              .map((act, index) => (
                <LineupAct context={context} act={act} key={index} />
              ))}
          </ul>
        </div>
      ))}
      {lineup.length > most && <p class="soft">{context.messages.common.andMore}</p>}
    </div>
  );
}

function LineupAct({ context, act }: { context: PageContext; act: SiteLineupRow }): VNode {
  const { slug, name, billing, set_start_at: from, set_end_at: to } = act;
  return (
    <li class={billing === 'headline' ? 'head' : undefined}>
      <a href={recordPath(context, 'artist', slug)}>{name}</a>
      {from !== null && (
        <span class="small mono">
          {' '}
          {from.slice(11, 16)}
          {to !== null && `–${to.slice(11, 16)}`}
        </span>
      )}
    </li>
  );
}

type Availability = keyof Messages['availability'];
const availabilityTags: Record<string, [text: Availability, look: string]> = {
  available: ['available', 'good'],
  limited: ['limited', ''],
  sold_out: ['soldOut', 'bad'],
  not_on_sale: ['notOnSale', ''],
};

/** "€12", "€12 – €20"; empty without a price. */
export function priceText(
  { price }: Formats,
  {
    price_min: low,
    price_max: high,
    currency,
  }: Pick<ApiRecord<'TicketLink'>, 'price_min' | 'price_max' | 'currency'>,
): string {
  const least = low ?? high;
  if (least === null) return '';
  const money = (amount: number): string => (currency === null ? String(amount) : price(amount, currency));
  return high !== null && high > least ? `${money(least)} – ${money(high)}` : money(least);
}

/** Ticket sellers with price and availability. */
export function Tickets({ tickets }: { tickets: readonly ApiRecord<'TicketLink'>[] }): VNode {
  const { availability, formats } = useMessages();
  return (
    <ul class="rows tickets">
      {tickets.slice(0, maxTickets).map((ticket) => {
        const [key, look] = availabilityTags[ticket.availability ?? ''] ?? [null, ''];
        return (
          <li key={`${ticket.seller} ${ticket.url}`}>
            <span class="what">
              {isHttpUrl(ticket.url) ? (
                <ExternalLink href={ticket.url}>{ticket.seller}</ExternalLink>
              ) : (
                ticket.seller
              )}{' '}
              {key !== null && <span class={`tag ${look}`.trim()}>{availability[key]}</span>}
            </span>
            <span class="price">{priceText(formats, ticket)}</span>
          </li>
        );
      })}
    </ul>
  );
}
