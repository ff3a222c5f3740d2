/** Search with `type`: cities, genres and podcasts besides the kinds of the full-text index. */
import type { ApiRecord } from '../contract/records.ts';
import type { SmallKindSearch, SmallNameHit, SmallSearchKind } from '../store/search/small-kinds.ts';
import { fold, normalizeForSearch } from '../text/fold.ts';
import { matchTypeOf } from './match-types.ts';

type TieredHit = { nameHit: { words: string; is_alias: number }; toHit(): ApiRecord<'SearchHit'> | null };

/** Joins two lists that are in the order of the tiers; of one tier, the first list comes first. */
export function joinByTier(q: string, first: TieredHit[], second: TieredHit[]): TieredHit[] {
  if (second.length === 0) return first;
  const words = normalizeForSearch(q);
  const all = [...first, ...second].map((hit) => ({ hit, tier: tierOf(words, hit.nameHit) }));
  return all.sort((a, b) => a.tier - b.tier).map(({ hit }) => hit);
}

/** Returns the tier of a name: 0 exact name, 1 exact alias, 2 name prefix, 3 word prefix, 4 other spelling. */
function tierOf(words: string, { words: name, is_alias }: TieredHit['nameHit']): number {
  const tiers = { name: 0, alias: 1, beginning: 2, words: 3, guess: 4, 'part of a guess': 4 } as const;
  return tiers[matchTypeOf(words, { words: name, terms: name, is_alias })];
}

/** Returns the names of small kinds that match, one per record, best first. Other spellings are not tried. */
export function findInSmallKinds(
  small: SmallKindSearch,
  kinds: readonly SmallSearchKind[],
  q: string,
): SmallNameHit[] {
  const words = normalizeForSearch(q);
  const last = words.split(' ').at(-1) as string;
  if (words === '') return [];
  const matches = kinds
    .flatMap((kind) => small.find(kind, fold(q).trim(), last))
    .map((nameHit) => ({ nameHit, tier: tierOf(words, nameHit) }))
    .filter(({ tier }) => tier < 4)
    .sort((a, b) => a.tier - b.tier || b.nameHit.prominence - a.nameHit.prominence);
  const recordIds = new Set<number>();
  return matches.flatMap(({ nameHit }) => {
    if (recordIds.has(nameHit.record_id)) return [];
    recordIds.add(nameHit.record_id);
    return [nameHit];
  });
}
