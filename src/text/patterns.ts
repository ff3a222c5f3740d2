/**
 * Phrases that sellers write around names, in German, English, French, Spanish, Italian, Dutch, Portuguese and Polish:
 * sources of regular expressions (flags iu), matched against normalized text.
 */
import { alternatives } from './lexicon.ts';

/** Word boundaries for all scripts; `\b` is limited to ASCII. */
export const wordStart = '(?<![\\p{L}\\p{N}])';
export const wordEnd = '(?![\\p{L}\\p{N}])';
/** Returns the pattern of a phrase that stands between other words; it has the flag g. */
export const wordPattern = (source: string): RegExp =>
  new RegExp(`${wordStart}(?:${source})${wordEnd}`, 'giu');
/** Returns the pattern of a text that is only the phrase. */
export const wholePattern = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'iu');
/** A text as the source of a regular expression that matches exactly this text. */
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Names of several or unknown artists: placeholders even with an id. */
export const alwaysPlaceholder = `\\[?(?:${alternatives('placeholder-names', 'artist')})\\]?`;

/** Placeholders for artists: "to be announced", secret and unnamed guests. */
export const placeholder = `${alternatives('placeholder-names', 'entry')}|${alwaysPlaceholder}`;

const joinerWord = '(?:and|&|und|et|y|e|en|i|\\+|plus)';
const manyWord =
  '(?:many|much|lots|loads|a lot|so much|viele|plein|muchos?|molti|veel|muitos?|wiel[eu]|vele|beaucoup)';
const moreWord =
  '(?:more|mehr|andere[nrs]?|weitere[nrs]?|others|plus|más|mas|altri|ancora|meer|mais|inni|innych|autres|otros)';
const toComeSuffix =
  '(?: (?:to be (?:announced|confirmed)|tb[acd]|acts?|djs?|artists?|names?|guests?|soon|to come|special guests?|to follow|folgen|in kürze))';
const abbreviatedMore = 'u\\.? ?v\\.? ?[amw]\\.?|u\\.? ?a\\.?|e\\.? ?v\\.? ?a\\.?|etc\\.?';

/** "And many more", by itself. */
export const andMore = `(?:(?:${joinerWord} ?)?(?:${manyWord},? )*${moreWord}${toComeSuffix}*|${abbreviatedMore}|and (?:special )?(?:guests?|friends|company|co\\.?)|${manyWord} ${moreWord})`;
/** "And many more" behind a name, whose own last word may be "More", "Meer" or "Andere". */
export const trailingMore = `(?:(?:\\s*[&+,]\\s*|\\s+${joinerWord}\\s+)(?:${joinerWord} )?(?:${manyWord},? )*${moreWord}${toComeSuffix}*|\\s+(?:${manyWord},? )+${moreWord}${toComeSuffix}*|\\s+more${toComeSuffix}+|[\\s,]+(?:${abbreviatedMore}))`;

/** Phrases before supporting acts. */
export const supportWords =
  'supports?(?: acts?| djs?| sets?| slot)?(?: (?:by|from|comes from))?|supported by|with support(?: (?:by|from))?|opening acts?|opener|openers|vorband|vorgruppe|vorprogramm|warm-?\\s?up(?: (?:by|dj|djs|set))?|première partie|1ère partie|1re partie|telonero|teloneros|apertura|in apertura|voorprogramma|primeira parte|abertura|support act';

/** Headings of line-ups that name no stage. */
export const headingWords =
  'line-?\\s?up|artists?|acts?|djs?|dj line-?\\s?up|live(?: acts?)?|live ?& ?dj|music(?: by)?|sounds? by|musik|musique|música|musica|hosted by|hosts?|presents?|pres|programm?|programme|timetable|running order|set ?times?|playing|feat(?:uring)?|with|mit|avec|con|com|met|z udziałem|lineup tba|headliners?|full line-?\\s?up|phase \\d|confirmed|first names|residents?|visuals(?: by)?|vj|lights(?: by)?|tickets?|info|doors|einlass|beginn|start|entry|age';

