/** Which part of an occasion a title sells: a day, a stage, what goes before or after, a ticket for several days. */
import { plain } from '../reading/plain.ts';
import type { Reason } from './listing.ts';
import { months, weekdays, wordsOf } from './words.ts';

export type Title = {
  words: readonly string[];
  /** What stands before the first sign that parts the title: "Swiftogeddon - The Taylor Swift Club Night". */
  lead: readonly string[];
  /** What signs set off from each other in it, word by word. */
  pieces: readonly (readonly string[])[];
  /** Which part of an occasion is meant; two that contradict each other are two shows. */
  parts: Parts;
};

export type Parts = {
  /** 'early' or 'late' of two shows a day. */
  show: 'early' | 'late' | null;
  /** What takes place before or after the thing itself. */
  around: 'after' | 'before' | null;
  /** The hours after are spoken of: a part of a night, or the name of a series. */
  hours: boolean;
  /** Opening or closing of a season or festival. */
  end: 'opening' | 'closing' | null;
  /** Days or nights that are numbered. */
  day: number | null;
  /** The number of an edition, volume, part. */
  number: number | null;
  /** "(1/2)": which of how many. */
  piece: { number: number; of: number } | null;
  /** "10 Years": the birthday that is kept. */
  years: number | null;
  /** What it takes place before or after: "Reworks" of "Reworks pre-party w/ Jane Doe". */
  occasion: readonly string[];
  /** A ticket for more than one day. */
  pass: boolean;
  /** A ticket for one day of several. */
  single: boolean;
  /** The show, and something that others do not get: "Early Entry Package". */
  packed: boolean;
  /** For so many days; null where that is not said. */
  days: number | null;
  /** A weekend is spoken of, and none of its days. */
  weekend: boolean;
  /** It is said to go on for days. */
  spans: boolean;
  /** Parking, camping, a coach: no show at all, and which of them it is. What is only added on may be one. */
  extra: string | null;
  added: boolean;
  /** Others play somebody's music: not their own show. */
  tribute: boolean;
  /** One stage or floor of more. */
  stage: string | null;
  weekdays: ReadonlySet<number>;
};

const after =
  /\b(?:after ?part(?:y|ie)s?|after ?show(?:s| ?part(?:y|ie)s?)?|afters|official after|after (?:officiel(?:le)?|oficial|ufficiale|oficjalne)|oficjalne after|aftermovie|kick ?ons|after ?hours (?=(?:w|with|by|ft|feat|party|session|set)\b))\b/;
const before =
  /\b(?:pre ?part(?:y|ie)s?|warm ?up part(?:y|ie)s?|pre ?show|pre ?festival|kick ?off part(?:y|ie)s?|warmup)\b/;
const early =
  /\b(?:early (?:show|set|concert|session|performance|seating)|matinee|1st (?:show|set|seating|suteshi)|first (?:show|set|seating)|(?:show|set|session|seating) (?:1|one|i)|afternoon (?:show|session))\b/;
const late =
  /\b(?:late (?:show|set|concert|session|performance|seating|night show)|2nd (?:show|set|seating|suteshi)|second (?:show|set|seating)|(?:show|set|session|seating) (?:2|two|ii)|added show|extra show|zusatzshow|zusatzkonzert)\b/;
const pass =
  /\b(?:(?:full |whole )?(?:weekend|festival|week|season|combi|multi ?day|[2-9] ?days?|(?:two|three|four|five) days?|[2-9] ?nights?|(?:two|three|four) nights?) ?(?:pass(?:es)?|tickets?|admission|kombiticket)|full (?:weekend|festival|pass)|(?:[2-9]|two|three|four) ?day ?(?:event|festival)?(?= |$)(?= ?(?:pass|ticket))|[2-9] ?day$|kombiticket|combi ?ticket|abono|bono|festivalpass|weekender ticket|wochenendticket|dauerkarte|passe? (?:2|3|4|deux|trois) jours|pass 3j|all access pass|weekend ?pass|both (?:days|nights))\b/;
