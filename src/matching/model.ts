/**
 * The model of matching: the facts that are compared, the evidence of a comparison, its score and the decision. Comparisons are pure functions of the facts, so that
 * they can be measured without a database.
 */

import { type Comparison, type EvidenceCode, type Level, nameOnlyWeights } from './weights.ts';

type Maybe<T> = T | null | undefined;

/** The facts of a venue in one source record. */
export type VenueFacts = {
  name: string;
  /** The venue record of this catalogue, if resolved: equal records are the same, whatever the names. */
  record?: Maybe<number>;
  /** With `externalId`: two ids at one source are two venues. */
  source?: Maybe<string>;
  externalId?: Maybe<string>;
  city?: Maybe<string>;
  /** All names of the city, if the city is in the catalogue with its names; else none. */
  cityAliases?: Maybe<readonly string[]>;
  country?: Maybe<string>;
  address?: Maybe<string>;
  postalCode?: Maybe<string>;
  latitude?: Maybe<number>;
  longitude?: Maybe<number>;
  aliases?: Maybe<readonly string[]>;
  website?: Maybe<string>;
  /** Ids at services (musicbrainz, ra …): equal ids are the same venue, two ids at one service are two venues. */
  externalIds?: Maybe<Readonly<Record<string, unknown>>>;
  /** See `ArtistFacts.impliedIds`. */
  impliedIds?: Maybe<Readonly<Record<string, ImpliedIds>>>;
};

export type ActFacts = {
  name: string;
  externalId?: Maybe<string>;
  /** Other known names of the artist. */
  aliases?: Maybe<readonly string[]>;
  billing?: Maybe<string>;
  stage?: Maybe<string>;
};

export type TicketFacts = {
  seller?: Maybe<string>;
  url?: Maybe<string>;
  price_min?: Maybe<number>;
  price_max?: Maybe<number>;
  currency?: Maybe<string>;
};

/** The facts of an event in one source record. Only `source`, `externalId`, `name` and `startAt` must be there. */
export type EventFacts = {
  /** The source's name: two listings of one source are two shows unless venue, start and title agree. */
  source: string;
  externalId: string;
  name: string;
  /** As in a feed: an instant, a local clock time, or a date alone. */
  startAt: string;
  endAt?: Maybe<string>;
  /** The zone its times are read in: the listing's, else its venue's, else its city's. */
  zone?: Maybe<string>;
  /** 'local' where the source is known to write local clock times with a Z. */
  clock?: Maybe<'instant' | 'local'>;
  venue?: Maybe<VenueFacts>;
  city?: Maybe<string>;
  /** See `VenueFacts.cityAliases`. */
  cityAliases?: Maybe<readonly string[]>;
  country?: Maybe<string>;
  lineup?: Maybe<readonly ActFacts[]>;
  tickets?: Maybe<readonly TicketFacts[]>;
  /** The listing's own page. */
  url?: Maybe<string>;
  genres?: Maybe<readonly string[]>;
  festival?: Maybe<{ name: string; edition: string }>;
  status?: Maybe<string>;
};

export type ArtistFacts = {
  name: string;
  source?: Maybe<string>;
  externalId?: Maybe<string>;
  country?: Maybe<string>;
  aliases?: Maybe<readonly string[]>;
  realName?: Maybe<string>;
  biography?: Maybe<string>;
  genres?: Maybe<readonly string[]>;
  links?: Maybe<readonly { type?: Maybe<string>; url: string }[]>;
  externalIds?: Maybe<Readonly<Record<string, unknown>>>;
  /**
   * Ids that are not stated as such, by service: the id of the record itself, if its source is a service (`isOwn`), else the
   * ids in the URLs of its pages.
   */
  impliedIds?: Maybe<Readonly<Record<string, ImpliedIds>>>;
};

export type ImpliedIds = { ids: readonly string[]; isOwn: boolean };

export type LabelFacts = ArtistFacts & {
  foundedYear?: Maybe<number>;
  website?: Maybe<string>;
  parent?: Maybe<string>;
};

export type FestivalFacts = ArtistFacts & {
  city?: Maybe<string>;
  cityAliases?: Maybe<readonly string[]>;
  website?: Maybe<string>;
};

/** One finding of a comparison: for (weight above 0) or against two being one. Weights are log-odds and add up. */
export type Evidence<Code extends EvidenceCode = EvidenceCode> = {
  code: Code;
  evidence: Comparison;
  weight: number;
  /** The level that the weight is of, if it is not that of the code. */
  level?: Level;
  /** What the sentence of the code names: acts, distances in metres, differences in minutes. */
  values?: readonly EvidenceValue[];
  /** The evidence of a comparison within this one. */
  because?: readonly Evidence[];
};
type EvidenceValue = string | number | null | undefined;

