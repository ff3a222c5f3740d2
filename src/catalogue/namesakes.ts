/** The other records that a name in a question may mean: "Kraftwerk" is an artist and a venue. */
import type { NameableKind } from '../store/search/named-records.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { placeConstraintOf } from './event-query.ts';
import type { EventResults } from './find-events.ts';
import { type Candidate, exactScore } from './linking/candidates.ts';
import { type EntityLink, isExactLink, linkEntity } from './linking/entity-linking.ts';
import type { Catalogue } from './request.ts';

/** A record with the name `text` of a question, besides the one that the question was read with. */
export type Namesake = { kind: NameableKind; match: Candidate; text: string };

/** The kinds whose records a visitor may mean by a name alone. */
const kinds: readonly NameableKind[] = ['venue', 'artist', 'label', 'festival'];

/** Returns the namesakes of the venues and artists of a question, in its place, best first. */
export function namesakesOf({ names, country }: EventResults, catalogue: Catalogue): Namesake[] {
  const inCountry = country === null ? {} : { country: country.code };
  const place = placeConstraintOf(
    catalogue,
    inCountry,
    names.find(({ kind }) => kind === 'city'),
  );
  const isPlaced = Object.keys(place).length > 0;
  const hasVenue = names.some(({ kind }) => kind === 'venue');
  return names.flatMap((name) => {
    if ((name.kind !== 'venue' && name.kind !== 'artist') || !isExactLink(name)) return [];
    const links = kinds.flatMap((kind) => {
      if (kind === name.kind) return name;
      // "Kraftwerk at Tresor" does not mean another venue.
      if (kind === 'venue' && hasVenue) return [];
      const isName = catalogue.reader.namedRecords.hasName(kind, name.text);
      return isName ? linkEntity(catalogue, kind, name.text, kind === 'venue' ? place : {}) : [];
    });
    return links.flatMap((link) =>
      exactMatches(link)
        .filter(({ id }) => link.kind !== name.kind || id !== name.match?.id)
        // With a place, candidates elsewhere are listed as well.
        .filter((match) => link.kind !== 'venue' || !isPlaced || match.id === link.match?.id)
        .map((match) => ({ kind: link.kind, match, text: name.text })),
    );
  });
}

/** The records of a link that have exactly its name, or a name that differs from it only by accents and spaces. */
function exactMatches({ match, alternatives, text }: EntityLink): Candidate[] {
  const words = normalizeForSearch(text);
  return [match, ...alternatives].filter(
    (one): one is Candidate =>
      one !== null && one.score >= exactScore && normalizeForSearch(one.name) === words,
  );
}