/** The same for several shows, and in other languages. */
const severalShows =
  /\b(?:both (?:shows?|concerts?|evenings?)|(?:all (?:shows|concerts|nights|days)|(?:[2-9]|two|three|four|five|multi) ?(?:shows?|concerts?|nights?|days?|gigs?)) ?(?:pass(?:es)?|tickets?|combo|bundle)|all (?:[2-9]|two|three|four|five) (?:shows|concerts|nights|days)|(?:combo|multi) ?(?:pass(?:es)?|tickets?)|(?:kombi|wochenend|festival|saison|mehrtages) ?(?:karten?|tickets?|pass)|[2-9] ?tages ?(?:karten?|tickets?|pass)|(?:saison|konzert|jahres|wahl) ?abo(?:s|nnement\w*)?|abonn?ement\w*|abbonament[oi]|season subscription|(?:weekend|festival) ?(?:kaart\w*|pas|billett?|biljett?|armband)|(?:[2-9]|twee|drie|vier) ?daa?g(?:en|se) ?(?:tickets?|kaart\w*|pas\w*)|pase? (?:de )?[2-5] dias|pass [2-5] (?:jours|soirs|giorni)|[2-5] (?:jours|soirs|giorni|dias) pass|karnet\w*|permanentk\w*|berlet\w*|abonament\w*|kombine|viikonloppulip\w*|vik[ae]nd\w* (?:vstup\w*|ulaznic\w*|karta)|[2-5] (?:paivan lip\w*|day ?pass\w*))\b/;
const passDays = /\b([2-9]|two|three|four) ?(?:days?|nights?)\b/;
const weekend = /\b(?:weekend(?:er)?|wochenende|week end)\b/;
/** "Saturday Single Day", "Tagesticket": a day of what goes on for more. */
const single =
  /\b(?:(?:single|1) ?day|day ?(?:tickets?|pass(?:es)?|admission)|tages ?(?:tickets?|karten?|pass)|dag ?(?:tickets?|kaart\w*|pas|billett?|biljett?|billet)|(?:pass|billet|forfait) (?:1 )?jour(?:nee)?|1 jour|(?:entrada|bono|pase?) (?:de )?(?:1 )?dia|1 dia|biglietto giornaliero|bilet jednodniowy|jednodenni vstupenka)\b/;
const packed =
  /\b(?:(?:ticket|early entry|hospitality|travel|hotel|dinner) (?:package|bundle)s?|ticket and (?:early|vip|hotel|merch\w*|dinner))\b/;
/** With "pass": for more than a day. */
const longer = /\b(?:weekend|wochenende?|week ?end|festival|full)\b(?!.*\bday pass)/;
const extra =
  /\b(?:parking|car ?park|camping|glamping|campsite|shuttle|coach (?:travel|ticket|transfer)|bus transfer|hotel|locker|merch(?:andise)?|vip (?:upgrade|package|experience|add ?on)|meet (?:and )?greet|upgrade|upsell|gift (?:card|voucher)|gutschein|dinner (?:package|reservation)|table reservation|soundcheck|premium (?:seat|package)s?)\b/;
const added = /\badd ?on\b/;
const tribute =
  /\b(?:tributes?|tributo|tribut|hommage|homage|homenaje|candlelight|cover ?band|coverband|karaoke|(?:plays?|performs?) the (?:music|songs) of|the (?:music|songs) of|look ?alike|sing ?along)\b/;
const opening =
  /\b(?:(?:season |grand )?(?:re ?)?opening (?:party|night|event|weekend)|season opening|opening$|(?:saison ?)?eroffnung\w*|soiree d ?ouverture|inauguracion|(?:fiesta de )?apertura|inaugurazione|openings?feest)\b/;
const closing =
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
const day =
  /\b(?:day|night|tag|dia|jour|giorno|dag|nacht|nuit|ziua|dzien|den|paiva|paev|nap) (\d{1,2}|one|two|three|four|i{1,3}|iv)\b|\b(\d)(?:(?:st|nd|rd|th) (?:day|night)| (?:dzien|den|dan))\b/;
