/**
 * Words of periods in six languages and Portuguese: data for `periods.ts`. Texts are written as `normalizeForSearch`
 * returns them. Each line of a list is one meaning; to add a language, append its words to the line.
 */

const list = (text: string): string[] => text.split('|');
const numbered = (lines: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lines.flatMap((line, at) => list(line).map((word): [string, number] => [word, at + 1])));

/** Seasons, from spring (1) to winter (4). */
export const seasons = numbered([
  'spring|springtime|fruhling|fruhjahr|printemps|primavera|lente|voorjaar',
  'summer|summertime|sommer|ete|verano|estate|zomer|verao',
  'autumn|fall|herbst|automne|otono|autunno|herfst|najaar|outono',
  'winter|wintertime|hiver|invierno|inverno',
]);

/** Numbers from 1 to 12. */
export const counts = numbered([
  'a|an|one|ein|eine|einen|einem|einer|un|une|una|uno|een|um|uma',
  'two|a couple of|zwei|deux|dos|due|twee|dois|duas',
  'three|drei|trois|tres|tre|drie',
  'four|vier|quatre|cuatro|quattro|quatro',
  'five|funf|cinq|cinco|cinque|vijf',
  'six|sechs|seis|sei|zes',
  'seven|sieben|sept|siete|sette|zeven|sete',
  'eight|acht|huit|ocho|otto|oito',
  'nine|neun|neuf|nueve|nove|negen',
  'ten|zehn|dix|diez|dieci|tien|dez',
  'eleven|elf|onze|once|undici',
  'twelve|zwolf|douze|doce|dodici|twaalf',
]);

/** Ordinal numbers from 1 to 4; 5 is the last. */
export const ordinals = numbered([
  'first|1st|erste|ersten|erstes|erster|premier|premiere|primer|primero|primo|prima|eerste|primeiro',
  'second|2nd|zweite|zweiten|zweites|zweiter|deuxieme|segundo|secondo|tweede',
  'third|3rd|dritte|dritten|drittes|dritter|troisieme|tercer|tercero|terzo|derde|terceiro',
  'fourth|4th|vierte|vierten|viertes|vierter|quatrieme|cuarto|quarto|vierde',
  'last|letzte|letzten|letztes|letzter|dernier|derniere|ultimo|laatste',
]);

/** Words for the next one of a season, weekday or month: that of the next week or year, if one is on. */
export const nextWords = list(
  'next|nachste|nachsten|nachster|nachstes|prochain|prochaine|proximo|proxima|prossimo|prossima|volgende|volgend',
);
/** Words for the one that comes first. */
export const comingWords = list(
  'this|this coming|coming|the coming|diesen|dieser|dieses|diese|kommenden|kommender|kommendes|kommende|ce|cet|cette|este|esta|questo|questa|dit|deze|komende|komend|aankomende',
);
export const lastWords = list(
  'last|letzte|letzten|letzter|letztes|vergangenen|vergangener|dernier|derniere|pasado|pasada|scorso|scorsa|passato|vorige|afgelopen|passado|passada',
);
/** Further words for the last one, which no period has: "the latest klubnacht". */
export const latestWords = list(
  'latest|last time|most recent|previous|zuletzt|letztes mal|letzte mal|letzten mal|das letzte mal|zum letzten mal|derniere fois|ultima vez|ultima volta|laatste keer|neueste|neuesten|jungste|jungsten|vorherige|derniers|dernieres|la plus recente|le plus recent|plus recent|plus recente|ultimo|ultima|ultimos|ultimas|mas reciente|ultimi|ultime|piu recente|precedente|laatste|laatst|meest recente|mais recente',
);
/** Further words for the next one: "the upcoming klubnacht". */
export const nextOneWords = list(
  'upcoming|kommende|kommenden|kommender|kommendes|prochains|prochaines|proximos|proximas|prossimi|prossime|komende|aankomende',
);
/** Words for the next one in languages where it is the one that comes first. */
export const romanceNext = new Set(list('prochain|prochaine|proximo|proxima|prossimo|prossima'));

/** Units of time, from day (1) to year (4). */
export const units = numbered([
  'day|days|tag|tage|tagen|jour|jours|dia|dias|giorno|giorni|dag|dagen|night|nights',
  'week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|weken',
  'month|months|monat|monate|monaten|mois|mes|meses|mese|mesi|maand|maanden',
  'year|years|jahr|jahre|jahren|an|ans|annee|annees|ano|anos|anno|anni|jaar|jaren',
]);

/** Thirds of a month: its beginning, middle and end. */
export const thirds = numbered([
  'early|beginning of|start of|anfang|debut|principios de|inicios de|inizio|begin|inizio di|comeco de',
  'mid|middle of|mitte|mi|mediados de|meta|half|meados de|meta di',
  'late|end of|ende|fin|fin de|finales de|fine|fine di|eind|einde|fim de',
]);

/** "In two weeks". */
export const aheadWords = list('in|dans|en|dentro de|tra|fra|over|em|daqui a');
/** "Two weeks ago", "vor zwei Wochen". */
export const agoBefore = list('vor|il y a|hace|ha');
export const agoAfter = list('ago|fa|geleden|atras');

/** "Two weeks from now". */
export const aheadAfter = list('from now|from today|from tonight');

/** Words before the number of a week of ISO 8601: "KW 51". */
export const weekNumberWords = list(
  'week|week number|calendar week|iso week|cw|kw|woche|kalenderwoche|semaine|semana|settimana|weeknummer',
);
/** Those that may also follow the number: "51. KW". */
export const weekNumberWordsAfter = list('kw|kalenderwoche');

/** Words for a weekend. */
export const weekends = list(
  'weekend|weekends|week end|wochenende|fin de semana|fine settimana|fim de semana',
);

/** Words before a period that do not change its meaning. */
export const introductions = list(
  'in|in the|on|on the|at|at the|during|during the|for|the|im|in den|am|an|zu|den|dem|der|das|in der|wahrend|en|le|la|les|au|a la|pendant|dans|dans les|el|los|las|en el|en los|en las|durante|a|a los|il|lo|i|gli|nel|nei|nella|negli|per|de|het|op|op het|tijdens|no|na|nos',
);
/** Words between a period and its month. */
export const ofWords = list('of|in|of the|im|des|de|del|du|d|di|a|van|in de|van de|do');

/** "The rest of the year": the unit named last. */
export const restWords = list(
  'rest of the|rest of this|rest des|rest der|rest dieses|reste de|reste du|reste de la|resto de|resto del|resto de la|resto della|rest van de|rest van het',
);
