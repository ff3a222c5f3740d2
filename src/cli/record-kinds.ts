/** The kinds of record, as people name them; here as well, because loading the contract would slow every --help. */
import type { Kind } from '../contract/fields.ts';

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
