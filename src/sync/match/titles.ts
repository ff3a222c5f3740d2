/** Titles of shows, compared: what remains of them without venue, city, date and noise, and which part of a night they sell. */
import { plain } from '../reading/plain.ts';
import { areOfTwoScripts } from './letters.ts';
import type { Listing, Reason } from './listing.ts';
import {
  alikeWords,
  containsRun,
  initialsOf,
  joiners,
  months,
  sharedWords,
  titleNoise,
  weekdays,
  wordsOf,
} from './words.ts';

export type Title = {
  words: readonly string[];
  /** What stands before the first sign that parts the title: "Swiftogeddon - The Taylor Swift Club Night". */
  lead: readonly string[];
  /** Which part of an occasion is meant; two that contradict each other are two shows. */
  parts: Parts;
};

type Parts = {
  /** 'early' or 'late' of two shows a day. */
  show: 'early' | 'late' | null;
  /** What takes place before or after the thing itself. */
  around: 'after' | 'before' | null;
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
  /** A ticket for more than one day. */
  pass: boolean;
  /** Parking, camping, a coach: no show at all. What is only added on may be one. */
  extra: boolean;
  added: boolean;
  /** Others play somebody's music: not their own show. */
  tribute: boolean;
  /** One stage or floor of more. */
  stage: string | null;
  weekdays: ReadonlySet<number>;
};

const after = /\b(?:after ?part(?:y|ie)s?|after ?shows?|afters|official after|aftermovie)\b/;
const before =
  /\b(?:pre ?part(?:y|ie)s?|warm ?up part(?:y|ie)s?|pre ?show|pre ?festival|kick ?off part(?:y|ie)s?|warmup)\b/;
const early =
  /\b(?:early (?:show|set|concert|session|performance|seating)|matinee|1st (?:show|set|seating|suteshi)|first (?:show|set|seating)|(?:show|set|session|seating) (?:1|one|i)|afternoon (?:show|session))\b/;
const late =
  /\b(?:late (?:show|set|concert|session|performance|seating|night show)|2nd (?:show|set|seating|suteshi)|second (?:show|set|seating)|(?:show|set|session|seating) (?:2|two|ii)|added show|extra show|zusatzshow|zusatzkonzert)\b/;
const pass =
  /\b(?:(?:full |whole )?(?:weekend|festival|week|season|combi|multi ?day|[2-9] ?days?|(?:two|three|four|five) days?|[2-9] ?nights?|(?:two|three|four) nights?) ?(?:pass(?:es)?|tickets?|admission|kombiticket)|full (?:weekend|festival|pass)|(?:[2-9]|two|three|four) ?day ?(?:event|festival)?(?= |$)(?= ?(?:pass|ticket))|kombiticket|combi ?ticket|abono|bono|festivalpass|weekender ticket|wochenendticket|dauerkarte|passe? (?:2|3|4|deux|trois) jours|pass 3j|all access pass|weekend ?pass|both (?:days|nights))\b/;
/** With "pass": for more than a day. */
const longer = /\b(?:weekend|wochenende?|week ?end|festival|full)\b(?!.*\bday pass)/;
const extra =
  /\b(?:parking|car ?park|camping|glamping|campsite|shuttle|coach (?:travel|ticket|transfer)|bus transfer|hotel|locker|merch(?:andise)?|vip (?:upgrade|package|experience|add ?on)|meet (?:and )?greet|upgrade|upsell|gift (?:card|voucher)|gutschein|dinner (?:package|reservation)|table reservation|soundcheck|premium (?:seat|package)s?)\b/;
const added = /\badd ?on\b/;
const tribute =
  /\b(?:tributes?|tributo|tribut|hommage|homage|homenaje|candlelight|cover ?band|coverband|karaoke|(?:plays?|performs?) the (?:music|songs) of|the (?:music|songs) of|look ?alike|sing ?along)\b/;
const opening =
  /\b(?:(?:season |grand )?(?:re ?)?opening (?:party|night|event|weekend)|season opening|(?:saison ?)?eroffnung\w*|soiree d ?ouverture|inauguracion|(?:fiesta de )?apertura|inaugurazione|openings?feest)\b/;
const closing =
  /\b(?:(?:season |grand )?closing (?:party|night|event|weekend|fiesta)|season closing|(?:saison ?)?abschluss\w*|soiree de cloture|cloture|(?:fiesta de )?cierre|(?:festa di )?chiusura|slotfeest|encerramento|zamkniecie)\b/;
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
  /\b(?:day|night|tag|dia|jour|giorno|dag|nacht|nuit) (\d{1,2}|one|two|three|four|i{1,3}|iv)\b|\b(\d)(?:st|nd|rd|th) (?:day|night)\b/;
