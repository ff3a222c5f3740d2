/**
 * Compares what two titles say about the part of an event that they sell: a day, the opening, the after-party, an add-on or
 * a pass (`title-attributes.ts`).
 */
import { type Evidence, evidenceOf, type MatchRule } from '../model.ts';
import { attributeWeights, type EvidenceCode } from '../weights.ts';
import type { TitleAttributes } from './title-attributes.ts';

/** What else is known about two listings whose titles are compared. */
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

/** Evidence that decides alone: two titles sell different parts of an event. By code, the rule that it applies. */
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

/** Evidence that two titles mean the same event of a season or year. */
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
