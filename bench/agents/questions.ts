/** The questions of `bench/agents` in six languages. */
import type { Question } from './ask.ts';
import { french, german } from './questions-central.ts';
import { english } from './questions-english.ts';
import { dutch, italian, spanish } from './questions-south.ts';

export const questions: readonly Question[] = [
  ...english,
  ...german,
  ...french,
  ...spanish,
  ...italian,
  ...dutch,
];
