/** Compares two source records of one kind, or a source record and a name. */
import { fold } from '../../text/fold.ts';
import { lookupForms } from '../../text/lookup-forms.ts';
import { namesRemovedArtist } from '../../text/removed-artist.ts';
import type { AssignedSourceRecord } from '../clustering.ts';
import {
  compareLongNames,
  decideByRule,
  evidenceOf,
  type FestivalFacts,
  type LabelFacts,
  type MatchResult,
  type VenueFacts,
} from '../model.ts';
import { nameOnlyWeights } from '../weights.ts';
import { compareArtists } from './compare-artists.ts';
import { compareFestivals } from './compare-festivals.ts';
import { compareLabels } from './compare-labels.ts';
import { compareVenues } from './compare-venues.ts';

const nameOnlyEvidence = evidenceOf(nameOnlyWeights);

export type NamedEntityKind = 'venue' | 'artist' | 'label' | 'festival';
export const namedEntityKinds: readonly NamedEntityKind[] = ['venue', 'artist', 'label', 'festival'];
export type EntityFacts = VenueFacts & LabelFacts & FestivalFacts;
/** A source record; or a name that a record had when an operator decided about it (`isDecidedName`). */
export type EntitySourceRecord = AssignedSourceRecord & { facts: EntityFacts; isDecidedName?: boolean };

const comparators: Record<NamedEntityKind, (a: EntityFacts, b: EntityFacts) => MatchResult> = {
  venue: compareVenues,
  artist: compareArtists,
  label: compareLabels,
  festival: compareFestivals,
};

/** Compares two; a name alone means what the same name would mean in a later source record. */
export function compareEntities(
  kind: NamedEntityKind,
  a: EntitySourceRecord,
  b: EntitySourceRecord,
): MatchResult {
  const isMention = (node: EntitySourceRecord) => node.isPlaceholder === true && node.source === '';
  const isRemoved = namesRemovedArtist(a.facts.name) || namesRemovedArtist(b.facts.name);
  if (kind !== 'venue' && !isRemoved && isMention(a) !== isMention(b)) {
    const [one, two] = [a.facts.name, b.facts.name];
    if (fold(one) === fold(two))
      return decideByRule('name-alone', 'same', 0.9, [nameOnlyEvidence('name.mention')]);
    // As a line-up that names DJ Sasha means Sasha, where there is no other.
    if (kind === 'artist' && lookupForms(kind, one).includes(fold(two)))
      return decideByRule('name-alone', 'same', 0.86, [nameOnlyEvidence('name.mention-affix')]);
  }
  return compareLongNames(a.facts, b.facts, comparators[kind]) ?? comparators[kind](a.facts, b.facts);
}