/** Makes evidence of the levels of one table of weights. */
export const evidenceOf =
  <Table extends Partial<Record<EvidenceCode, number>>>(weights: Table) =>
  <Code extends keyof Table & EvidenceCode>(code: Code, ...values: EvidenceValue[]): Evidence<Code> => {
    const evidence = code.slice(0, code.indexOf('.')) as Comparison;
    const weight = weights[code] as number;
    return values.length === 0 ? { code, evidence, weight } : { code, evidence, weight, values };
  };

/** The level that evidence weighs as. */
export const weighedLevel = ({ level, code }: Evidence): Level => level ?? code;

/** The evidence with the greatest weight, the first of equal ones. */
export const strongest = (evidence: readonly Evidence[]): Evidence =>
  evidence.reduce((best, one) => (one.weight > best.weight ? one : best));

export type MatchOutcome = 'same' | 'different' | 'doubtful';

/** What decided: the sum of the weights ('weighed'), or a rule. */
export type MatchRule =
  | 'another-date'
  | 'another-place'
  | 'before-or-after'
  | 'clocks'
  | 'contradicted'
  | 'early-and-late'
  | 'external-id'
  | 'hours-apart'
  | 'listed-part'
  | 'listed-twice'
  | 'long-names'
  | 'name-alone'
  | 'no-place'
  | 'no-show'
  | 'one-record'
  | 'opening-and-closing'
  | 'place-and-date'
  | 'removed-name'
  | 'room'
  | 'same-source-and-date'
  | 'several-days'
  | 'title-of-many-shows'
  | 'two-days'
  | 'two-ids'
  | 'two-listings'
  | 'two-numbers'
  | 'weighed';

/** The result of comparing two records; the same for (a, b) and (b, a). */
export type MatchResult = {
  outcome: MatchOutcome;
  /** The probability that the two are one, 0 to 1. */
  score: number;
  /** The same as log-odds, where evidence was added up: probabilities near 1 hardly differ. */
  odds?: number;
  rule: MatchRule;
  reasons: Evidence[];
};

/** From this score on a pair is the same. */
export const sameThreshold = 0.8;
/** Below this score a pair is different; between the two it is doubtful: kept apart and queued. */
export const doubtfulThreshold = 0.35;

/** Longer names are compared as they stand, since comparing letter by letter takes long. */
export const maxComparedNameLength = 150;

export type NameAndAliases = { name: string; aliases?: Maybe<readonly string[]> };
const nameOnlyEvidence = evidenceOf(nameOnlyWeights);

/**
 * Compares names longer than `maxComparedNameLength`: different where they differ, else by their beginnings.
 * @returns null where neither is longer
 */
export function compareLongNames<T extends NameAndAliases>(
  a: T,
  b: T,
  compare: (a: T, b: T) => MatchResult,
): MatchResult | null {
  if (a.name.length <= maxComparedNameLength && b.name.length <= maxComparedNameLength) return null;
  if (a.name !== b.name)
    return decideByRule('long-names', 'different', 0.02, [nameOnlyEvidence('name.long-different')]);
  const cut = (facts: T): T => ({ ...facts, name: facts.name.slice(0, maxComparedNameLength) });
  return compare(cut(a), cut(b));
}

/** Log-odds as a probability with three decimals. */
export const probabilityOf = (logOdds: number): number =>
  Math.round(1_000 / (1 + Math.exp(-logOdds))) / 1_000;

/**
 * Adds up the weights of the evidence.
 * @param prior the log-odds of two records before any evidence
 * @param from the score from which two are the same
 */
export function scoreEvidence(evidence: Evidence[], prior: number, from = sameThreshold): MatchResult {
  const odds = evidence.reduce((sum, { weight }) => sum + weight, prior);
  const score = probabilityOf(odds);
  const outcome = score >= from ? 'same' : score >= doubtfulThreshold ? 'doubtful' : 'different';
  return { outcome, score, odds, rule: 'weighed', reasons: evidence };
}

/** The result of one rule alone, with all evidence. */
export function decideByRule(
  rule: MatchRule,
  outcome: MatchOutcome,
  score: number,
  evidence: Evidence[],
): MatchResult {
  return { outcome, score, rule, reasons: evidence };
}
