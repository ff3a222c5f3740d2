/** The part of an occasion that a title sells: a day, a stage, a pre-party, a ticket for several days. */
import { normalizeText } from '../../text/normalize.ts';
import { months, tokenize, weekdays } from '../../text/tokens.ts';
import { type Evidence, evidenceOf, type MatchRule } from '../model.ts';
import { attributeWeights, type EvidenceCode } from '../weights.ts';

export type TitleStructure = {
  words: readonly string[];
  /** The words before the first separator of the title: "Swiftogeddon - The Taylor Swift Club Night". */
  lead: readonly string[];
  /** The words between separators. */
  segments: readonly (readonly string[])[];
  /** The part of an occasion; two parts that contradict each other are two events. */
  parts: TitleAttributes;
};

export type TitleAttributes = {
  /** 'early' or 'late' of two shows a day. */
  earlyOrLate: 'early' | 'late' | null;
  /** It takes place before or after the event itself. */
  beforeOrAfter: 'after' | 'before' | null;
  /** It contains "after hours": a part of a night, or the name of a series. */
  isAfterHours: boolean;
  /** Opening or closing of a season or festival. */
  openingOrClosing: 'opening' | 'closing' | null;
  /** The number of a day or night. */
  day: number | null;
  /** The number of an edition, volume, part. */
  number: number | null;
  /** "(1/2)": which of how many. */
  partOf: { number: number; of: number } | null;
  /** "10 Years": the anniversary. */
  anniversaryYears: number | null;
  /** The event that it takes place before or after: "Reworks" of "Reworks pre-party w/ Jane Doe". */
  occasion: readonly string[];
  /** A ticket for more than one day. */
  isMultiDayPass: boolean;
  /** A ticket for one day of several. */
  isSingleDay: boolean;
  /** The event with an extra: "Early Entry Package". */
  isBundle: boolean;
  /** The number of days of the ticket; null where the title has none. */
  passDays: number | null;
  /** It names a weekend, and none of its days. */
  isWeekend: boolean;
  /** It lasts several days. */
  isMultiDay: boolean;
  /** Parking, camping, a coach: the kind of an add-on that is no event. An "add-on" without a kind may be an event. */
  addOnKind: string | null;
  isAddOn: boolean;
  /** A tribute: others play the music of an act. */
  isTribute: boolean;
  /** One of several stages or floors. */
  stage: string | null;
  weekdays: ReadonlySet<number>;
};

const afterPartyPattern =
  /\b(?:after ?part(?:y|ie)s?|after ?show(?:s| ?part(?:y|ie)s?)?|afters|official after|after (?:officiel(?:le)?|oficial|ufficiale|oficjalne)|oficjalne after|aftermovie|kick ?ons|after ?hours (?=(?:w|with|by|ft|feat|party|session|set)\b))\b/;
const prePartyPattern =
  /\b(?:pre ?part(?:y|ie)s?|warm ?up part(?:y|ie)s?|pre ?show|pre ?festival|kick ?off part(?:y|ie)s?|warmup)\b/;
const earlyShowPattern =
  /\b(?:early (?:show|set|concert|session|performance|seating)|matinee|1st (?:show|set|seating|suteshi)|first (?:show|set|seating)|(?:show|set|session|seating) (?:1|one|i)|afternoon (?:show|session))\b/;
const lateShowPattern =
  /\b(?:late (?:show|set|concert|session|performance|seating|night show)|2nd (?:show|set|seating|suteshi)|second (?:show|set|seating)|(?:show|set|session|seating) (?:2|two|ii)|added show|extra show|zusatzshow|zusatzkonzert)\b/;
const passPattern =
  /\b(?:(?:full |whole )?(?:weekend|festival|week|season|combi|multi ?day|[2-9] ?days?|(?:two|three|four|five) days?|[2-9] ?nights?|(?:two|three|four) nights?) ?(?:pass(?:es)?|tickets?|admission|kombiticket)|full (?:weekend|festival|pass)|(?:[2-9]|two|three|four) ?day ?(?:event|festival)?(?= |$)(?= ?(?:pass|ticket))|[2-9] ?day$|kombiticket|combi ?ticket|abono|bono|festivalpass|weekender ticket|wochenendticket|dauerkarte|passe? (?:2|3|4|deux|trois) jours|pass 3j|all access pass|weekend ?pass|both (?:days|nights))\b/;
