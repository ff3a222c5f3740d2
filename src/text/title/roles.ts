/** Extracts presenter, series and acts from titles. */

import { cutOutsideBrackets, extractBrackets, splitOutsideBrackets } from '../brackets.ts';
import { parseNormalizedLineup } from '../lineup/parse.ts';
import { isSameName } from '../name-similarity.ts';
import * as words from '../patterns.ts';
import type { ParsedAct, ParsedTitle, TitleContext } from '../types.ts';
import {
  enumerateWithCommas,
  isCollaboration,
  leadingList,
  listSeparator,
  splitAtLastColon,
  supportPrefix,
  withoutLeadBeforeFeaturing,
} from './act-list.ts';
import { normalizeSeriesName, trimSeparators } from './noise.ts';
import * as title from './patterns.ts';
import { segmentSeparator } from './qualifiers.ts';

const placeholderName = words.wholePattern(words.placeholder);
const moreToComePattern = words.wholePattern(words.andMore);

/** Whether the title names a presenter, an edition (numbered events are series) or a tour (of acts). */
type TitleTraits = { hasPresenter: boolean; numbered: boolean; toured: boolean };
const noTraits: TitleTraits = { hasPresenter: false, numbered: false, toured: false };
type TitleRoles = Pick<ParsedTitle, 'series' | 'presenter' | 'acts' | 'moreToCome'>;

/** Parses presenter, series and acts of a title without qualifiers. */
export function parseRoles(
  text: string,
  context: TitleContext,
  about: Pick<TitleTraits, 'numbered' | 'toured'> = noTraits,
): TitleRoles {
  if (stagesPattern.test(text)) return { series: null, presenter: null, ...parseNormalizedLineup(text) };
  const presented = splitPresenter(text.replace(leadingPreposition, ''));
  const { series, list } = splitSeriesAndList(presented.rest, context, {
    ...about,
    hasPresenter: presented.presenter !== null,
  });
  const isNamed = series !== null || presented.presenter !== null;
  const lineup =
    list === null
      ? { acts: [] as ParsedAct[], moreToCome: false }
      : parseNormalizedLineup(withoutLeadBeforeFeaturing(list.replace(/\n/g, ', '), isNamed), true);
  return {
    series: series === null ? null : normalizeSeriesName(series),
    presenter: presented.presenter === null ? null : normalizeSeriesName(presented.presenter),
    acts: lineup.acts,
    moreToCome: lineup.moreToCome,
  };
}

/** A line-up by stages: "Main Room: A; Panorama Bar: B". */
const stagesPattern = new RegExp(`^(?:${words.stageHeading})\\s*:\\s.+[;|/]\\s*(?:[^:;|/]{2,40}):\\s`, 'iu');
/** Prepositions left at the beginning when an occasion was removed ("w/ Green Velvet"), and words that are no name. */
const leadingPreposition =
  /^(?:w\/|with\s|mit\s|feat\.?\s|an evening with\s|a night with\s|(?:concert|concierto|concerto|koncert|konzert)(?::| d[eia]| von| mit)?\s|ein abend mit\s|une soirée avec\s)\s*/iu;

function splitPresenter(text: string): { presenter: string | null; rest: string } {
  const presents = title.presentsPattern.exec(text);
  if (presents && presents.index > 0) {
    const presenter = trimSeparators(text.slice(0, presents.index));
    const rest = trimSeparators(text.slice(presents.index + presents[0].length));
    if (presenter !== '' && rest !== '' && !presenter.includes(',')) return { presenter, rest };
  }
  const by = title.hostedByPattern.exec(text);
  if (by?.groups?.who && by.index > 0)
    return { presenter: trimSeparators(by.groups.who), rest: trimSeparators(text.slice(0, by.index)) };
  return { presenter: null, rest: text };
}

