/** Sets of levels by what they say, derived from the tables of weights. Rules ask for them by code. */
import {
  artistWeights,
  eventWeights,
  festivalWeights,
  idWeights,
  type Level,
  labelWeights,
  nameOnlyWeights,
  raisedPlaceWeights,
  venueWeights,
} from './weights.ts';

const levelsOf = (
  tables: readonly Partial<Record<Level, number>>[],
  isOf: (weight: number) => boolean,
): ReadonlySet<Level> =>
  new Set(
    tables
      .flatMap((weights) => Object.entries(weights) as [Level, number][])
      .flatMap(([level, weight]) => (isOf(weight) ? [level] : [])),
  );

const eventTables = [eventWeights, raisedPlaceWeights];
/** The levels of listings that rules ask for: those that speak for one event, and those that speak against it. */
export const eventLevels = {
  confirming: levelsOf(eventTables, (weight) => weight >= 1.4),
  supporting: levelsOf(eventTables, (weight) => weight > 0),
  weakening: levelsOf(eventTables, (weight) => weight < 0),
  opposing: levelsOf(eventTables, (weight) => weight <= -1.2),
  contradicting: levelsOf(eventTables, (weight) => weight <= -2.2),
};
/** The levels that speak against one venue. */
export const venueContradictions = levelsOf(
  [venueWeights, idWeights, nameOnlyWeights],
  (weight) => weight < 0,
);
/** The levels that clearly speak against one venue, artist, label or festival. */
export const opposingEntityLevels = levelsOf(
  [venueWeights, artistWeights, labelWeights, festivalWeights],
  (weight) => weight <= -1.2,
);
