/** Compares ids at services (musicbrainz, ra …): stated ids, and ids implied by the source or by linked pages. */
import { externalServices } from '../contract/fields.ts';
import { isDerivedId } from '../text/derived-id.ts';
import { normalizeId } from '../text/external-id.ts';
import { parseProfileLinks } from '../text/profile-links.ts';
import { type Evidence, evidenceOf, type ImpliedIds } from './model.ts';
import { idWeights } from './weights.ts';

type ExternalIds = Readonly<Record<string, unknown>> | null | undefined;
type IdFacts = {
  externalIds?: ExternalIds;
  impliedIds?: Readonly<Record<string, ImpliedIds>> | null | undefined;
};

/** One id in common proves the same, one that differs proves two; null where no service has both. */
export const compareExternalIds = (a: IdFacts, b: IdFacts): IdEvidence | null =>
  compareStated(a.externalIds, b.externalIds) ?? compareImplied(a, b) ?? compareImplied(b, a);

type IdEvidence = Evidence<keyof typeof idWeights>;
const idEvidence = evidenceOf(idWeights);

function compareStated(a: ExternalIds, b: ExternalIds): IdEvidence | null {
  let evidence: IdEvidence | null = null;
  for (const [service, id] of Object.entries(a ?? {})) {
    const other = b?.[service];
    if (id == null || other == null) continue;
    if (normalizeId(id) === normalizeId(other)) return idEvidence('external id.same', service);
    evidence = idEvidence('external id.different', service);
  }
  return evidence;
}

/**
 * Compares an id that one states with the ids that the other implies. A difference counts only between numbers: some sources
 * make up their ids, and an artist may have several pages at one service.
 */
function compareImplied({ externalIds }: IdFacts, { impliedIds }: IdFacts): IdEvidence | null {
  for (const [service, implied] of Object.entries(impliedIds ?? {})) {
    const stated = externalIds?.[service];
    if (stated == null) continue;
    if (implied.ids.includes(normalizeId(stated))) return idEvidence('external id.same', service);
    if (implied.isOwn && [normalizeId(stated), ...implied.ids].every((id) => /^\d+$/.test(id)))
      return idEvidence('external id.different', service);
  }
  return null;
}

const lettersOnly = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** The service that a source is by its name: "discogs", "Ticketmaster UK", "setlist.fm"; null for most. */
const serviceOfSource = (source: string): string | null => {
  const names = [lettersOnly(source), lettersOnly(source.split(/[^A-Za-z]/, 1)[0] ?? '')];
  return externalServices.find((service) => names.includes(service)) ?? null;
};

/** A normalized id at a service. */
export type ServiceId = [service: string, id: string];

/** A source record, as far as it says by which ids its record is found. */
type IdStatement = {
  external_ids?: Readonly<Record<string, string | null | undefined>> | null | undefined;
  links?: readonly { url: string }[] | null | undefined;
};

/** The ids by which a source record makes its record found: those that it states, and those that it implies. */
export function idsOf(
  { source, externalId }: { source: string; externalId: string },
  { external_ids, links }: IdStatement,
): ServiceId[] {
  const stated = Object.entries(external_ids ?? {}).flatMap(([service, id]): ServiceId[] =>
    id == null ? [] : [[service, normalizeId(id)]],
  );
  const implied = Object.entries(impliedIds(source, externalId, links)).flatMap(([service, { ids }]) =>
    ids.map((id): ServiceId => [service, id]),
  );
  return [...stated, ...implied];
}

/** The ids that a source implies for a record: its own id, if the source is a service, and the ids in the URLs of its pages. */
export function impliedIds(
  source: string,
  externalId: string,
  links: readonly { url: string }[] | null | undefined,
): Record<string, ImpliedIds> {
  const implied: Record<string, { ids: string[]; isOwn: boolean }> = {};
  for (const { url } of links ?? []) {
    for (const [service, id] of Object.entries(parseProfileLinks([url]).external_ids)) {
      implied[service] ??= { ids: [], isOwn: false };
      implied[service].ids.push(normalizeId(id));
    }
  }
  const service = serviceOfSource(source);
  if (service !== null && !isDerivedId(externalId))
    implied[service] = { ids: [normalizeId(externalId)], isOwn: true };
  return implied;
}
