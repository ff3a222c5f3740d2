/**
 * The words and expressions by which titles name a part of an occasion, in the languages of sellers. They read folded
 * titles in lower case. Each has to be linear, or is listed with its bound in `test/support/expressions/allowed.ts`.
 */

export const afterPartyPattern =
  /\b(?:after ?part(?:y|ie)s?|after ?show(?:s| ?part(?:y|ie)s?)?|afters|official after|after (?:officiel(?:le)?|oficial|ufficiale|oficjalne)|oficjalne after|aftermovie|kick ?ons|after ?hours (?=(?:w|with|by|ft|feat|party|session|set)\b))\b/;
export const prePartyPattern =
  /\b(?:pre ?part(?:y|ie)s?|warm ?up part(?:y|ie)s?|pre ?show|pre ?festival|kick ?off part(?:y|ie)s?|warmup)\b/;
export const earlyShowPattern =
  /\b(?:early (?:show|set|concert|session|performance|seating)|matinee|1st (?:show|set|seating|suteshi)|first (?:show|set|seating)|(?:show|set|session|seating) (?:1|one|i)|afternoon (?:show|session))\b/;
export const lateShowPattern =
  /\b(?:late (?:show|set|concert|session|performance|seating|night show)|2nd (?:show|set|seating|suteshi)|second (?:show|set|seating)|(?:show|set|session|seating) (?:2|two|ii)|added show|extra show|zusatzshow|zusatzkonzert)\b/;
export const passPattern =
  /\b(?:(?:full |whole )?(?:weekend|festival|week|season|combi|multi ?day|[2-9] ?days?|(?:two|three|four|five) days?|[2-9] ?nights?|(?:two|three|four) nights?) ?(?:pass(?:es)?|tickets?|admission|kombiticket)|full (?:weekend|festival|pass)|(?:[2-9]|two|three|four) ?day ?(?:event|festival)?(?= |$)(?= ?(?:pass|ticket))|[2-9] ?day$|kombiticket|combi ?ticket|abono|bono|festivalpass|weekender ticket|wochenendticket|dauerkarte|passe? (?:2|3|4|deux|trois) jours|pass 3j|all access pass|weekend ?pass|both (?:days|nights))\b/;
/** The same for several shows, and in other languages. */
export const multiShowPattern =
  /\b(?:both (?:shows?|concerts?|evenings?)|(?:all (?:shows|concerts|nights|days)|(?:[2-9]|two|three|four|five|multi) ?(?:shows?|concerts?|nights?|days?|gigs?)) ?(?:pass(?:es)?|tickets?|combo|bundle)|all (?:[2-9]|two|three|four|five) (?:shows|concerts|nights|days)|(?:combo|multi) ?(?:pass(?:es)?|tickets?)|(?:kombi|wochenend|festival|saison|mehrtages) ?(?:karten?|tickets?|pass)|[2-9] ?tages ?(?:karten?|tickets?|pass)|(?:saison|konzert|jahres|wahl) ?abo(?:s|nnement\w*)?|abonn?ement\w*|abbonament[oi]|season subscription|(?:weekend|festival) ?(?:kaart\w*|pas|billett?|biljett?|armband)|(?:[2-9]|twee|drie|vier) ?daa?g(?:en|se) ?(?:tickets?|kaart\w*|pas\w*)|pase? (?:de )?[2-5] dias|pass [2-5] (?:jours|soirs|giorni)|[2-5] (?:jours|soirs|giorni|dias) pass|karnet\w*|permanentk\w*|berlet\w*|abonament\w*|kombine|viikonloppulip\w*|vik[ae]nd\w* (?:vstup\w*|ulaznic\w*|karta)|[2-5] (?:paivan lip\w*|day ?pass\w*))\b/;