/** Headings that name a stage. */
export const stageHeading =
  "(?:[\\p{L}\\p{N}'&.]+ ){0,3}(?:room|floor|stage|bar|garden|garten|terrace|terrasse|terraza|terrazza|rooftop|basement|keller|cellar|hall|halle|saal|sala|salle|zaal|area|arena|tent|zelt|foyer|lounge|courtyard|hof|yard|deck|mainroom|mainfloor|mainstage|studio|kantine|säule|piso|pista|palco|scène|scena|podium|bühne|club|box|loft|attic|patio|pool)(?: (?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c|eins|zwei|uno|due|dos|un|deux))?|(?:room|floor|stage|area|hall|halle|saal|sala|salle|zaal|piso|pista|palco|level|ebene|etage) ?(?:#|no\\.? ?)?[\\p{L}\\p{N}]{1,12}|\\p{L}{2,}(?:garten|halle|saal|keller|zaal|bühne|terrasse|floor|raum|room|bar)|upstairs|downstairs|indoors?|outdoors?|inside|outside|drinnen|draußen|oben|unten|main|[12]st floor|2nd floor|ground floor";

/** Marks behind a name that say how an act performs: [expression, tag]. */
export const performanceTags: readonly (readonly [RegExp, string])[] = (
  [
    [
      '(?:all|whole) (?:night|day|nite)(?: long)?(?: set)?|open (?:to|2|till|til) close|o2c|die ganze nacht|toute la nuit|toda la noche|tutta la notte|de hele nacht|całą noc|a noite toda',
      'all night long',
    ],
    ['audio-?\\s?visual(?: show| set| live)?|a ?/ ?v(?: show| set| live)?|av (?:show|set|live)', 'a/v'],
    [
      '(?:live|hybrid)[- ]?(?:/ ?)?(?:hybrid|dj)(?: set)?|hybrid(?:[ -]?(?:live|set|dj|show|act))*|dj ?[+/&] ?live(?: set)?',
      'hybrid',
    ],
    [
      '(?:exclusive |full |new |modular |analog(?:ue)? |hardware |solo |a/v )*live(?:[ -]?(?:set|act|electronics?|vocals?|pa|show|band|performance|in concert|on stage|modular|hardware|debut|a/v|av|konzert|concert|dal vivo))*|in concert|en vivo|en concert|ao vivo|dal vivo|na żywo|en directo|p\\.?a\\.?',
      'live',
    ],
    ['(?:exclusive |full |special |rare |solo )*dj[ -]?(?:set|mix)s?|djset|djs?', 'dj'],
    [
      '(?:strictly |all |100% )?vinyl(?: only| set| dj set)*|only vinyl|nur vinyl|solo vinilo|wax only',
      'vinyl',
    ],
    [
      '(?:extended|long|marathon|(?:[2-9]|1\\d|24)[ -]?(?:h|hr|hrs|hours?|std|stunden|heures|horas|ore|uur)\\.?)(?: (?:extended|exclusive|marathon|long))?(?: (?:dj )?sets?| long)?',
      'extended',
    ],
    ['opening(?: set| dj)?|warm-?\\s?up(?: set)?', 'opening'],
    ['closing(?: set| dj)?', 'closing'],
    ['(?:as )?(?:host|hosting|hosted|mc|emcee)', 'hosting'],
    [
      '(?:uk|us|eu|german|berlin|london|city|club|world|european|japan|asia|debut)? ?(?:debut|première|premiere)(?: set| show)?',
      'debut',
    ],
    ['visuals?|vj|vjs|lights?|lichtkunst', 'visuals'],
    ['acoustic|unplugged|akustik|acoustique|acústico|acustico', 'acoustic'],
  ] as const
).map(([source, mark]) => [new RegExp(`^(?:${source})$`, 'iu'), mark] as const);