/** Splits a title without presenter into series and list: "Series: A, B", "Series w/ A", "A, B", "A | B", "Series". */
function splitSeriesAndList(
  text: string,
  context: TitleContext,
  about: TitleTraits,
): { series: string | null; list: string | null } {
  for (const pattern of [title.withPattern, title.invitesPattern]) {
    const cut = cutOutsideBrackets(text, pattern);
    if (cut === null || cut.before === '') continue;
    const before = trimSeparators(cut.before);
    const after = enumerateWithCommas(leadingList(trimSeparators(cut.after)));
    if (before === '' || after === '') continue;
    // "Zurich meets Berlin: Ann, Bob".
    if (pattern === title.invitesPattern && /:\s/.test(after)) continue;
    return about.toured || supportPrefix.test(after) || certainlyNamesActs(before, context)
      ? { series: null, list: `${before}, ${after.replace(supportPrefix, '')}` }
      : splitSeries(before, after, context);
  }
  const listed = splitAtLastColon(text);
  if (listed !== null) return listed;
  const { parts: segments, separators } = splitOutsideBrackets(text, segmentSeparator);
  const named = joinTagSegments(segments.map(trimSeparators).filter((segment) => segment !== ''));
  const [first, second] = named;
  if (first === undefined) return { series: null, list: null };
  if (second === undefined) return classifySingleSegment(first, context, about);
  const sign = separators.find((separator) => separator.trim() !== '')?.trim();
  if (
    sign === ':' &&
    !placeholderName.test(second) &&
    (isCollaboration(first) || !isWrittenAsActs(first, context))
  )
    return {
      series: first,
      list:
        named
          .slice(1)
          .filter((segment) => isWrittenAsActs(segment, context) || !looksLikeSeries(segment, noTraits))
          .join(' • ') || null,
    };
  if (named.length === 2 && !isWrittenAsActs(first, context) && !isWrittenAsActs(second, context)) {
    // "Artist – Album": the text behind a dash is more often a subtitle than an act.
    if (
      (sign === '–' || sign === '-') &&
      !looksLikeSeries(first, about) &&
      !looksLikeSeries(second, noTraits) &&
      !placeholderName.test(first)
    )
      return { series: null, list: first };
    if (about.numbered) return { series: first, list: null };
  }
  return classifySegments(named, context, sign !== '–' && sign !== '-');
}

/** Whether the text before "with" certainly names acts; "Night x House" names two hosts. */
function certainlyNamesActs(text: string, context: TitleContext): boolean {
  const bare = extractBrackets(text).outside.replace(/\s(?:[x×]|vs\.?)\s/giu, ' ');
  if (/\s(?:[x×]|vs\.?)\s/iu.test(text) && !listSeparator.test(bare)) return false;
  return isWrittenAsActs(text, context) && !text.match(title.seriesWordPattern);
}

const looksLikeSeries = (text: string, about: TitleTraits): boolean =>
  about.numbered || text.match(title.seriesWordPattern) !== null;

/** Splits the text before a list into series and acts: "Drumcode: Night One w/ A, B". */
function splitSeries(
  before: string,
  list: string,
  context: TitleContext,
): { series: string | null; list: string } {
  const { parts: segments } = splitOutsideBrackets(before, segmentSeparator);
  const acts = segments.filter((segment) => certainlyNamesActs(segment, context));
  const series = segments
    .filter((segment) => !certainlyNamesActs(segment, context))
    .map(trimSeparators)
    .join(' ');
  return { series: series || null, list: [...acts, list].join(', ') };
}

function classifySingleSegment(
  segment: string,
  context: TitleContext,
  about: TitleTraits,
): { series: string | null; list: string | null } {
  if (about.numbered && isCollaboration(segment)) return { series: segment, list: null };
  // "Night / Ann, Bob": only the second part is a list.
  const slashed = /^([^,/+&()[\]]+)\s\/\s([^/]+,[^/]+)$/u.exec(segment);
  if (slashed) return { series: slashed[1] as string, list: slashed[2] as string };
  if (isWrittenAsActs(segment, context)) return { series: null, list: segment };
  if (placeholderName.test(segment) || moreToComePattern.test(segment))
    return { series: null, list: segment };
  if (about.numbered || segment.match(title.seriesWordPattern)) return { series: segment, list: null };
  // A title that names no act of the line-up is the name of the series.
  const isOther = (context.acts?.length ?? 0) > 0 && !mentionsKnownActs(segment, context.acts ?? []);
  if (isOther && !about.hasPresenter) return { series: segment, list: null };
  return { series: null, list: segment };
}

