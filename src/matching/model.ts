/**
 * What matching weighs, and what comes of it. A listing is one source's statement of a show with what is known of its
 * place; it can be made of two raw lines of a feed alone, so that the judges are pure and can be measured without a file.
 */

type Maybe<T> = T | null | undefined;

/** What is known of a house. */
export type VenueFacts = {
  name: string;
  /** The record of this catalogue it was found to be: equal is same, whatever the names. */
  record?: Maybe<number>;
  /** The id at its source, with the source: two ids at one source are two houses. */
  source?: Maybe<string>;
  externalId?: Maybe<string>;
  city?: Maybe<string>;
  /** The names of the city, where it is known by more than being named; else none. */
  cityAliases?: Maybe<readonly string[]>;
  country?: Maybe<string>;
  address?: Maybe<string>;
  postalCode?: Maybe<string>;
  latitude?: Maybe<number>;
  longitude?: Maybe<number>;
  aliases?: Maybe<readonly string[]>;
  website?: Maybe<string>;
  /** Ids at services (musicbrainz, ra …): equal is same, different ids of one service are different houses. */
  externalIds?: Maybe<Readonly<Record<string, unknown>>>;
  /** As of artists. */
  impliedIds?: Maybe<Readonly<Record<string, ImpliedIds>>>;
};

export type ActFacts = {
  name: string;
  externalId?: Maybe<string>;
  /** Other names of the artist, where they are known. */
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

/** One source's listing of a show. Only `source`, `externalId`, `name` and `startAt` must be there. */
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
  /** As of a house: the names of the city, where it is known. */
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
   * Ids that nobody states as such, by service: of a source that is a service the id it has there (`isOwn`), else those in
   * the addresses of its pages.
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

/** One thing that speaks for (weight above 0) or against two being one; weights are log-odds and add up. */
export type Evidence = { evidence: string; weight: number; text: string };

export type MatchOutcome = 'same' | 'different' | 'doubtful';

/** What a judge says of a pair; the same for (a, b) and (b, a). */
export type MatchResult = {
  outcome: MatchOutcome;
  /** How likely the two are one, 0 to 1. */
  score: number;
  /** The same as log-odds, where evidence was added up: likelihoods near 1 hardly differ. */
  odds?: number;
  /** The name of the rule that decided: 'weighed' where the evidence added up did. */
  rule: string;
  reasons: Evidence[];
};

/** From here on a pair is the same. */
export const sameThreshold = 0.8;
/** Below this a pair is different; between the two it is doubtful: kept apart and queued. */
export const doubtfulThreshold = 0.35;

/** Longer names are none: they are compared as they stand, since letter by letter takes long. */
export const maxComparedNameLength = 150;

type NameAndAliases = { name: string; aliases?: Maybe<readonly string[]> };

/**
 * What is judged of names that are longer than any: different where they differ, else by their beginnings.
 * @returns null where neither is
 */
export function compareLongNames<T extends NameAndAliases>(
  a: T,
  b: T,
  compare: (a: T, b: T) => MatchResult,
): MatchResult | null {
  if (a.name.length <= maxComparedNameLength && b.name.length <= maxComparedNameLength) return null;
  if (a.name !== b.name)
    return decideByRule('long names', 'different', 0.02, [
      { evidence: 'name', weight: -6, text: 'different names, longer than names are' },
    ]);
  const cut = (thing: T): T => ({ ...thing, name: thing.name.slice(0, maxComparedNameLength) });
  return compare(cut(a), cut(b));
}

/** Log-odds as a likelihood with three decimals. */
export const probabilityOf = (logOdds: number): number =>
  Math.round(1_000 / (1 + Math.exp(-logOdds))) / 1_000;

/**
 * Adds up what was found.
 * @param from the likelihood from which two are the same
 */
export function scoreEvidence(evidence: Evidence[], prior: number, from = sameThreshold): MatchResult {
  const odds = evidence.reduce((sum, { weight }) => sum + weight, prior);
  const score = probabilityOf(odds);
  const outcome = score >= from ? 'same' : score >= doubtfulThreshold ? 'doubtful' : 'different';
  return { outcome, score, odds, rule: 'weighed', reasons: evidence };
}

/** A decision by one rule alone; what else was found is told too. */
export function decideByRule(
  rule: string,
  outcome: MatchOutcome,
  score: number,
  evidence: Evidence[],
): MatchResult {
  return { outcome, score, rule, reasons: evidence };
}