export const passDaysPattern = /\b([2-9]|two|three|four) ?(?:days?|nights?)\b/;
export const weekendPattern = /\b(?:weekend(?:er)?|wochenende|week end)\b/;
/** "Saturday Single Day", "Tagesticket": a day of what goes on for more. */
export const singleDayPattern =
  /\b(?:(?:single|1) ?day|day ?(?:tickets?|pass(?:es)?|admission)|tages ?(?:tickets?|karten?|pass)|dag ?(?:tickets?|kaart\w*|pas|billett?|biljett?|billet)|(?:pass|billet|forfait) (?:1 )?jour(?:nee)?|1 jour|(?:entrada|bono|pase?) (?:de )?(?:1 )?dia|1 dia|biglietto giornaliero|bilet jednodniowy|jednodenni vstupenka)\b/;
export const bundlePattern =
  /\b(?:(?:ticket|early entry|hospitality|travel|hotel|dinner) (?:package|bundle)s?|ticket and (?:early|vip|hotel|merch\w*|dinner))\b/;
/** With "pass": for more than a day. */
export const multiDayWordPattern = /\b(?:weekend|wochenende?|week ?end|festival|full)\b(?!.*\bday pass)/;
export const addOnPattern =
  /\b(?:parking|car ?park|camping|glamping|campsite|shuttle|coach (?:travel|ticket|transfer)|bus transfer|hotel|locker|merch(?:andise)?|vip (?:upgrade|package|experience|add ?on)|meet (?:and )?greet|upgrade|upsell|gift (?:card|voucher)|gutschein|dinner (?:package|reservation)|table reservation|soundcheck|premium (?:seat|package)s?)\b/;
export const addOnMarkPattern = /\badd ?on\b/;
export const tributePattern =
  /\b(?:tributes?|tributo|tribut|hommage|homage|homenaje|candlelight|cover ?band|coverband|karaoke|(?:plays?|performs?) the (?:music|songs) of|the (?:music|songs) of|look ?alike|sing ?along)\b/;
export const openingPattern =
  /\b(?:(?:season |grand )?(?:re ?)?opening (?:party|night|event|weekend)|season opening|opening$|(?:saison ?)?eroffnung\w*|soiree d ?ouverture|inauguracion|(?:fiesta de )?apertura|inaugurazione|openings?feest)\b/;
export const closingPattern =
  /\b(?:(?:season |grand )?closing (?:party|night|event|weekend|fiesta)|season closing|closing$|(?:saison ?)?abschluss\w*|soiree de cloture|cloture|(?:fiesta de )?cierre|(?:festa di )?chiusura|slotfeest|encerramento|zamkniecie)\b/;
export const numberWords: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  i: 1,
  ii: 2,
  iii: 3,
  iv: 4,
  first: 1,
  second: 2,
  third: 3,
};
export const dayNumberPattern =
  /\b(?:day|night|tag|dia|jour|giorno|dag|nacht|nuit|ziua|dzien|den|paiva|paev|nap) (\d{1,2}|one|two|three|four|i{1,3}|iv)\b|\b(\d)(?:(?:st|nd|rd|th) (?:day|night)| (?:dzien|den|dan))\b/;
export const editionNumberPattern =
  /(?:#|\bno\.? ?|\bnr\.? ?|\bvol(?:ume)?\.? ?|\bpart ?|\bpt\.? ?|\bchapter ?|\bepisode ?|\bep\.? ?|\bedition ?|\bround ?|\bteil ?|\bchapitre ?|\bweek(?:end)? ?|\bwoche(?:nende)? ?)(\d{1,4}|i{1,3}|iv)\b/;

/** Holidays in titles, in the languages of sellers. */
export const holidays: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:new years? eve|nye|silvester\w*|sylvester\w*|(?:saint|st) sylvestre|reveillon|nochevieja|fin de ano|capodanno|oudejaars\w*|oudjaar|oud en nieuw|sylwester\w*|silvestr\w*|szilveszter\w*|nytarsaften|nyttarsaften|nyarsafton)\b/g,
    'newyearseve',
  ],
  [/\b(?:new years? day|nyd|neujahr\w*|nouvel an|ano nuevo|nieuwjaar\w*)\b/g, 'newyearsday'],
  [/\b(?:christmas|xmas|x mas|weihnacht\w*|noel|navidad|natale|kerst\w*|jul|karacsony\w*)\b/g, 'christmas'],
  [
    /\b(?:easter|oster(?:n|sonntag|samstag|montag)?|paques|pascua|pasqua|paas(?:fe+st\w*|party|maandag|zondag|zaterdag|weekend|avond|nacht|rave|bal)?|pasen)\b/g,
    'easter',
  ],
  [/\b(?:carnival|karneval|carnaval|carnevale|fasching\w*|mardi gras)\b/g, 'carnival'],
  [/\b(?:csd|christopher street day|gay pride|pride)\b/g, 'pride'],
];

