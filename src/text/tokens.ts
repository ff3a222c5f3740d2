/** Words of titles and names, as matching compares them: folded, without what says nothing. */
import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { memoize } from '../memoize.ts';
import { fold, normalizeForSearch } from './fold.ts';
import { normalizeText } from './normalize.ts';
import { hasNonLatin } from './scripts.ts';

const maxCachedTexts = 20_000;

/** The folded words of a text in Latin letters, styled letters and emoji read as what they mean. */
export function tokenize(text: string): readonly string[] {
  return text.length < 200 ? cachedTokens(text) : tokenizeText(text);
}

const tokenizeText = (text: string): readonly string[] =>
  ascii.test(text) ? tokenizeAscii(text) : tokenizeUnicode(normalizeText(text));
/** Names of houses, cities and acts come again and again. */
const cachedTokens = memoize(maxCachedTexts, tokenizeText);

const ascii = /^[\x20-\x7e]*$/;
/** Scripts that are written without spaces, beside Latin ones: "恵比寿LIQUIDROOM" is two words. */
const scriptBoundary =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])(?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])/gu;

/** "N.A.A.F.I", "D.A.F.": one word. */
const dottedInitials = /(?<![\p{L}\p{N}.])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;

/** What `readWords` makes of plain letters, in fewer steps: most names are of them. */
function tokenizeAscii(text: string): readonly string[] {
  let lower = text.toLowerCase();
  if (lower.includes('.')) lower = lower.replace(dottedInitials, (all) => all.replaceAll('.', ''));
  if (/['`&]/.test(lower)) lower = lower.replace(/['`]/g, '').replaceAll('&', ' and ');
  return lower.match(/[a-z0-9]+/g) ?? signTokens(text);
}

/** A name of signs alone ("∄", "!!!") is itself. */
function signTokens(text: string): string[] {
  const folded = fold(text).replace(/\s+/g, '');
  return folded === '' ? [] : [folded];
}

/** One seller writes "Клуб Ялта", the other "Yalta Club": both are read in Latin letters. */
function tokenizeUnicode(text: string): readonly string[] {
  const joined = text.includes('.') ? text.replace(dottedInitials, (all) => all.replaceAll('.', '')) : text;
  const folded = normalizeForSearch(joined.replace(scriptBoundary, ' ').replace(/&/g, ' and '));
  if (folded === '') return signTokens(text);
  if (!hasNonLatin(folded)) return folded.split(' ');
  return folded.split(' ').flatMap((word) => (hasNonLatin(word) ? toLatin(word) : [word]));
}

function toLatin(word: string): string[] {
  const written = normalizeForSearch(anyAscii(word)).replaceAll(' ', '').replaceAll('dzh', 'j');
  return [written === '' ? word : written];
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that join others, in the languages that listings are most often written in. */
export const stopWords = wordSet(`
  a an the and or of in on at to by from for with w presents present pres pt feat ft featuring vs versus x b2b b3b f2f
  der die das den dem des ein eine und mit im am an bei von vom zu zum zur fur prasentiert praesentiert pras
  le la les un une et avec au aux du de des en chez sur presente presentent el los las y con presenta presentan del al
  il lo gli i e ed di da nel alla uno una o os as um uma no na com apresenta het een met op van en te
  og med pa i po z ze w we na do u s sa se v ve ft och pour apresentam predstavlja predstavuje prezentuje zaprasza
  presenteert presenterer
`);

/** Words that most titles of shows could have; they tell no show from another. */
export const titleStopWords = wordSet(`
  live concert concerts show shows event events party parties gig night nights nacht nuit noche notte noite club clubnight
  clubnacht tour tours world worldwide european europe us uk usa eu americas american north south dates summer winter
  spring autumn fall official all long open close set sets dj djs music musik musique musica dance dancing special edition
  guest guests friends support supports supporting act acts residents resident more many plus tba tbc tbd lineup line up
  headline headliner headliners album release launch anniversary birthday years year tickets ticket doors entry free
  sold out soldout cancelled canceled postponed rescheduled new date verlegt vom ins moved relocated trasladado trasladada deplace verplaatst naar spostato abgesagt ausverkauft verschoben hochverlegt
  annule complet reporte agotado cancelado 18 21 over under ages electronic techno house trance edm rave dnb drum bass
  label labels klub klubie klubu silent disco disko jazz pop hiphop hip hop indie
  metal punk reggae reggaeton salsa latin blues folk classical amapiano afrobeats hardstyle psytrance warehouse quiz karaoke bingo mic jam slam poetry comedy brunch flohmarkt 70s 80s 90s 00s 2000s
  agotadas esgotado esgotada esaurito uitverkocht udsolgt utsolgt slutsalt wyprzedane wyprzedany vyprodano vypredane elkelt
  telthaz loppuunmyyty rasprodato rasprodano additional added extra zusatzkonzert zusatzshow zusatztermin extrakonzert
  extrakoncert ekstrakoncert ekstrakonsert segunda fecha fechas nueva nuevo neuer neue termin ersatztermin nachholtermin
  nouvelle nuova nieuwe datum nowy novy przeniesiony przeniesione prelozeno presunuto aplazado rimandato rinviato annullato
  annulee afgelast geannuleerd aflyst avlyst installt odwolany odwolane zruseno zrusene peruttu elmarad billets biglietti
  entradas boletos kaarten karten bilety vstupenky liput biljetter billetter few last final low ultimi ultimas letzte
  konzert koncert koncerti konsert concierto conciertos concerto concerti koncerty kontsert abend fiesta festa impreza vecer
  wieczor veglione spettacolo gira turne tournee trasa goscie specjalni specjalny invitado invitados convidado convidados
  forband vendegek vendeg gost gosti konuk presale vorverkauf anticipada evening tonight weekend session sessions showcase takeover series invites invite hosts hosted
  vecherinka partisi parti partie klubinatt klubbnatt klubnatt klubbkveld klubaften klubikka natt aften kveld kvall ilta
  petrecere noapte noaptea noc noci ejszaka buli bulik zabava zurka pidu ohtu vakars nakts gece gecesi konser konseri
  konsertti keikka tusovka kontsert
  floors rooms venues av experience feature features day pass secret location undisclosed venue tbd festival fest weekend weekender afterparty preparty after hours afterhours afterhour opening closing cierre apertura season saison temporada sunday monday tuesday wednesday thursday friday saturday
`);

/** Kinds of music that are not noise in every title, but tell little beside another word. */
export const genreWords = wordSet(`
  reggaeton latin salsa bachata hiphop hip hop rnb funk soul disco jazz rock pop metal punk indie reggae dancehall afro
  afrobeat afrobeats amapiano dubstep garage ukg jungle hardcore hardstyle minimal deep progressive psytrance psy ambient
  acid breaks grime trap kpop folk blues
`);

const weekdayNames: readonly string[] = [
  `sunday sun sonntag dimanche domingo domenica zondag sondag sunnuntai niedziela nedele nedela
  nedelja nedjelja vasarnap duminica diumenge puhapaev sekmadienis svetdiena voskresene nedilya kyriaki`,
  `monday mon montag lundi lunes lunedi maandag mandag maanantai poniedzialek pondeli pondelok ponedeljek
  ponedeljak ponedjeljak hetfo dilluns esmaspaev pirmadienis pirmdiena ponedelnik ponedilok deftera`,
  `tuesday tue tues dienstag mardi martes martedi dinsdag tirsdag tisdag tiistai wtorek utery utorok
  utorak kedd dimarts teisipaev antradienis otrdiena vtornik vivtorok`,
  `wednesday wed mittwoch mercredi miercoles mercoledi woensdag onsdag keskiviikko sroda streda sreda
  srijeda szerda miercuri dimecres kolmapaev treciadienis tresdiena sereda tetarti`,
  `thursday thu thur thurs donnerstag jeudi jueves giovedi donderdag torsdag torstai czwartek ctvrtek
  stvrtok cetrtek cetvrtak csutortok dijous neljapaev ketvirtadienis ceturtdiena chetverg chetver pempti`,
  `friday fri freitag vendredi viernes venerdi vrijdag fredag perjantai piatek patek piatok petek petak
  pentek divendres reede penktadienis piektdiena pyatnitsa pyatnytsya pyatnitsya paraskevi paraskeyi cuma`,
  `saturday sat samstag sonnabend samedi sabado sabato zaterdag lordag lauantai sobota subota
  szombat sambata dissabte laupaev sestadienis sestdiena subbota savvato cumartesi`,
];
/** The weekday (0 is Sunday) that a word names. */
export const weekdays: ReadonlyMap<string, number> = new Map(
  weekdayNames.flatMap((names, day) => names.split(/\s+/).map((name) => [name, day] as const)),
);

/** Names of months, as they stand beside a day. */
export const months = wordSet(`
  jan january januar janvier enero gennaio januari feb february februar fevrier febrero febbraio februari mar march marz
  mars marzo maart apr april avril abril aprile may mai mayo maggio mei jun june juni juin junio giugno jul july juli
  juillet julio luglio aug august aout agosto augustus sep sept september septembre septiembre settembre oct october
  oktober octobre octubre ottobre okt nov november novembre noviembre dec december dezember decembre diciembre dicembre dez
`);

/** Words that many houses have in their names. */
export const venueStopWords = wordSet(`
  the club klub clubs klubi klubb klubben klubas klubs klube klubot clube kulub kulubu nightclub hajo bar pub cafe restaurant theatre theater teatro theatro hall halle venue disco discotheque
  discoteca discotheek diskothek sala salle live music musik musica concert concerts de la le el der die das und and at am
  im in on of e v ev gmbh ltd llc inc bv sl complex center centre zentrum events event eventlocation location nightlife
  kulturzentrum kulturhaus cultural house haus lounge kino cinema kulturni centar kuca palac auditorio auditorium
`);

/** Words for parts of a house. */
export const roomWords = wordSet(`
  main room rooms mainroom floor floors mainfloor stage mainstage upstairs downstairs basement cellar keller garden garten
  terrace terrasse terraza rooftop roof dachterrasse foyer lobby lounge yard courtyard hof innenhof patio saal grosser
  kleiner grosse kleine grande petite salle sala small big large bar studio loft attic gallery galerie ballroom floor1
  floor2 zaal grote hal sal stora lilla store lille lille principal salon hauptraum kleinen grossen sali balsaal balzaal outdoor indoor open air openair tent zelt level ground first second third 1st 2nd 3rd
`);

/** "Muenchen" as "Munchen". */
export const foldUmlauts = (word: string): string => word.replace(/([aou])e(?=[^aeiou]|$)/g, '$1');
const digits = /\d/;

/** Longer texts are compared as they stand: letter by letter takes long. */
const maxComparedLength = 150;

/** Whether two words are one but for a slip of the pen; words with digits must be equal. */
export function areSimilarWords(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (
    shorter < 4 ||
    shorter > maxComparedLength ||
    Math.abs(a.length - b.length) > 2 ||
    digits.test(a) ||
    digits.test(b)
  )
    return false;
  // "Muenchen" is "München", "Koehncke" is "Köhncke".
  if (foldUmlauts(a) === foldUmlauts(b)) return true;
  if (shorter < 5) return false;
  return distance(a, b) <= (shorter >= 9 ? 2 : 1);
}

/** How many words of `a` have a word of `b` like them, each word counted once. */
export function countSharedWords(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  let shared = 0;
  for (const word of a) {
    let at = left.indexOf(word);
    if (at < 0) at = left.findIndex((other) => areSimilarWords(word, other));
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return shared;
}

/** Whether two short texts are one but for slips of the pen, by their letters alone. */
export function areSimilarTexts(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5 || shorter > maxComparedLength || Math.abs(a.length - b.length) > 2) return false;
  const between = distance(a, b);
  if (between > 4) return false;
  // Numbers in a name are no slips: "Studio 54" is not "Studio 55".
  if ((digits.test(a) || digits.test(b)) && a.replace(/\D/g, '') !== b.replace(/\D/g, '')) return false;
  return between <= (shorter >= 10 ? 2 : 1) || foldUmlauts(a) === foldUmlauts(b);
}

/** A number with a few letters beside it: "p0", "1a", "dvs1". Longer words beside a number are words of their own. */
const code = /^(?:[a-z]{1,3}\d+[a-z]{0,3}|\d+[a-z]{1,3})$/;

/** The words of a name that are codes, which tell one room or hall from the next: a letter in them is no slip. */
export const codesIn = (words: readonly string[]): readonly string[] =>
  words.filter((word) => word.length > 1 && digits.test(word) && code.test(word));

/** Whether a name has a code that does not stand in the other. "K 4" has the code of "K4". */
export function differInCodes(a: readonly string[], b: readonly string[]): boolean {
  const lacks = (codes: readonly string[], words: readonly string[]) =>
    codes.length > 0 && codes.some((one) => !words.join('').includes(one));
  return lacks(codesIn(a), b) || lacks(codesIn(b), a);
}

/** What is written short or long in names of cities and houses, each as it is compared. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saint: 'st',
    sankt: 'st',
    sint: 'st',
    street: 'st',
    fort: 'ft',
    mount: 'mt',
    road: 'rd',
    avenue: 'ave',
    square: 'sq',
    company: 'co',
    brothers: 'bros',
    university: 'univ',
    amphitheatre: 'amp',
    amphitheater: 'amp',
    international: 'intl',
  }),
);
/** Words with what is often abbreviated in its short form: "7th Street Entry", "7th St. Entry". */
export const abbreviate = (words: readonly string[]): readonly string[] =>
  words.length > 1 && words.some((word) => abbreviations.has(word))
    ? words.map((word, at) =>
        mustStaySpelledOut(word, at, words.length) ? word : (abbreviations.get(word) ?? word),
      )
    : words;
/** No saint has his name in front, no street begins with the word: "Street Food Hall". */
const mustStaySpelledOut = (word: string, at: number, count: number): boolean =>
  word === 'street' ? at === 0 : word === 'saint' && at === count - 1;

/** The words of a city's name: "Saint Paul" is "St. Paul", "Foxborough" is "Foxboro". */
export const cityTokens: (name: string) => readonly string[] = memoize(maxCachedTexts, (name) =>
  abbreviate(tokenize(name)).map((word) => word.replace(/(?<=...)borough$/, 'boro')),
);

/** A city without the region or country behind it: "Seattle, WA". */
export const cityWithoutRegion = (city: string): string => city.split(',', 1)[0]?.trim() || city;

/** The first letters of words that follow each other, as one text: an abbreviation of them stands in it. */
export const initialsOf = (words: readonly string[]): string => words.map((word) => word[0]).join('');

/** Whether `part` stands in `whole`, word after word. */
export function containsSequence(whole: readonly string[], part: readonly string[]): boolean {
  if (part.length === 0 || part.length > whole.length) return false;
  for (let start = 0; start + part.length <= whole.length; start++) {
    if (
      part.every(
        (word, at) => word === whole[start + at] || areSimilarWords(word, whole[start + at] as string),
      )
    )
      return true;
  }
  return false;
}
