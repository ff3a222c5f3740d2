/** What is known of a person who is forgotten. */
import type { StoredContent } from '../../../store/resolution/forget-store.ts';

/** Whether the stage name stays, or line-ups omit the artist. */
export type NameChoice = 'keep' | 'remove';
/** What is known of a person, to be overwritten. */
export type Person = {
  id: number;
  name: string;
  slug: string;
  /** All names, without those that belong to another artist too. */
  names: string[];
  /** All slugs that lead to the record. */
  slugs: string[];
  /** [service, id] */
  serviceIds: [string, string][];
  rows: StoredContent[];
};