/** The same for several shows, and in other languages. */
const multiShowPattern =
  /\b(?:both (?:shows?|concerts?|evenings?)|(?:all (?:shows|concerts|nights|days)|(?:[2-9]|two|three|four|five|multi) ?(?:shows?|concerts?|nights?|days?|gigs?)) ?(?:pass(?:es)?|tickets?|combo|bundle)|all (?:[2-9]|two|three|four|five) (?:shows|concerts|nights|days)|(?:combo|multi) ?(?:pass(?:es)?|tickets?)|(?:kombi|wochenend|festival|saison|mehrtages) ?(?:karten?|tickets?|pass)|[2-9] ?tages ?(?:karten?|tickets?|pass)|(?:saison|konzert|jahres|wahl) ?abo(?:s|nnement\w*)?|abonn?ement\w*|abbonament[oi]|season subscription|(?:weekend|festival) ?(?:kaart\w*|pas|billett?|biljett?|armband)|(?:[2-9]|twee|drie|vier) ?daa?g(?:en|se) ?(?:tickets?|kaart\w*|pas\w*)|pase? (?:de )?[2-5] dias|pass [2-5] (?:jours|soirs|giorni)|[2-5] (?:jours|soirs|giorni|dias) pass|karnet\w*|permanentk\w*|berlet\w*|abonament\w*|kombine|viikonloppulip\w*|vik[ae]nd\w* (?:vstup\w*|ulaznic\w*|karta)|[2-5] (?:paivan lip\w*|day ?pass\w*))\b/;
const passDaysPattern = /\b([2-9]|two|three|four) ?(?:days?|nights?)\b/;
const weekendPattern = /\b(?:weekend(?:er)?|wochenende|week end)\b/;
/** "Saturday Single Day", "Tagesticket": a day of what goes on for more. */
const singleDayPattern =
  /\b(?:(?:single|1) ?day|day ?(?:tickets?|pass(?:es)?|admission)|tages ?(?:tickets?|karten?|pass)|dag ?(?:tickets?|kaart\w*|pas|billett?|biljett?|billet)|(?:pass|billet|forfait) (?:1 )?jour(?:nee)?|1 jour|(?:entrada|bono|pase?) (?:de )?(?:1 )?dia|1 dia|biglietto giornaliero|bilet jednodniowy|jednodenni vstupenka)\b/;
const bundlePattern =
  /\b(?:(?:ticket|early entry|hospitality|travel|hotel|dinner) (?:package|bundle)s?|ticket and (?:early|vip|hotel|merch\w*|dinner))\b/;
/** With "pass": for more than a day. */
const multiDayWordPattern = /\b(?:weekend|wochenende?|week ?end|festival|full)\b(?!.*\bday pass)/;
const addOnPattern =
  /\b(?:parking|car ?park|camping|glamping|campsite|shuttle|coach (?:travel|ticket|transfer)|bus transfer|hotel|locker|merch(?:andise)?|vip (?:upgrade|package|experience|add ?on)|meet (?:and )?greet|upgrade|upsell|gift (?:card|voucher)|gutschein|dinner (?:package|reservation)|table reservation|soundcheck|premium (?:seat|package)s?)\b/;
const addOnMarkPattern = /\badd ?on\b/;
const tributePattern =
  /\b(?:tributes?|tributo|tribut|hommage|homage|homenaje|candlelight|cover ?band|coverband|karaoke|(?:plays?|performs?) the (?:music|songs) of|the (?:music|songs) of|look ?alike|sing ?along)\b/;
const openingPattern =
  /\b(?:(?:season |grand )?(?:re ?)?opening (?:party|night|event|weekend)|season opening|opening$|(?:saison ?)?eroffnung\w*|soiree d ?ouverture|inauguracion|(?:fiesta de )?apertura|inaugurazione|openings?feest)\b/;
const closingPattern =
  /\b(?:(?:season |grand )?closing (?:party|night|event|weekend|fiesta)|season closing|closing$|(?:saison ?)?abschluss\w*|soiree de cloture|cloture|(?:fiesta de )?cierre|(?:festa di )?chiusura|slotfeest|encerramento|zamkniecie)\b/;
