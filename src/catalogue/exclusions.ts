/** Finds the names that a question rules out: "without techno", "outside Germany", "kein Techno", "nicht in Berlin". */
import type { EntityLink } from './linking/entity-linking.ts';

/** A run of words, with the record or country that it names. */
type NamedRun = { words: string[]; choice: Pick<EntityLink, 'kind'> | null; country: object | null };

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** Words before a name that rule it out. */
const exclusionWords = wordSet(
  `not without except excluding minus outside don't dont ohne kein keine keinen kein außer ausser außerhalb ausserhalb nicht
  sin excepto salvo fuera sans sauf hors senza tranne eccetto fuori sem exceto fora zonder geen behalve buiten`,
);
/** Words that rule out a genre. Before a place, the Portuguese "no" means "in". */
const exclusionWordsOfGenres = wordSet('no nada keinerlei');
/** Words between them and the name: "not in Berlin", "I don't want techno". */
const wordsBetween = wordSet(
  'a an any the of in from for at by like want need von vom in im aus den dem de en del da di do em van op',
);

/**
 * Separates the names that a question rules out. The lists have no such filter, and a name that is ruled out must not
 * become one.
 * @returns the other runs, and the words that rule a name out with that name
 */
export function splitExcluded<Run extends NamedRun>(
  runs: readonly Run[],
): { runs: Run[]; excluded: string[] } {
  const otherRuns: Run[] = [];
  const excluded: string[] = [];
  for (const run of runs) {
    const start = isNamed(run) ? startOfExclusion(otherRuns, run) : -1;
    if (start < 0) {
      otherRuns.push(run);
      continue;
    }
    const words = [...otherRuns.splice(start), run].flatMap((part) => part.words);
    excluded.push(words.join(' '));
  }
  return { runs: otherRuns, excluded };
}

const isNamed = ({ choice, country }: NamedRun): boolean => choice !== null || country !== null;

/** Returns the index of the run that rules out the name after all runs, or -1. */
function startOfExclusion(runs: readonly NamedRun[], { choice }: NamedRun): number {
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at] as NamedRun;
    const [word = ''] = run.words;
    if (isNamed(run) || run.words.length !== 1) return -1;
    const foldedWord = word.toLowerCase().replace('’', "'");
    if (exclusionWords.has(foldedWord)) return at;
    if (choice?.kind === 'genre' && exclusionWordsOfGenres.has(foldedWord)) return at;
    if (!wordsBetween.has(foldedWord)) return -1;
  }
  return -1;
}