/** Joins segments that are marks with the name before ("Moderat – Live"), and drops weekdays and regions. */
function joinTagSegments(segments: string[]): string[] {
  const named: string[] = [];
  let ahead = '';
  for (const [at, segment] of segments.entries()) {
    // "Warm Up: Ann, Bob" is a series.
    const isNamed = at === 0 && listSeparator.test(segments[1] ?? '');
    const isMark = !isNamed && words.performanceTags.some(([pattern]) => pattern.test(segment));
    if (isMark && named.length > 0) named.push(`${named.pop()} (${segment})`);
    else if (isMark) ahead = ` (${segment})`;
    else if (!onlyWeekday.test(segment) && !onlyRegion.test(segment)) {
      named.push(`${segment}${ahead}`);
      ahead = '';
    }
  }
  return named.length > 0 ? named : segments;
}
/** The rest of a tour's name. */
const onlyRegion = words.wholePattern(
  '(?:the )?(?:north america|latin america|south america|europe|uk|usa?|uk (?:&|and) ireland|asia|australia|anz)(?: (?:leg|dates?|edition))?',
);
const onlyWeekday = words.wholePattern(title.weekday);

/** Classifies segments between strong separators: the first is the series if others are acts, or all are acts. */
function classifySegments(
  segments: string[],
  context: TitleContext,
  areBars: boolean,
): { series: string | null; list: string | null } {
  const [first = ''] = segments;
  const acts = segments.map((segment) => isWrittenAsActs(segment, context));
  const nights = segments.map(
    (segment, at) =>
      !acts[at] && (segment.match(title.seriesWordPattern) !== null || placeholderName.test(segment)),
  );
  const hasLineup = (context.acts?.length ?? 0) > 0;
  const listed = segments.filter((_, at) => acts[at]);
  if (listed.length > 0) {
    const others = segments.filter((segment, at) => !acts[at] && !placeholderName.test(segment));
    // All segments behind the series are acts, except names of series ("Drumcode: Night One: A, B").
    if (!acts[0])
      return {
        series: first,
        list: segments.filter((_, at) => at > 0 && !nights[at]).join(' • '),
      };
    // Segments behind bars are acts, behind a dash more often subtitles.
    const list = segments.filter((_, at) => acts[at] || (areBars && !hasLineup && !nights[at]));
    return { series: hasLineup ? (others[0] ?? null) : null, list: list.join(' • ') };
  }
  if (nights.every(Boolean)) return { series: first, list: segments.slice(1).join(' • ') || null };
  if (hasLineup) return { series: first, list: null };
  if (nights.some(Boolean))
    return {
      series: segments.find((_, at) => nights[at]) ?? null,
      list: segments.filter((_, at) => !nights[at]).join(' • ') || null,
    };
  return { series: null, list: segments.join(' • ') };
}

/** Whether a segment has the form of acts: a list, or names of the line-up. */
function isWrittenAsActs(segment: string, context: TitleContext): boolean {
  if (context.acts && mentionsKnownActs(segment, context.acts)) return true;
  const { outside } = extractBrackets(segment);
  if (listSeparator.test(outside))
    return !outside.split(listSeparator).every((piece) => piece.match(title.seriesWordPattern));
  return extractBrackets(segment).contents.some((content) =>
    words.performanceTags.some(([pattern]) => pattern.test(content)),
  );
}

/** Whether at least half of the names in a text are acts of the line-up. */
function mentionsKnownActs(segment: string, acts: readonly string[]): boolean {
  const named = parseNormalizedLineup(segment, true).acts;
  const matching = named.filter((act) =>
    [act.name, ...act.alternatives].some((name) => acts.some((one) => isSameName(one, name))),
  );
  return matching.length > 0 && matching.length * 2 >= named.length;
}