const number =
  /(?:#|\bno\.? ?|\bnr\.? ?|\bvol(?:ume)?\.? ?|\bpart ?|\bpt\.? ?|\bchapter ?|\bepisode ?|\bep\.? ?|\bedition ?|\bround ?|\bteil ?|\bchapitre ?)(\d{1,4}|i{1,3}|iv)\b/;

/** Feasts that shows are named after, in the languages of sellers. */
const feasts: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:new years? eve|nye|silvester\w*|sylvester\w*|(?:saint|st) sylvestre|reveillon|nochevieja|fin de ano|capodanno|oudejaars\w*|oudjaar|oud en nieuw|sylwester\w*|silvestr\w*|szilveszter\w*|nytarsaften|nyttarsaften|nyarsafton)\b/g,
    'newyearseve',
  ],
  [/\b(?:new years? day|nyd|neujahr\w*|nouvel an|ano nuevo|nieuwjaar\w*)\b/g, 'newyearsday'],
  [/\b(?:christmas|xmas|x mas|weihnacht\w*|noel|navidad|natale|kerst\w*|jul|karacsony\w*)\b/g, 'christmas'],
  [/\b(?:easter|oster(?:n|sonntag|samstag|montag)?|paques|pascua|pasqua|paas\w*|pasen)\b/g, 'easter'],
  [/\b(?:carnival|karneval|carnaval|carnevale|fasching\w*|mardi gras)\b/g, 'carnival'],
  [/\b(?:csd|christopher street day|gay pride|pride)\b/g, 'pride'],
];

/** "9 Years", "9 let", "9 Jahre": birthdays in the languages of sellers. */
const yearWords =
  /\b(\d{1,3}) (?:years?|yrs|jahre|ans|anos|anni|jaar|let|lat|ar|aar|vuotta|rokov|godini|godina|rokiv|ev|eves|yil|ani|anys)\b/g;

/** What only sets off which of two: "(1st)", "(2/2)". */
const bracketedShow = /[([{【]\s*(1st|2nd)\s*[)\]}】]/;
const bracketedPiece = /[([{【]\s*([1-4])\s*\/\s*([2-4])\s*[)\]}】]/;
/** Ages of visitors, no birthdays. */
const ages: ReadonlySet<number> = new Set([16, 18, 21]);
/** What else one must have says nothing of what is sold. */
const required = /\b\w+ tickets? (?:(?:also|is|are) )*(?:required|needed)\b/g;
const parting = /\s*(?:[:|•·~/]|\s[-–—]\s|\s(?:w\/|with|feat\.?|ft\.?|pres\.?|presents)\s)\s*/iu;

/** The words of a title, feasts by one name. */
function titleWords(name: string): readonly string[] {
  const words = wordsOf(name).join(' ');
  const told = [[yearWords, '$1 years'] as const, ...feasts].reduce(
    (text, [pattern, feast]) => text.replace(pattern, feast),
    words,
  );
  return told === '' ? [] : told.split(' ');
}

