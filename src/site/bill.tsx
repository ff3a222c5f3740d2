/** What events and editions share: who plays, what it costs, where it is on a map. */
import type { VNode } from 'preact';
import type { Shown } from '../contract/records.ts';
import type { LineupRow } from '../store/site-relations.ts';
import { Out } from './links.tsx';
import { type Ask, isWeb, pathOf } from './site.ts';

/** So many sellers are named. */
export const mostTickets = 25;

/** Where a map would show it; opens whatever the reader has for maps. */
export function Geo({ location }: { location: Shown<'Venue'>['location'] | null }): VNode | null {
  if (location === null || location.latitude === null || location.longitude === null) return null;
  return (
    <>
      {' '}
      <a class="small" href={`geo:${location.latitude},${location.longitude}`}>
        Open in maps
      </a>
    </>
  );
}

/** A line-up: headliners large, by stage where it says stages. */
export function Bill({ ask, lineup, most }: { ask: Ask; lineup: readonly LineupRow[]; most: number }): VNode {
  const shown = lineup.slice(0, most);
  const stages = [...new Set(shown.map(({ stage }) => stage))];
  const byStage = stages.length > 1 || stages[0] !== null;
  return (
    <div class="bill">
      {stages.map((stage) => (
        <div key={stage}>
          {byStage && <h3>{stage ?? 'More acts'}</h3>}
          <ul>
            {shown
              .filter((act) => act.stage === stage)
              .map((act, index) => (
                <Act ask={ask} act={act} key={index} />
              ))}
          </ul>
        </div>
      ))}
      {lineup.length > most && <p class="soft">and more</p>}
    </div>
  );
}

function Act({ ask, act }: { ask: Ask; act: LineupRow }): VNode {
  const { slug, name, billing, set_start_at: from, set_end_at: to } = act;
  return (
    <li class={billing === 'headline' ? 'head' : undefined}>
      <a href={pathOf(ask, 'artist', slug)}>{name}</a>
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

const availability: Record<string, [text: string, look: string]> = {
  available: ['Available', 'good'],
  limited: ['Few left', ''],
  sold_out: ['Sold out', 'bad'],
  not_on_sale: ['Not on sale', ''],
};

function price({ price_min: low, price_max: high, currency }: Shown<'TicketLink'>): string {
  const least = low ?? high;
  if (least === null) return '';
  const money = (amount: number): string => {
    if (currency === null) return String(amount);
    try {
      return amount.toLocaleString('en-GB', {
        style: 'currency',
        currency,
        minimumFractionDigits: amount % 1 ? 2 : 0,
      });
    } catch {
      return `${amount} ${currency}`;
    }
  };
  return high !== null && high > least ? `${money(least)} – ${money(high)}` : money(least);
}

/** Sellers with price and availability. */
export function Tickets({ tickets }: { tickets: readonly Shown<'TicketLink'>[] }): VNode {
  return (
    <ul class="rows tickets">
      {tickets.slice(0, mostTickets).map((ticket) => {
        const [text, look] = availability[ticket.availability ?? ''] ?? ['', ''];
        return (
          <li key={`${ticket.seller} ${ticket.url}`}>
            <span class="what">
              {isWeb(ticket.url) ? <Out href={ticket.url}>{ticket.seller}</Out> : ticket.seller}{' '}
              {text !== '' && <span class={`tag ${look}`.trim()}>{text}</span>}
            </span>
            <span class="price">{price(ticket)}</span>
          </li>
        );
      })}
    </ul>
  );
}