const numberWords: Record<string, number> = {
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
const dayNumberPattern =
  /\b(?:day|night|tag|dia|jour|giorno|dag|nacht|nuit|ziua|dzien|den|paiva|paev|nap) (\d{1,2}|one|two|three|four|i{1,3}|iv)\b|\b(\d)(?:(?:st|nd|rd|th) (?:day|night)| (?:dzien|den|dan))\b/;
const editionNumberPattern =
  /(?:#|\bno\.? ?|\bnr\.? ?|\bvol(?:ume)?\.? ?|\bpart ?|\bpt\.? ?|\bchapter ?|\bepisode ?|\bep\.? ?|\bedition ?|\bround ?|\bteil ?|\bchapitre ?|\bweek(?:end)? ?|\bwoche(?:nende)? ?)(\d{1,4}|i{1,3}|iv)\b/;

/** Holidays in titles, in the languages of sellers. */
const holidays: readonly (readonly [RegExp, string])[] = [
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
const anniversaryPattern =
  /\b(\d{1,3}) (?:years?|yrs|jahre|ans|anos|anni|jaar|let|lat|ar|aar|vuotta|rokov|godini|godina|rokiv|ev|eves|yil|ani|anys)\b|\b(\d{1,3})(?:st|nd|rd|th|e|eme|o)? (?:year )?(?:anniversar(?:y|io)|birthday|bday|geburtstag|jubilaum|anniversaire|aniversario|aniversari|verjaardag|jubileum|urodziny|narozeniny|narodeniny|rodendan|rodjendan|rojstni dan|szuletesnap|sunnipaev|syntymapaivat|fodselsdag)\b/g;

/** Abbreviations in titles. */
const abbreviations: readonly (readonly [RegExp, string])[] = [
  [/\b(?:d and b|d n b|dnb|drum ?n ?bass)\b/g, 'drum and bass'],
];

/** Brackets that tell one of two apart: "(1st)", "(early)", "(2/2)". */
const bracketedShowPattern = /[([{【]\s*(1st|2nd|early|late)\s*[)\]}】]/;
const bracketedPartPattern = /[([{【]\s*([1-4])\s*\/\s*([2-4])\s*[)\]}】]/;
/** Age limits of visitors, not anniversaries. */
const ageLimits: ReadonlySet<number> = new Set([16, 18, 21]);
/** Other tickets that a visitor needs, which are not sold here. */
const requirementPattern = /\b\w+ tickets? (?:(?:also|is|are) )*(?:required|needed)\b/g;
const leadSeparator =
  /\s*(?:[:|•·~/]|\s[-–—]\s|\s(?:w\/|\/w|w\.|with|feat\.?|ft\.?|pres\.?|presents|mit|avec|con|met|med|invites|präsentiert)\s)\s*/iu;

/** "FRI 01.05": a weekday in short, in front of its date. */
const datedWeekdayPattern =
  /\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|lun|mar|mie|mier|jue|vie|sab|dom|mer|gio|jeu|ven|sam|dim|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo) (?:0?[1-9]|[12]\d|3[01]) (?:0?[1-9]|1[0-2])(?: (?:20)?\d\d)?\b/g;

/** The words of a title, each holiday by one name. */
function titleTokens(name: string): readonly string[] {
  const words = tokenize(name).join(' ');
  const undatedWords = words.replace(datedWeekdayPattern, '').replace(/\s+/g, ' ').trim();
  const normalized = [[anniversaryPattern, '$1$2 years'] as const, ...abbreviations, ...holidays].reduce(
    (text, [pattern, feast]) => text.replace(pattern, feast),
    undatedWords === '' ? words : undatedWords,
  );
  return normalized === '' ? [] : normalized.split(' ');
}

/** The length of a listing: 'perhaps' is a long night, or a weekend if its title says so. */
export type EventLength = 'night' | 'perhaps' | 'days';

/**
 * Parses a title.
 * @param length the time between start and end of the listing
 * @param venueName the venue: "Budweiser Stage" and "Corner Hotel" name neither a stage nor a hotel room
 */
export function readTitleStructure(
  name: string,
  venueName: string | null = null,
  length: EventLength = 'night',
): TitleStructure {
  const text = normalizeText(name).toLowerCase();
  const words = titleTokens(name);
  const venueWords = venueName === null ? '' : tokenize(venueName).join(' ');
  const folded = ` ${words.join(' ')} `
    .replace(venueWords === '' ? ' ' : ` ${venueWords} `, ' ')
    .trim()
    .replace(requirementPattern, '');
  const stage = /\b(\w+) (?:stage|floor|tent|buhne)\b/.exec(folded);
  const numbered = dayNumberPattern.exec(folded);
  const piece = bracketedPartPattern.exec(text);
  const show = bracketedShowPattern.exec(text)?.[1];
  const years = Number(/\b(\d{1,3}) years\b/.exec(folded)?.[1]);
  const pieces = segmentsOf(name);
  const isWeekend = weekendPattern.test(folded);
  const isPass =
    passPattern.test(folded) ||
    multiShowPattern.test(folded) ||
    (/\bpass(?:es)?\b/.test(folded) && multiDayWordPattern.test(folded));
  return {
    words,
    lead: leadTokens(name),
    segments: pieces,
    parts: {
      earlyOrLate:
        show === '1st' || show === 'early' || earlyShowPattern.test(folded)
          ? 'early'
          : show === '2nd' || show === 'late' || lateShowPattern.test(folded)
            ? 'late'
            : null,
      partOf: piece && { number: Number(piece[1]), of: Number(piece[2]) },
      anniversaryYears: years > 0 && !ageLimits.has(years) ? years : null,
      isAfterHours: /\bafter ?hours?\b/.test(folded),
      beforeOrAfter: afterPartyPattern.test(folded)
        ? 'after'
        : prePartyPattern.test(folded)
          ? 'before'
          : null,
      openingOrClosing: openingPattern.test(folded)
        ? 'opening'
        : closingPattern.test(folded)
          ? 'closing'
          : null,
      day: numbered ? numberOf(numbered[1] ?? numbered[2]) : null,
      number: numberOf(editionNumberPattern.exec(text)?.[1]),
      occasion: occasionIn(pieces),
      isMultiDayPass: isPass,
      isSingleDay: !isPass && singleDayPattern.test(folded) && !isWeekend,
      isBundle: bundlePattern.test(folded),
      passDays: numberOf(passDaysPattern.exec(folded)?.[1]),
      isWeekend: isWeekend && numbered === null,
      isMultiDay: length === 'days' || (length === 'perhaps' && (isPass || isWeekend)),
      addOnKind: addOnKindIn(folded),
      isAddOn: addOnMarkPattern.test(folded),
      isTribute: tributePattern.test(folded),
      stage: stage ? (stage[1] as string) : null,
      weekdays: new Set(
        words
          .map((word) => (word.length > 3 ? weekdays.get(word) : undefined))
          .filter((one) => one !== undefined),
      ),
    },
  };
}

/** Words of pre-parties and after-parties, and words beside them that name nothing. */
const beforeAfterWords =
  /^(?:after|pre|before|part(?:y|ie)s?|after(?:part(?:y|ie)s?|shows?|s)|pre(?:party|show)|show|warm|up|warmup|kick|off|ons|kickons|festival|official\w*|oficial|the|of|de|di)$/;

/** The event that a pre-party or after-party belongs to, where one segment of the title names both. */
function occasionIn(pieces: readonly (readonly string[])[]): readonly string[] {
  const segment = pieces.find(
    (words) => afterPartyPattern.test(words.join(' ')) || prePartyPattern.test(words.join(' ')),
  );
  return (segment ?? []).filter(
    (word) => !beforeAfterWords.test(word) && word.length > 2 && !/^\d+$/.test(word),
  );
}

/** Synonyms of add-ons. */
const addOnKinds: readonly (readonly [RegExp, string])[] = [
  [/^(?:parking|car ?park)$/, 'parking'],
  [/^(?:camping|campsite)$/, 'camping'],
  [/^(?:shuttle|coach .*|bus .*)$/, 'a coach'],
  [/^(?:gift .*|gutschein)$/, 'a voucher'],
];

function addOnKindIn(folded: string): string | null {
  const addOn = addOnPattern.exec(folded)?.[0] ?? null;
  return addOnKinds.find(([pattern]) => addOn !== null && pattern.test(addOn))?.[1] ?? addOn;
}

/** The words of the first part of a title, dates aside ("Sat 05.12: Nadir - live"); none where it has but one. */
function leadTokens(name: string): readonly string[] {
  const parts = name.split(leadSeparator).map(titleTokens);
  const first = parts.findIndex((words) => !words.every(isDated));
  return first < 0 || first === parts.length - 1 ? [] : (parts[first] ?? []);
}
const isDated = (word: string): boolean => weekdays.has(word) || months.has(word) || /^\d+$/.test(word);

const segmentSeparator =
  /\s*[:|•·~/,;+()[\]{}«»“”"]+\s*|\s+(?:[-–—&×x@]|w\/|\/w|w\.|with|feat\.?|ft\.?|featuring|pres\.?|presents|b2b|vs\.?|at|mit|avec|con)\s+/iu;

/** The segments of a title; none where it has no separator. */
function segmentsOf(name: string): readonly (readonly string[])[] {
  const pieces = normalizeText(name).split(segmentSeparator);
  return pieces.length < 2 ? [] : pieces.map(titleTokens).filter(({ length }) => length > 0);
}
const numberOf = (text: string | undefined): number | null =>
  text === undefined ? null : (numberWords[text] ?? (/^\d+$/.test(text) ? Number(text) : null));

/** What else is known of two listings whose titles are compared. */
export type PairContext = {
  /** They begin at one time in one venue. */
  sameStart: boolean;
  /** And with the same acts. */
  sameStartAndActs: boolean;
  /** The same acts play in one venue on one night, and one of the two does not name what the other comes before or after. */
  unknownOccasion: boolean;
  /** One has the name of its festival, and no end. */
  isWholeFestival: boolean;
};

const attributeEvidence = evidenceOf(attributeWeights);
export type AttributeEvidence = Evidence<keyof typeof attributeWeights>;

/** What decides alone that two titles sell different parts of an occasion. */
export const partRules: ReadonlyMap<EvidenceCode, MatchRule> = new Map<EvidenceCode, MatchRule>([
  ['title.add-on', 'no-show'],
  ['title.add-on-kind', 'no-show'],
  ['title.before-or-after', 'before-or-after'],
  ['title.day-numbers', 'two-days'],
  ['title.day-of-several', 'two-days'],
  ['title.early-and-late', 'early-and-late'],
  ['title.edition-numbers', 'two-numbers'],
  ['title.opening-and-closing', 'opening-and-closing'],
  ['title.part-numbers', 'two-days'],
  ['title.pass-and-day', 'several-days'],
  ['title.pass-lengths', 'several-days'],
  ['title.weekdays', 'two-days'],
]);

/** What says that two are the same one of a season or year. */
export const sameOccasionCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'title.anniversary',
  'title.both-add-on',
  'title.both-before-or-after',
  'title.both-closing',
  'title.both-opening',
  'title.both-passes',
  'title.pass-and-days',
]);

/**
 * Compares the parts of one night or festival that two titles sell.
 * @param sameActs both list acts, and share some
 * @param context an after-party does not begin with the event itself: one of the two left out what it is
 */
export function compareTitleAttributes(
  a: TitleAttributes,
  b: TitleAttributes,
  sameActs: boolean,
  context: PairContext,
): AttributeEvidence[] {
  const reasons: AttributeEvidence[] = [];
  const add = (...level: Parameters<typeof attributeEvidence>) => reasons.push(attributeEvidence(...level));
  if (a.beforeOrAfter !== b.beforeOrAfter && !(a.isAfterHours && b.isAfterHours)) {
    const isOneSided = a.beforeOrAfter === null || b.beforeOrAfter === null;
    const code =
      isOneSided && context.sameStart
        ? 'title.before-or-after-at-once'
        : isOneSided && context.unknownOccasion
          ? 'title.before-or-after-unknown'
          : 'title.before-or-after';
    add(code, a.beforeOrAfter ?? b.beforeOrAfter);
  } else if (a.beforeOrAfter !== null && a.beforeOrAfter === b.beforeOrAfter)
    add('title.both-before-or-after', a.beforeOrAfter);
  if (a.addOnKind !== b.addOnKind) add('title.add-on-kind');
  else if (a.addOnKind !== null) add('title.both-add-on', a.addOnKind);
  else if (a.isAddOn !== b.isAddOn && !context.sameStartAndActs) add('title.add-on');
  // The band that pays the tribute may be listed by its name alone.
  if (a.isTribute !== b.isTribute && !sameActs) add('title.tribute');
  const areWeekends = a.isWeekend && b.isWeekend && a.weekdays.size + b.weekdays.size === 0;
  if (a.isMultiDay !== b.isMultiDay && (isDayOf(a, b) || isDayOf(b, a))) add('title.day-of-several');
  if (a.isMultiDayPass !== b.isMultiDayPass && (a.isMultiDayPass ? b : a).isMultiDay)
    add('title.pass-and-days');
  else if (a.isMultiDayPass !== b.isMultiDayPass && !areWeekends && !context.isWholeFestival)
    add('title.pass-and-day');
  if (a.isMultiDayPass && b.isMultiDayPass) {
    if (differ(a.passDays, b.passDays)) add('title.pass-lengths', a.passDays, b.passDays);
    else add('title.both-passes');
  }
  // "Festival X" and "Festival X - Saturday Single Day": the whole, for all that is known.
  if (
    (a.isSingleDay && !b.isMultiDayPass && !namesDay(b)) ||
    (b.isSingleDay && !a.isMultiDayPass && !namesDay(a))
  )
    add('title.single-day');
  if (a.isBundle !== b.isBundle) add('title.bundle');
  if (differ(a.earlyOrLate, b.earlyOrLate)) add('title.early-and-late');
  else if (a.earlyOrLate !== b.earlyOrLate) add('title.early-or-late');
  if (differ(a.openingOrClosing, b.openingOrClosing)) add('title.opening-and-closing');
  else if (a.openingOrClosing !== b.openingOrClosing) add('title.opening-or-closing');
  // A season has one.
  else if (a.openingOrClosing !== null)
    add(a.openingOrClosing === 'opening' ? 'title.both-opening' : 'title.both-closing');
  if (differ(a.day, b.day)) add('title.day-numbers', a.day, b.day);
  else if (!sameActs && a.day !== b.day && !namesUnnumberedDay(a) && !namesUnnumberedDay(b))
    add('title.day-number');
  if (a.partOf?.of === b.partOf?.of && differ(a.partOf?.number ?? null, b.partOf?.number ?? null))
    add('title.part-numbers', a.partOf?.number, b.partOf?.number, a.partOf?.of);
  if (a.anniversaryYears !== null && a.anniversaryYears === b.anniversaryYears)
    add('title.anniversary', a.anniversaryYears);
  if (differ(a.number, b.number)) add('title.edition-numbers', a.number, b.number);
  if (differ(a.stage, b.stage)) add('title.stages', a.stage, b.stage);
  else if (a.stage !== b.stage) add(context.sameStartAndActs ? 'title.stage-of-same' : 'title.stage');
  if (a.weekdays.size > 0 && b.weekdays.size > 0 && ![...a.weekdays].some((one) => b.weekdays.has(one)))
    add('title.weekdays');
  return reasons;
}

/** Whether both are known and not the same. */
const differ = <T>(a: T | null, b: T | null): boolean => a !== null && b !== null && a !== b;

/** "Saturday", "Single Day": a day, without its number. */
const namesUnnumberedDay = ({ weekdays, isSingleDay: single }: TitleAttributes): boolean =>
  weekdays.size > 0 || single;
const namesDay = (parts: TitleAttributes): boolean => parts.day !== null || namesUnnumberedDay(parts);

/** "Saturday" of what goes on for days, and is called by none of them. */
const isDayOf = (one: TitleAttributes, all: TitleAttributes): boolean =>
  all.isMultiDay &&
  !one.isMultiDayPass &&
  ((namesUnnumberedDay(one) && !namesUnnumberedDay(all)) || (one.day !== null && all.day === null));

/** A listing by its title and acts. */
type TitledLineup = { parsedTitle: { parts: TitleAttributes }; acts: readonly unknown[] };

/**
 * Whether one of two listings with most acts in common is a stage or a pre-party of the other (docs/spec/imports.md#evidence:
 * a stage listed on its own is another thing): its title says so, the other's does not, and it lists fewer acts.
 */
export const isPartOfOther = (a: TitledLineup, b: TitledLineup): boolean => isPartOf(a, b) || isPartOf(b, a);

const isPartOf = (one: TitledLineup, whole: TitledLineup): boolean =>
  namesPart(one) && !namesPart(whole) && one.acts.length > 0 && one.acts.length < whole.acts.length;

const namesPart = ({ parsedTitle: { parts } }: TitledLineup): boolean =>
  parts.stage !== null || parts.beforeOrAfter === 'before';
