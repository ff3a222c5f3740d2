/**
 * Names of regions in other languages: data for `cities.ts`. Cities name their regions in English. A line is the English name
 * and its other names, as `normalizeForSearch` returns them, in alphabetical order; to add a name, append it to its line.
 * Regions with a position of their own are in `seed/regions.json`.
 */

const lines = `
  andalusia|andalousie|andalucia|andalusien|andalusie
  bavaria|baviera|baviere|bayern|beieren
  brittany|bretagna|bretagne|bretana
  catalonia|catalogne|catalogna|cataluna|catalunya|catalunha|catalonie|katalonien
  emilia romagna|emilie romagne
  hesse|assia|hessen
  ile de france|region parisienne
  lombardy|lombardei|lombardia|lombardie|lombardije
  lower saxony|basse saxe|bassa sassonia|baja sajonia|nedersaksen|niedersachsen
  normandy|normandia|normandie
  north brabant|noord brabant|nordbrabant
  north holland|noord holland|nordholland
  north rhine westphalia|nordrhein westfalen|noordrijn westfalen|nrw|rhenanie du nord westphalie|renania del norte westfalia|renania settentrionale vestfalia
  occitania|occitanie|okzitanien
  piedmont|piamonte|piemont|piemonte
  rhineland palatinate|rheinland pfalz|renania palatinado|rhenanie palatinat
  saxony|sachsen|saksen|sajonia|sassonia|saxe
  saxony anhalt|sachsen anhalt|saksen anhalt|saxe anhalt
  south holland|sudholland|zuid holland
  styria|steiermark|stiria|styrie
  thuringia|thuringe|thuringen|turingia
  tyrol|tirol|tirolo
  upper austria|oberosterreich
`;

const englishNames: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [english = '', ...others] = line.trim().split('|');
      return others.map((name): [string, string] => [name, english]);
    }),
);

/** Returns the English name of a region, or the words themselves. @param words as `normalizeForSearch` returns them */
export const englishRegionName = (words: string): string => englishNames.get(words) ?? words;
