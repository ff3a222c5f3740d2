/** Short checks of structured answers. */
import type { CallResults, PlannedCall, Question } from './ask.ts';

/** Returns a function that writes the questions of one language. */
export const asking =
  (language: Question['language']) =>
  (
    asked: string,
    calls: readonly PlannedCall[],
    structure: (results: CallResults) => boolean,
    text: readonly RegExp[],
  ): Question => ({ language, asked, calls, structure, text });

export const search = (input: Record<string, unknown>): PlannedCall => ['search_events', input];
export const info = (artist: string): PlannedCall => ['artist_info', { artist }];
export const ofArtist = (input: Record<string, unknown>): PlannedCall => ['artist_upcoming_events', input];
export const atVenue = (input: Record<string, unknown>): PlannedCall => ['venue_upcoming_events', input];

/** The names of the events of the last call are exactly these. */
export const are =
  (...names: string[]) =>
  ({ structures }: CallResults): boolean =>
    JSON.stringify(structures.at(-1).events.map((event: { name: string }) => event.name)) ===
    JSON.stringify(names);
/** The first event of the last call has this name, and passes. */
export const first =
  // biome-ignore lint/suspicious/noExplicitAny: see `CallResults`
    (name: string, passes: (event: any) => boolean = () => true) =>
    ({ structures }: CallResults): boolean => {
      const [event] = structures.at(-1).events;
      return event.name === name && passes(event);
    };
/** The last call passes. */
export const last =
  // biome-ignore lint/suspicious/noExplicitAny: see `CallResults`
    (passes: (structure: any) => boolean) =>
    ({ structures }: CallResults): boolean =>
      passes(structures.at(-1));