/** Country tags after names: (DE), (UK), (Germany). */
export const countryTag =
  '[A-Z]{2}(?: ?[/,|–-] ?[A-Z]{2})*|U\\.?S\\.?A\\.?|U\\.?K\\.?|GER|FRA|ITA|ESP|NED|NDL|POL|BEL|SUI|AUT|AUS|ARG|BRA|MEX|CAN|JPN|SWE|NOR|DEN|FIN|POR|IRL|SCO|ISR|UKR|RUS|CHI|COL|URU|PER|RSA|Berlin|London|Paris|Amsterdam|New York|NYC|Detroit|Chicago|LA|Leipzig|Hamburg|Köln|Cologne|München|Munich|Wien|Vienna|Germany|France|Italy|Spain|Netherlands|Holland|Poland|Belgium|Switzerland|Austria|Australia|Argentina|Brazil|Mexico|Canada|Japan|Sweden|Norway|Denmark|Finland|Portugal|Ireland|Scotland|Israel|Ukraine|Russia|Chile|Colombia|Deutschland|Frankreich|Italien|England';

/** Words of the phrases above. An entry of a line-up without any of them is a plain name. */
export const nonNameWord =
  /(?<![\p{L}\p{N}])(?:unknown|unbekannt\w*|onbekend|nieznany|inconnus?|divers|artistes?|artistas?|artisti|artysta|verschiedene|künstler|line|none|after|afterparty|aftershow|afterhour|decks?|supporting|b[2-5]b\w*|f2f|back|face|\d{1,2}hr?s?|vs|versus|feat|featuring|ft|x|w|with|mit|avec|con|com|met|plus|and|und|et|y|e|en|i|pres|presents?|präsentiert|présente|presenta|plays?|playing|performs?|performing|spielt|joue|celebrat\w*|aka|fka|formerly|presenting|hosted|hosting|host|curated|live|sets?|djset|djs|mix|hybrid|audiovisual|visual|visuals|vj|vjs|av|pa|p\.a|vinyl|wax|vinilo|extended|long|marathon|hours?|hrs?|std|stunden|heures|horas|ore|uur|all|whole|open|o2c|ganze|toute|toda|tutta|hele|całą|noite|opening|opener|openers|closing|warm|warmup|debut|premiere|première|concert|concerto|concierto|vivo|directo|vivo|żywo|acoustic|unplugged|akustik|acoustique|acústico|acustico|lights?|mc|emcee|floors?|stages?|rooms?|dancefloor|mainfloor|mainstage|electronics?|tb[acd]|t\.b\.[acd]|announced|announcing|confirmed|follow|folgt|volgt|bekannt|bekend|planung|venir|confirmer|confirmar|anunciar|definire|annunciare|confermare|próximamente|wkrótce|breve|soon|come|names?|acts?|artists?|guests?|gäste|gast|gasten|headliners?|invit\w*|ospit\w*|convidad\w*|gość|goście|überraschungs\w*|surprise|surpresa|sorpresa|secrets?|secret\w*|segreto|geheime?[rn]?|mystery|special|spécial\w*|speciale?i?|residents?|residentes|résidents|hausdjs?|locals?|heroes|team|friends?|freunde|amis|amigos|amici|vrienden|przyjaciele|company|various|diverse|v\.a|va|id|xxx+|more|mehr|others?|andere\w*|weitere\w*|más|mas|altri|ancora|meer|mais|inni|innych|autres|otros|u\.v\.m|uvm|u\.a|e\.v\.a|etc|doors|einlass|curfew|changeover|umbau|pause|supports?|supported|vorband|vorgruppe|vorprogramm|première|telonero\w*|apertura|voorprogramma|primeira|abertura|records?|recordings|rec|music|label|line-?ups?|lineup|tickets?|location|performances?|performers?|concerts|konzerte|workshops?|timetable|running|programme?|program|infos?|info|start|beginn|awareness|deko|decoration|installations?|specials|entry|indoors?|outdoors?|upstairs|downstairs|wird|werden|demnächst|prossimamente|announcement|uvw|folgen|techno|tekno|hardtechno|hardtekk|psytrance|frenchcore|hardstyle|dnb|dubstep|rnb|reggaeton|reggaetón|dancehall|afrobeats?|amapiano|gqom|edm|hop|hiphop|drum|drums|house|format|styles|panorama|electronic|hall|h|uhr|am|pm|end|ende|close|late|fin|cierre|till?|bis|to)(?![\p{L}\p{N}])|^(?:djs?|dj's|a-z)$/iu;
