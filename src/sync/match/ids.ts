/** Ids at services (musicbrainz, ra …), compared: stated, or implied by who speaks and by the pages that are linked. */
import { externalServices } from '../../contract/fields.ts';
import { readProfiles } from '../reading/profile-links.ts';
import { isDerivedId } from './derived-id.ts';
import type { ImpliedIds, Reason } from './listing.ts';

type Ids = Readonly<Record<string, unknown>> | null | undefined;
type WithIds = {
  externalIds?: Ids;
  impliedIds?: Readonly<Record<string, ImpliedIds>> | null | undefined;
};

/** An id as it is compared. */
export const idText = (id: unknown): string => String(id).trim().toLowerCase();

/** One in common is proof, one that differs as well; null where no service knows both. */
export const compareIds = (a: WithIds, b: WithIds): Reason | null =>
  compareStated(a.externalIds, b.externalIds) ?? compareImplied(a, b) ?? compareImplied(b, a);

const same = (service: string): Reason => ({
  evidence: 'external id',
  weight: 9,
  text: `one id at ${service}`,
});
const differing = (service: string): Reason => ({
  evidence: 'external id',
  weight: -9,
  text: `two ids at ${service}`,
});

function compareStated(a: Ids, b: Ids): Reason | null {
  let found: Reason | null = null;
  for (const [service, id] of Object.entries(a ?? {})) {
    const other = b?.[service];
    if (id == null || other == null) continue;
    if (idText(id) === idText(other)) return same(service);
    found = differing(service);
  }
  return found;
}

/**
 * An id that one states, and the other has of itself. That the two differ says something only where both are numbers: some
 * sources have ids of their own making, and whoever has one page of a service may have another.
 */
function compareImplied({ externalIds }: WithIds, { impliedIds }: WithIds): Reason | null {
  for (const [service, implied] of Object.entries(impliedIds ?? {})) {
    const stated = externalIds?.[service];
    if (stated == null) continue;
    if (implied.ids.includes(idText(stated))) return same(service);
    if (implied.isOwn && [idText(stated), ...implied.ids].every((id) => /^\d+$/.test(id)))
      return differing(service);
  }
  return null;
}

const squeezed = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** The service that a source is, by its name: "discogs", "Ticketmaster UK", "setlist.fm"; null for most. */
const serviceOf = (source: string): string | null => {
  const names = [squeezed(source), squeezed(source.split(/[^A-Za-z]/, 1)[0] ?? '')];
  return externalServices.find((service) => names.includes(service)) ?? null;
};

/** The ids that a source implies of a record: its own, if it is a service, and those in the addresses of its pages. */
export function impliedIds(
  source: string,
  externalId: string,
  links: readonly { url: string }[] | null | undefined,
): Record<string, ImpliedIds> {
  const implied: Record<string, { ids: string[]; isOwn: boolean }> = {};
  for (const { url } of links ?? []) {
    for (const [service, id] of Object.entries(readProfiles([url]).external_ids)) {
      implied[service] ??= { ids: [], isOwn: false };
      implied[service].ids.push(idText(id));
    }
  }
  const service = serviceOf(source);
  if (service !== null && !isDerivedId(externalId))
    implied[service] = { ids: [idText(externalId)], isOwn: true };
  return implied;
}
