/** Loads the word lists of `src/text/lexicon`: tab-separated files whose headers say what an entry means. */
import { readAsset } from '../assets.ts';
import { memoize } from '../memoize.ts';

/** One line of a word list: a word or the source of a regular expression, ISO 639-1 or `mul`, and what it is. */
export type LexiconEntry = { term: string; language: string; class: string };

/** The entries of `src/text/lexicon/<name>.tsv`, in the order of their terms; each file is read once. */
export const readLexicon: (name: string) => readonly LexiconEntry[] = memoize(100, (name) =>
  readAsset(`src/text/lexicon/${name}.tsv`)
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [term = '', language = '', entryClass = ''] = line.split('\t');
      return { term, language, class: entryClass };
    }),
);

/** Returns the terms of one class in a lexicon, in the order of the file. */
export const termsOf = (name: string, entryClass: string): string[] =>
  readLexicon(name).flatMap((entry) => (entry.class === entryClass ? [entry.term] : []));

/** Returns the terms of one class in a lexicon as a set. */
export const wordSet = (name: string, entryClass: string): ReadonlySet<string> =>
  new Set(termsOf(name, entryClass));

/** The terms of one class as the alternatives of a regular expression. */
export const alternatives = (name: string, entryClass: string): string => termsOf(name, entryClass).join('|');
