/** Judging of two statements of one kind, or of a statement and a name. */
import { fold } from '../../store/fold.ts';
import { judgeArtists } from './artists.ts';
import { judgeFestivals } from './festivals.ts';
import { judgeLabels } from './labels.ts';
import {
  type FestivalFacts,
  type Judgement,
  judgeLong,
  type LabelFacts,
  ruled,
  type VenueFacts,
} from './listing.ts';
import { nameForms } from './name-forms.ts';
import type { Placed } from './rehome.ts';
import { judgeVenues } from './venues.ts';

export type NamedKind = 'venue' | 'artist' | 'label' | 'festival';
export const namedKinds: readonly NamedKind[] = ['venue', 'artist', 'label', 'festival'];
export type NamedFacts = VenueFacts & LabelFacts & FestivalFacts;
/** A statement; or a name by which a record was known when an operator decided of it (`isName`). */
export type NamedNode = Placed & { facts: NamedFacts; isName?: boolean };

const judges: Record<NamedKind, (a: NamedFacts, b: NamedFacts) => Judgement> = {
  venue: judgeVenues,
  artist: judgeArtists,
  label: judgeLabels,
  festival: judgeFestivals,
};

/** What only its name is known of is what the name would have meant, had it been said later. */
export function judgeNamed(kind: NamedKind, a: NamedNode, b: NamedNode): Judgement {
  const isMention = (node: NamedNode) => node.isStub === true && node.source === '';
  if (kind !== 'venue' && isMention(a) !== isMention(b)) {
    const [one, two] = [a.facts.name, b.facts.name];
    const told = (text: string) => [{ evidence: 'name', weight: 3, text }];
    if (fold(one) === fold(two))
      return ruled(
        'known by name alone',
        'same',
        0.9,
        told('the same name, and nothing else is known of one'),
      );
    // As a line-up that names DJ Sasha means Sasha, where there is no other.
    if (kind === 'artist' && nameForms(kind, one).includes(fold(two)))
      return ruled('known by name alone', 'same', 0.86, told('the same name but for "The", "DJ" or "and"'));
  }
  return judgeLong(a.facts, b.facts, judges[kind]) ?? judges[kind](a.facts, b.facts);
}