/** The names of the holidays in title tokens. */
export const holidayNames: ReadonlySet<string> = new Set(holidays.map(([, name]) => name));

/** "9 Years", "9 let", "9 Jahre", "9th Birthday", "9. urodziny": birthdays in the languages of sellers. */
export const anniversaryPattern =
  /\b(\d{1,3}) (?:years?|yrs|jahre|ans|anos|anni|jaar|let|lat|ar|aar|vuotta|rokov|godini|godina|rokiv|ev|eves|yil|ani|anys)\b|\b(\d{1,3})(?:st|nd|rd|th|e|eme|o)? (?:year )?(?:anniversar(?:y|io)|birthday|bday|geburtstag|jubilaum|anniversaire|aniversario|aniversari|verjaardag|jubileum|urodziny|narozeniny|narodeniny|rodendan|rodjendan|rojstni dan|szuletesnap|sunnipaev|syntymapaivat|fodselsdag)\b/g;

/** Abbreviations in titles. */
export const abbreviations: readonly (readonly [RegExp, string])[] = [
  [/\b(?:d and b|d n b|dnb|drum ?n ?bass)\b/g, 'drum and bass'],
];

/** Brackets that tell one of two apart: "(1st)", "(early)", "(2/2)". */
export const bracketedShowPattern = /[([{【]\s*(1st|2nd|early|late)\s*[)\]}】]/;
export const bracketedPartPattern = /[([{【]\s*([1-4])\s*\/\s*([2-4])\s*[)\]}】]/;
/** Age limits of visitors, not anniversaries. */
export const ageLimits: ReadonlySet<number> = new Set([16, 18, 21]);
/** Other tickets that a visitor needs, which are not sold here. */
export const requirementPattern = /\b\w+ tickets? (?:(?:also|is|are) )*(?:required|needed)\b/g;
export const leadSeparator =
  /\s*(?:[:|•·~/]|\s[-–—]\s|\s(?:w\/|\/w|w\.|with|feat\.?|ft\.?|pres\.?|presents|mit|avec|con|met|med|invites|präsentiert)\s)\s*/iu;

/** "FRI 01.05": a weekday in short, in front of its date. */
export const datedWeekdayPattern =
  /\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|lun|mar|mie|mier|jue|vie|sab|dom|mer|gio|jeu|ven|sam|dim|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo) (?:0?[1-9]|[12]\d|3[01]) (?:0?[1-9]|1[0-2])(?: (?:20)?\d\d)?\b/g;

/** Words of pre-parties and after-parties, and words beside them that name nothing. */
export const beforeAfterWords =
  /^(?:after|pre|before|part(?:y|ie)s?|after(?:part(?:y|ie)s?|shows?|s)|pre(?:party|show)|show|warm|up|warmup|kick|off|ons|kickons|festival|official\w*|oficial|the|of|de|di)$/;

/** Synonyms of add-ons. */
export const addOnKinds: readonly (readonly [RegExp, string])[] = [
  [/^(?:parking|car ?park)$/, 'parking'],
  [/^(?:camping|campsite)$/, 'camping'],
  [/^(?:shuttle|coach .*|bus .*)$/, 'a coach'],
  [/^(?:gift .*|gutschein)$/, 'a voucher'],
];

export const segmentSeparator =
  /\s*[:|•·~/,;+()[\]{}«»“”"]+\s*|\s+(?:[-–—&×x@]|w\/|\/w|w\.|with|feat\.?|ft\.?|featuring|pres\.?|presents|b2b|vs\.?|at|mit|avec|con)\s+/iu;
