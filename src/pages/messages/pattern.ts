/** The type of the texts of a language. English is the pattern: a language without one of its texts does not compile. */
import type * as en from './en.ts';

export type Messages = typeof en;
