/** The kinds of records on the command line. They are repeated here because loading the contract would slow down --help. */
import type { Kind } from '../contract/fields.ts';
import { Failure } from '../failure.ts';
import { plural } from '../plural.ts';

const everyKind: Record<Kind, true> = {
  event: true,
  artist: true,
  venue: true,
  festival: true,
  edition: true,
  city: true,
  label: true,
  genre: true,
  podcast: true,
  episode: true,
};
export const kinds = Object.keys(everyKind) as Kind[];

/** Parses a kind, in any case of letters; throws a `Failure` (wrong usage) for another word. */
export function parseKind(text: string): Kind {
  const kind = kinds.find((name) => name === text.toLowerCase());
  if (!kind) throw new Failure(`Unknown kind ${JSON.stringify(text)}. Use one of ${kinds.join(', ')}.`, 2);
  return kind;
}

/** A count of records of a kind: "1 city", "12 cities". */
export const countOfKind = (count: number, kind: string): string =>
  plural(count, kind, kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`);
