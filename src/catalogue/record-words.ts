/** Words that ask for records instead of events: "labels from Berlin". Data for the pages of questions. */
import { clubWords, festivalWords } from './stop-words.ts';

export type AskedKind = 'artist' | 'venue' | 'label' | 'festival' | 'podcast';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Nouns by kind, in English, German, French, Spanish, Italian, Dutch and Portuguese. To add a language, append its words. */
const nouns: Readonly<Record<AskedKind, ReadonlySet<string>>> = {
  artist: wordsOf(
    'artists artist djs producers künstler künstlerinnen artistes artistas artisti artiesten produzenten producteurs productores produttori produtores',
  ),
  venue: new Set([...clubWords, ...wordsOf('discos diskotheken boîtes salas locali')]),
  label: wordsOf(
    'labels plattenlabels plattenfirmen sellos discográficas etichette platenlabels selos gravadoras',
  ),
  festival: festivalWords,
  podcast: wordsOf('podcasts mixes radioshows sendungen émissions programas trasmissioni uitzendingen'),
};

/** Words between a noun and its place. A place after "in" is where an artist plays, after "from" where one comes from. */
const originWords = wordsOf('from aus de du d da dal dalla do di uit van');

/** The first noun of a question that asks for records, and whether a word of origin follows it. */
export function askedRecords(q: string): { kind: AskedKind; noun: string; isOrigin: boolean } | null {
  const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const [at, noun] of words.entries())
    for (const [kind, known] of Object.entries(nouns))
      if (known.has(noun))
        return { kind: kind as AskedKind, noun, isOrigin: originWords.has(words[at + 1] ?? '') };
  return null;
}