const number =
  /(?:#|\bno\.? ?|\bnr\.? ?|\bvol(?:ume)?\.? ?|\bpart ?|\bpt\.? ?|\bchapter ?|\bepisode ?|\bep\.? ?|\bedition ?|\bround ?|\bteil ?|\bchapitre ?|\bweek(?:end)? ?|\bwoche(?:nende)? ?)(\d{1,4}|i{1,3}|iv)\b/;

/** Feasts that shows are named after, in the languages of sellers. */
const feasts: readonly (readonly [RegExp, string])[] = [
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

/** What the feasts are called here. */
export const feastNames: ReadonlySet<string> = new Set(feasts.map(([, name]) => name));

/** "9 Years", "9 let", "9 Jahre", "9th Birthday", "9. urodziny": birthdays in the languages of sellers. */
const yearWords =
  /\b(\d{1,3}) (?:years?|yrs|jahre|ans|anos|anni|jaar|let|lat|ar|aar|vuotta|rokov|godini|godina|rokiv|ev|eves|yil|ani|anys)\b|\b(\d{1,3})(?:st|nd|rd|th|e|eme|o)? (?:year )?(?:anniversar(?:y|io)|birthday|bday|geburtstag|jubilaum|anniversaire|aniversario|aniversari|verjaardag|jubileum|urodziny|narozeniny|narodeniny|rodendan|rodjendan|rojstni dan|szuletesnap|sunnipaev|syntymapaivat|fodselsdag)\b/g;

/** What is written short in titles. */
const shortWords: readonly (readonly [RegExp, string])[] = [
  [/\b(?:d and b|d n b|dnb|drum ?n ?bass)\b/g, 'drum and bass'],
];

/** What only sets off which of two: "(1st)", "(early)", "(2/2)". */
const bracketedShow = /[([{【]\s*(1st|2nd|early|late)\s*[)\]}】]/;
const bracketedPiece = /[([{【]\s*([1-4])\s*\/\s*([2-4])\s*[)\]}】]/;
/** Ages of visitors, no birthdays. */
const ages: ReadonlySet<number> = new Set([16, 18, 21]);
/** What else one must have says nothing of what is sold. */
const required = /\b\w+ tickets? (?:(?:also|is|are) )*(?:required|needed)\b/g;
const parting =
  /\s*(?:[:|•·~/]|\s[-–—]\s|\s(?:w\/|\/w|w\.|with|feat\.?|ft\.?|pres\.?|presents|mit|avec|con|met|med|invites|präsentiert)\s)\s*/iu;

/** "FRI 01.05": a weekday in short, in front of its date. */
const datedDay =
  /\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|lun|mar|mie|mier|jue|vie|sab|dom|mer|gio|jeu|ven|sam|dim|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo) (?:0?[1-9]|[12]\d|3[01]) (?:0?[1-9]|1[0-2])(?: (?:20)?\d\d)?\b/g;

/** The words of a title, feasts by one name. */
function titleWords(name: string): readonly string[] {
  const words = wordsOf(name).join(' ');
  const undatedWords = words.replace(datedDay, '').replace(/\s+/g, ' ').trim();
  const told = [[yearWords, '$1$2 years'] as const, ...shortWords, ...feasts].reduce(
    (text, [pattern, feast]) => text.replace(pattern, feast),
    undatedWords === '' ? words : undatedWords,
  );
  return told === '' ? [] : told.split(' ');
}

/** How long a listing is: 'perhaps' is a long night, or a weekend if its title says so. */
export type Length = 'night' | 'perhaps' | 'days';

/**
 * Reads a title.
 * @param length how far apart the listing begins and ends
 * @param house where the show is: "Budweiser Stage" and "Corner Hotel" are neither a stage of more nor a room for the night
 */
export function readParts(name: string, house: string | null = null, length: Length = 'night'): Title {
  const text = plain(name).toLowerCase();
  const words = titleWords(name);
  const housed = house === null ? '' : wordsOf(house).join(' ');
  const folded = ` ${words.join(' ')} `
    .replace(housed === '' ? ' ' : ` ${housed} `, ' ')
    .trim()
    .replace(required, '');
  const stage = /\b(\w+) (?:stage|floor|tent|buhne)\b/.exec(folded);
  const numbered = day.exec(folded);
  const piece = bracketedPiece.exec(text);
  const show = bracketedShow.exec(text)?.[1];
  const years = Number(/\b(\d{1,3}) years\b/.exec(folded)?.[1]);
  const pieces = piecesOf(name);
  const isWeekend = weekend.test(folded);
  const isPass =
    pass.test(folded) || severalShows.test(folded) || (/\bpass(?:es)?\b/.test(folded) && longer.test(folded));
  return {
    words,
    lead: leadOf(name),
    pieces,
    parts: {
      show:
        show === '1st' || show === 'early' || early.test(folded)
          ? 'early'
          : show === '2nd' || show === 'late' || late.test(folded)
            ? 'late'
            : null,
      piece: piece && { number: Number(piece[1]), of: Number(piece[2]) },
      years: years > 0 && !ages.has(years) ? years : null,
      hours: /\bafter ?hours?\b/.test(folded),
      around: after.test(folded) ? 'after' : before.test(folded) ? 'before' : null,
      end: opening.test(folded) ? 'opening' : closing.test(folded) ? 'closing' : null,
      day: numbered ? numberOf(numbered[1] ?? numbered[2]) : null,
      number: numberOf(number.exec(text)?.[1]),
      occasion: occasionIn(pieces),
      pass: isPass,
      single: !isPass && single.test(folded) && !isWeekend,
      packed: packed.test(folded),
      days: numberOf(passDays.exec(folded)?.[1]),
      weekend: isWeekend && numbered === null,
      spans: length === 'days' || (length === 'perhaps' && (isPass || isWeekend)),
      extra: extraIn(folded),
      added: added.test(folded),
      tribute: tribute.test(folded),
      stage: stage ? (stage[1] as string) : null,
      weekdays: new Set(
        words
          .map((word) => (word.length > 3 ? weekdays.get(word) : undefined))
          .filter((one) => one !== undefined),
      ),
    },
  };
}

/** The words that say what comes before or after, and those beside them that name nothing. */
const aroundWords =
  /^(?:after|pre|before|part(?:y|ie)s?|after(?:part(?:y|ie)s?|shows?|s)|pre(?:party|show)|show|warm|up|warmup|kick|off|ons|kickons|festival|official\w*|oficial|the|of|de|di)$/;

/** What a pre-party or after-party belongs to, as far as a piece of the title says both. */
function occasionIn(pieces: readonly (readonly string[])[]): readonly string[] {
  const said = pieces.find((words) => after.test(words.join(' ')) || before.test(words.join(' ')));
  return (said ?? []).filter((word) => !aroundWords.test(word) && word.length > 2 && !/^\d+$/.test(word));
}

/** Two words for one thing that goes with a show. */
const extras: readonly (readonly [RegExp, string])[] = [
  [/^(?:parking|car ?park)$/, 'parking'],
  [/^(?:camping|campsite)$/, 'camping'],
  [/^(?:shuttle|coach .*|bus .*)$/, 'a coach'],
  [/^(?:gift .*|gutschein)$/, 'a voucher'],
];

function extraIn(folded: string): string | null {
  const found = extra.exec(folded)?.[0] ?? null;
  return extras.find(([pattern]) => found !== null && pattern.test(found))?.[1] ?? found;
}

/** The words of the first part of a title, dates aside ("Sat 05.12: Nadir - live"); none where it has but one. */
function leadOf(name: string): readonly string[] {
  const parts = name.split(parting).map(titleWords);
  const first = parts.findIndex((words) => !words.every(isDated));
  return first < 0 || first === parts.length - 1 ? [] : (parts[first] ?? []);
}
const isDated = (word: string): boolean => weekdays.has(word) || months.has(word) || /^\d+$/.test(word);

const setOff =
  /\s*[:|•·~/,;+()[\]{}«»“”"]+\s*|\s+(?:[-–—&×x@]|w\/|\/w|w\.|with|feat\.?|ft\.?|featuring|pres\.?|presents|b2b|vs\.?|at|mit|avec|con)\s+/iu;

/** What is named in a title, each by itself; nothing where it is all of one piece. */
function piecesOf(name: string): readonly (readonly string[])[] {
  const pieces = plain(name).split(setOff);
  return pieces.length < 2 ? [] : pieces.map(titleWords).filter(({ length }) => length > 0);
}
const numberOf = (text: string | undefined): number | null =>
  text === undefined ? null : (numberWords[text] ?? (/^\d+$/.test(text) ? Number(text) : null));

/** Two parts of one occasion. */
export type Apart = Reason & { rule: string | null };

/** What is known of two beside their titles. */
export type Known = {
  /** They begin at one time in one house. */
  begins: boolean;
  /** And with the same acts. */
  plays: boolean;
  /** The same acts play in one house on one night, and one of the two does not know what the other comes before or after. */
  apart: boolean;
  /** One of them is called as its festival is, and does not say when it ends. */
  whole: boolean;
};

/**
 * Whether two titles sell different parts of one night or festival.
 * @param sameActs both list acts, and share some
 * @param known an after-party does not begin with the thing itself: one of the two left out what it is
 */
export function compareParts(a: Parts, b: Parts, sameActs: boolean, known: Known): Apart[] {
  const found: Apart[] = [];
  const add = (weight: number, text: string, rule: string | null = null) =>
    found.push({ evidence: 'title', weight, text, rule });
  if (a.around !== b.around && !(a.hours && b.hours)) {
    const text = `${a.around ?? b.around}-party and the thing itself`;
    if (known.begins && (a.around === null || b.around === null)) add(-0.3, text);
    else if (known.apart && (a.around === null || b.around === null)) add(-0.6, text);
    else add(-5, text, 'before or after');
  } else if (a.around !== null && a.around === b.around) add(1.2, `both are what comes ${a.around}`);
  if (a.extra !== b.extra) add(-5, 'no show, but what goes with one, and something else', 'no show');
  else if (a.extra !== null) add(1.5, `both sell ${a.extra}`);
  else if (a.added !== b.added && !known.plays) add(-5, 'one sells what goes with a show', 'no show');
  // The band that pays the tribute may be listed by its name alone.
  if (a.tribute !== b.tribute && !sameActs) add(-4.6, 'one is a tribute');
  const areWeekends = a.weekend && b.weekend && a.weekdays.size + b.weekdays.size === 0;
  if (a.spans !== b.spans && (isDayOf(a, b) || isDayOf(b, a)))
    add(-5, 'one goes on for days, the other is one of them', 'two days');
  if (a.pass !== b.pass && (a.pass ? b : a).spans) add(1, 'a ticket for all days, and what goes on for days');
  else if (a.pass !== b.pass && !areWeekends && !known.whole)
    add(-5, 'a ticket for several days and one for a day', 'several days');
  if (a.pass && b.pass) add(...comparePasses(a, b));
  // "Festival X" and "Festival X - Saturday Single Day": the whole, for all that is known.
  if ((a.single && !b.pass && !namesDay(b)) || (b.single && !a.pass && !namesDay(a)))
    add(-2.2, 'one is a day of several, the other says no day');
  if (a.packed !== b.packed) add(-1.2, 'one sells more than the show');
  if (a.show !== null && b.show !== null && a.show !== b.show)
    add(-6, 'early and late show', 'early and late');
  else if (a.show !== b.show) add(-0.6, 'one is said to be the early or late show of two');
  if (a.end !== null && b.end !== null && a.end !== b.end)
    add(-6, 'opening and closing', 'opening and closing');
  else if (a.end !== b.end) add(-0.6, 'one is an opening or a closing');
  // A season has one.
  else if (a.end !== null) add(1.4, `both are ${a.end === 'opening' ? 'an opening' : 'a closing'}`);
  if (a.day !== null && b.day !== null && a.day !== b.day)
    add(-6, `day ${a.day} and day ${b.day}`, 'two days');
  else if (!sameActs && a.day !== b.day && !saysDay(a) && !saysDay(b)) add(-0.7, 'one is a day of several');
  if (a.piece !== null && b.piece !== null && a.piece.of === b.piece.of && a.piece.number !== b.piece.number)
    add(-6, `${a.piece.number} and ${b.piece.number} of ${a.piece.of}`, 'two days');
  if (a.years !== null && a.years === b.years) add(1, `${a.years} years of the same, presumably`);
  if (a.number !== null && b.number !== null && a.number !== b.number)
    add(-5, `number ${a.number} and number ${b.number}`, 'two numbers');
  if (a.stage !== null && b.stage !== null && a.stage !== b.stage)
    add(-3, `stages ${a.stage} and ${b.stage}`);
  else if (a.stage !== b.stage) add(known.plays ? -1 : -3.2, 'one is a stage or floor of more');
  if (a.weekdays.size > 0 && b.weekdays.size > 0 && ![...a.weekdays].some((one) => b.weekdays.has(one)))
    add(-4, 'different weekdays in the titles', 'two days');
  return found;
}

/** "Saturday", "Single Day": a day, without its number. */
const saysDay = ({ weekdays, single }: Parts): boolean => weekdays.size > 0 || single;
const namesDay = (parts: Parts): boolean => parts.day !== null || saysDay(parts);

/** "Saturday" of what goes on for days, and is called by none of them. */
const isDayOf = (one: Parts, all: Parts): boolean =>
  all.spans && !one.pass && ((saysDay(one) && !saysDay(all)) || (one.day !== null && all.day === null));

/** Two tickets for several days. */
const comparePasses = (a: Parts, b: Parts): [number, string, (string | null)?] =>
  a.days !== null && b.days !== null && a.days !== b.days
    ? [-5, `tickets for ${a.days} days and for ${b.days}`, 'several days']
    : [1, 'both are tickets for several days'];