/** Reads a title. */
export function readParts(name: string): Title {
  const text = plain(name).toLowerCase();
  const words = titleWords(name);
  const folded = words.join(' ').replace(required, '');
  const stage = /\b(\w+) (?:stage|floor|tent|buhne)\b/.exec(folded);
  const numbered = day.exec(folded);
  const piece = bracketedPiece.exec(text);
  const show = bracketedShow.exec(text)?.[1];
  const years = Number(/\b(\d{1,3}) years\b/.exec(folded)?.[1]);
  return {
    words,
    lead: leadOf(name),
    parts: {
      show:
        show === '1st' || early.test(folded) ? 'early' : show === '2nd' || late.test(folded) ? 'late' : null,
      piece: piece && { number: Number(piece[1]), of: Number(piece[2]) },
      years: years > 0 && !ages.has(years) ? years : null,
      around: after.test(folded) ? 'after' : before.test(folded) ? 'before' : null,
      end: opening.test(folded) ? 'opening' : closing.test(folded) ? 'closing' : null,
      day: numbered ? numberOf(numbered[1] ?? numbered[2]) : null,
      number: numberOf(number.exec(text)?.[1]),
      pass: pass.test(folded) || (/\bpass(?:es)?\b/.test(folded) && longer.test(folded)),
      extra: extra.test(folded),
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
/** The words of the first part of a title; none where it has but one. */
function leadOf(name: string): readonly string[] {
  const [first = '', second] = name.split(parting, 2);
  return second === undefined ? [] : titleWords(first);
}
const numberOf = (text: string | undefined): number | null =>
  text === undefined ? null : (numberWords[text] ?? (/^\d+$/.test(text) ? Number(text) : null));

/** Two parts of one occasion. */
export type Apart = Reason & { rule: string | null };

/** Whether two begin at one time in one house, and with the same acts. */
export type SameHour = { begins: boolean; plays: boolean };

/**
 * Whether two titles sell different parts of one night or festival.
 * @param sameActs both list acts, and share some
 * @param sameHour an after-party does not begin with the thing itself: one of the two left out what it is
 */
export function compareParts(a: Parts, b: Parts, sameActs: boolean, sameHour: SameHour): Apart[] {
  const found: Apart[] = [];
  const add = (weight: number, text: string, rule: string | null = null) =>
    found.push({ evidence: 'title', weight, text, rule });
  if (a.around !== b.around) {
    const text = `${a.around ?? b.around}-party and the thing itself`;
    if (sameHour.begins && (a.around === null || b.around === null)) add(-0.3, text);
    else add(-5, text, 'before or after');
  }
  if (a.extra !== b.extra) add(-5, 'one sells no show, but what goes with it', 'no show');
  else if (a.added !== b.added && !sameHour.plays) add(-5, 'one sells what goes with a show', 'no show');
  // The band that pays the tribute may be listed by its name alone.
  if (a.tribute !== b.tribute && !sameActs) add(-4.6, 'one is a tribute');
  if (a.pass !== b.pass) add(-5, 'a ticket for several days and one for a day', 'several days');
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
  else if (!sameActs && a.day !== b.day && a.weekdays.size + b.weekdays.size === 0)
    add(-0.6, 'one is a day of several');
  if (a.piece !== null && b.piece !== null && a.piece.of === b.piece.of && a.piece.number !== b.piece.number)
    add(-6, `${a.piece.number} and ${b.piece.number} of ${a.piece.of}`, 'two days');
  if (a.years !== null && a.years === b.years) add(1, `${a.years} years of the same, presumably`);
  if (a.number !== null && b.number !== null && a.number !== b.number)
    add(-5, `number ${a.number} and number ${b.number}`, 'two numbers');
  if (a.stage !== null && b.stage !== null && a.stage !== b.stage)
    add(-3, `stages ${a.stage} and ${b.stage}`);
  else if (a.stage !== b.stage) add(sameHour.plays ? -1 : -3.2, 'one is a stage or floor of more');
  if (a.weekdays.size > 0 && b.weekdays.size > 0 && ![...a.weekdays].some((one) => b.weekdays.has(one)))
    add(-4, 'different weekdays in the titles', 'two days');
  return found;
}

type Prepared = Listing & { title: readonly string[]; read: Title };

/**
 * What two titles say about each other, besides naming acts.
 * @param acts the words of each one's acts
 * @param met whether the two have acts in common
 */
export function compareTitles(
  a: Prepared,
  b: Prepared,
  placeWords: ReadonlySet<string>,
  acts: { a: readonly string[]; b: readonly string[] },
  met: boolean,
): Reason | null {
  const whole = a.title.join(' ') === b.title.join(' ');
  const [coreA, coreB] = [coreOf(a.title, placeWords), coreOf(b.title, placeWords)];
  if (coreA.length === 0 && coreB.length === 0) return ofGeneralWords(a, b, whole);
  if (whole) return reason(coreA.length > 1 ? 2.8 : 2.4, 'the same title');
  // Both are called after whom they share, and nothing else.
  if (met && sameWords(coreA, coreB)) return reason(1.8, 'the same title but for general words');
  const both = [...acts.a, ...acts.b];
  const named = met ? calledAfter(coreA, coreB, both) : null;
  // Who plays is weighed as the line-up; a series and its acts need have no word in common.
  const isIn = (word: string, words: readonly string[]) => words.some((other) => alikeWords(word, other));
  const free = (words: readonly string[], own: readonly string[], others: readonly string[]) =>
    words.filter((word) => (met ? !isIn(word, both) : !isIn(word, own) || isIn(word, others)));
  const [freeA, freeB] = [free(coreA, acts.a, coreB), free(coreB, acts.b, coreA)];
  if (freeA.length === 0 && freeB.length === 0 && !met) return ofGeneralWords(a, b, whole);
  if (freeA.length === 0 || freeB.length === 0) return named;
  const shared = sharedWords(freeA, freeB);
  if (shared === 0 && named) return reason(0.3, named.text);
  if (shared === 0 && (isShort(a.title, b.title) || isShort(b.title, a.title)))
    return reason(1.6, 'one title has the initials of the other');
  if (shared === 0 && areOfTwoScripts(a.name, b.name)) return null;
  if (shared === 0) return reason(met ? -0.2 : -1.1, 'titles without a word in common');
  const least = Math.min(freeA.length, freeB.length);
  const dice = (2 * shared) / (freeA.length + freeB.length);
  if (dice === 1) return reason(shared > 1 ? 2.6 : 2.2, 'the same title but for general words');
  if (shared === 1 && (isLead(a.read.lead, b, placeWords) || isLead(b.read.lead, a, placeWords)))
    return reason(2.2, 'one title is what the other begins with');
  if (shared === least)
    return reason(
      Math.min(2.8, 1.4 + 0.8 * (shared - 1) + (dice > 0.8 || isWithin(a.title, b.title) ? 0.4 : 0)),
      'one title holds the words of the other',
    );
  if (dice >= 0.5) return reason(Math.min(2.2, 0.6 + 0.55 * shared), 'titles with most words in common');
  return reason(0.2, 'titles with a word in common');
}
const reason = (weight: number, text: string): Reason => ({ evidence: 'title', weight, text });

/** Whether a title is what the other sets off in front: "Automatik: Oscar Mulero", "AUTOMATIK". */
function isLead(lead: readonly string[], other: Prepared, place: ReadonlySet<string>): boolean {
  const bare = (words: readonly string[]) => words.filter((word) => !place.has(word) && !joiners.has(word));
  return bare(lead).join('').length >= 4 && sameWords(bare(lead), bare(undated(other)));
}

/** One title stands in the other as a whole, all its general words with it. */
const isWithin = (a: readonly string[], b: readonly string[]): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length >= 2 && containsRun(long, short);
};

/** Whether a word of a title is made of the first letters of words that follow each other in the other: "NWB", "No Way Back". */
const isShort = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((word) => /^[a-z]{3,6}$/.test(word) && initialsOf(b).includes(word));

const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && sharedWords(a, b) === a.length;

/** "Mogwai" and "Mogwai u Zagrebu", whoever else plays: both put the same act into the title. */
function calledAfter(a: readonly string[], b: readonly string[], acts: readonly string[]): Reason | null {
  const named = a.filter(
    (word) =>
      word.length >= 3 &&
      acts.some((act) => alikeWords(word, act)) &&
      b.some((other) => alikeWords(word, other)),
  );
  return named.length === 0 ? null : reason(0.8, `both are called after ${named.join(' ')}`);
}

/** A title without its year, and without the day of the month where it names a month. */
function undated({ title, startAt }: Prepared): readonly string[] {
  const [year = '', , date = ''] = startAt.slice(0, 10).split('-');
  const hasMonth = title.some((word) => months.has(word));
  const days = hasMonth ? [date, String(Number(date)), `${Number(date)}th`] : [];
  return title.filter((word) => word !== year && !days.includes(word));
}

/** "Club 69 - Viernes" and "Club 69": of words that many shows have, but the same ones. */
function ofGeneralWords(one: Prepared, two: Prepared, whole: boolean): Reason | null {
  const [a, b] = [undated(one), undated(two)];
  if (a.length === 0 || b.length === 0) return null;
  if (whole) return reason(2, 'the same title, of general words');
  if (isNumbered(a, two) || isNumbered(b, one)) return reason(2.2, 'one title is what the other begins with');
  const [bareA, bareB] = [a, b].map((words) =>
    words.filter((word) => !joiners.has(word) && !weekdays.has(word) && !months.has(word)),
  ) as [string[], string[]];
  return sameWords(bareA, bareB) || isWithin(bareA, bareB) ? reason(1.5, 'the same general words') : null;
}

/** "Club 69", "Club 69 - Viernes": a number of its own makes a name of general words. */
const isNumbered = (words: readonly string[], { read }: Prepared): boolean =>
  words.length > 1 &&
  words.some((word) => /^\d{2,3}$/.test(word) && !titleNoise.has(word)) &&
  words.join(' ') === read.lead.join(' ');

/** The words of a title that tell it from others of its place and date. */
function coreOf(words: readonly string[], place: ReadonlySet<string>): string[] {
  return words.filter(
    (word) =>
      !joiners.has(word) &&
      !titleNoise.has(word) &&
      !place.has(word) &&
      !weekdays.has(word) &&
      !months.has(word) &&
      !/^\d{1,4}(?:st|nd|rd|th)?$|^20\d\d$|^\d{1,2}(?:am|pm|h|uhr)$/.test(word),
  );
}

/** Words that at least two listings of one house or city would share anyway. */
export const placeWordsOf = (...texts: (string | null | undefined)[]): Set<string> =>
  new Set(texts.flatMap((text) => (text ? wordsOf(text) : [])));
