/** Who presents a night, what it is called, and who plays, as far as its title says so. */
import type { Act, ReadTitle, TitleContext } from './act.ts';
import { readWritten } from './lineup.ts';
import { sameName } from './names.ts';
import { cutOutside, splitOutside, unbracket } from './split.ts';
import {
  afterColon,
  enumerated,
  isCrossed,
  listPart,
  listSign,
  supported,
  withoutLead,
} from './title-lists.ts';
import { cleanSeries, trim } from './title-noise.ts';
import { strong } from './title-parts.ts';
import * as title from './title-words.ts';
import * as words from './words.ts';

const nobody = words.entire(words.nobody);
const more = words.entire(words.andMore);

/** Whether the title names a presenter, counts an edition (numbered nights are series), speaks of a tour (that acts are on). */
type About = { presented: boolean; numbered: boolean; toured: boolean };
const plainly: About = { presented: false, numbered: false, toured: false };
type Roles = Pick<ReadTitle, 'series' | 'presenter' | 'acts' | 'moreToCome'>;

/** Who presents, what the night is called, and who plays. */
export function readRoles(
  text: string,
  context: TitleContext,
  about: Pick<About, 'numbered' | 'toured'> = plainly,
): Roles {
  if (floors.test(text)) return { series: null, presenter: null, ...readWritten(text) };
  const presented = presenterOf(text.replace(opening, ''));
  const { series, list } = seriesAndList(presented.rest, context, {
    ...about,
    presented: presented.presenter !== null,
  });
  const isNamed = series !== null || presented.presenter !== null;
  const read =
    list === null
      ? { acts: [] as Act[], moreToCome: false }
      : readWritten(withoutLead(list.replace(/\n/g, ', '), isNamed), true);
  return {
    series: series === null ? null : cleanSeries(series),
    presenter: presented.presenter === null ? null : cleanSeries(presented.presenter),
    acts: read.acts,
    moreToCome: read.moreToCome,
  };
}

/** "Main Room: A; Panorama Bar: B" is a line-up. */
const floors = new RegExp(`^(?:${words.floorHead})\\s*:\\s.+[;|/]\\s*(?:[^:;|/]{2,40}):\\s`, 'iu');
/** What is left in front when an occasion was taken out ("w/ Green Velvet"), and words that are no name. */
const opening =
  /^(?:w\/|with\s|mit\s|feat\.?\s|an evening with\s|a night with\s|(?:concert|concierto|concerto|koncert|konzert)(?::| d[eia]| von| mit)?\s|ein abend mit\s|une soirée avec\s)\s*/iu;

function presenterOf(text: string): { presenter: string | null; rest: string } {
  const presents = title.presents.exec(text);
  if (presents && presents.index > 0) {
    const presenter = trim(text.slice(0, presents.index));
    const rest = trim(text.slice(presents.index + presents[0].length));
    if (presenter !== '' && rest !== '' && !presenter.includes(',')) return { presenter, rest };
  }
  const by = title.by.exec(text);
  if (by?.groups?.who && by.index > 0)
    return { presenter: trim(by.groups.who), rest: trim(text.slice(0, by.index)) };
  return { presenter: null, rest: text };
}

/** What a title without presenter is made of: "Series: A, B", "Series w/ A", "A, B", "A | B", "Series". */
function seriesAndList(
  text: string,
  context: TitleContext,
  about: About,
): { series: string | null; list: string | null } {
  for (const pattern of [title.withWord, title.invites]) {
    const cut = cutOutside(text, pattern);
    if (cut === null || cut.before === '') continue;
    const before = trim(cut.before);
    const after = enumerated(listPart(trim(cut.after)));
    if (before === '' || after === '') continue;
    // "Zurich meets Berlin: Ann, Bob".
    if (pattern === title.invites && /:\s/.test(after)) continue;
    return about.toured || supported.test(after) || namesActs(before, context)
      ? { series: null, list: `${before}, ${after.replace(supported, '')}` }
      : splitSeries(before, after, context);
  }
  const listed = afterColon(text);
  if (listed !== null) return listed;
  const { parts: segments, separators } = splitOutside(text, strong);
  const named = joinMarks(segments.map(trim).filter((segment) => segment !== ''));
  if (named.length === 0) return { series: null, list: null };
  if (named.length === 1) return lone(named[0] as string, context, about);
  const [first, second] = named as [string, string];
  const sign = separators.find((separator) => separator.trim() !== '')?.trim();
  if (sign === ':' && !nobody.test(second) && (isCrossed(first) || !isActs(first, context)))
    return {
      series: first,
      list:
        named
          .slice(1)
          .filter((segment) => isActs(segment, context) || !isNightly(segment, plainly))
          .join(' • ') || null,
    };
  if (named.length === 2 && !isActs(first, context) && !isActs(second, context)) {
    // "Artist – Album": what follows a dash is more often a subtitle than an act.
    if (
      (sign === '–' || sign === '-') &&
      !isNightly(first, about) &&
      !isNightly(second, plainly) &&
      !nobody.test(first)
    )
      return { series: null, list: first };
    if (about.numbered) return { series: first, list: null };
  }
  return segmented(named, context, sign !== '–' && sign !== '-');
}

/** Whether what stands before "with" is surely somebody who plays; "Night x House" are two who invite. */
function namesActs(text: string, context: TitleContext): boolean {
  const bare = unbracket(text).outside.replace(/\s(?:[x×]|vs\.?)\s/giu, ' ');
  if (/\s(?:[x×]|vs\.?)\s/iu.test(text) && !listSign.test(bare)) return false;
  return isActs(text, context) && !text.match(title.seriesWord);
}

const isNightly = (text: string, about: About): boolean =>
  about.numbered || text.match(title.seriesWord) !== null;

/** "Drumcode: Night One w/ A, B": what stands before a second separator is the series. */
function splitSeries(
  before: string,
  list: string,
  context: TitleContext,
): { series: string | null; list: string } {
  const { parts: segments } = splitOutside(before, strong);
  const acts = segments.filter((segment) => namesActs(segment, context));
  const series = segments
    .filter((segment) => !namesActs(segment, context))
    .map(trim)
    .join(' ');
  return { series: series || null, list: [...acts, list].join(', ') };
}

function lone(
  segment: string,
  context: TitleContext,
  about: About,
): { series: string | null; list: string | null } {
  if (about.numbered && isCrossed(segment)) return { series: segment, list: null };
  // "Night / Ann, Bob": what stands before is no list, and what follows is.
  const slashed = /^([^,/+&()[\]]+)\s\/\s([^/]+,[^/]+)$/u.exec(segment);
  if (slashed) return { series: slashed[1] as string, list: slashed[2] as string };
  if (isActs(segment, context)) return { series: null, list: segment };
  if (nobody.test(segment) || more.test(segment)) return { series: null, list: segment };
  if (about.numbered || segment.match(title.seriesWord)) return { series: segment, list: null };
  // Beside a known line-up that it does not name, a title is the night's own.
  const isOther = (context.acts?.length ?? 0) > 0 && !mentions(segment, context.acts ?? []);
  if (isOther && !about.presented) return { series: segment, list: null };
  return { series: null, list: segment };
}

/** "Moderat – Live" says how Moderat plays; a weekday alone says nothing. */
function joinMarks(segments: string[]): string[] {
  const named: string[] = [];
  let ahead = '';
  for (const [at, segment] of segments.entries()) {
    // "Warm Up: Ann, Bob" is a night.
    const isNamed = at === 0 && listSign.test(segments[1] ?? '');
    const isMark = !isNamed && words.marks.some(([pattern]) => pattern.test(segment));
    if (isMark && named.length > 0) named.push(`${named.pop()} (${segment})`);
    else if (isMark) ahead = ` (${segment})`;
    else if (!onlyWeekday.test(segment) && !onlyRegion.test(segment)) {
      named.push(`${segment}${ahead}`);
      ahead = '';
    }
  }
  return named.length > 0 ? named : segments;
}
/** What is left of a tour's name. */
const onlyRegion = words.entire(
  '(?:the )?(?:north america|latin america|south america|europe|uk|usa?|uk (?:&|and) ireland|asia|australia|anz)(?: (?:leg|dates?|edition))?',
);
const onlyWeekday = words.entire(title.weekday);

/** Segments between strong separators: the first names the night where the others are acts, or all are acts. */
function segmented(
  segments: string[],
  context: TitleContext,
  areBars: boolean,
): { series: string | null; list: string | null } {
  const acts = segments.map((segment) => isActs(segment, context));
  const nights = segments.map(
    (segment, at) => !acts[at] && (segment.match(title.seriesWord) !== null || nobody.test(segment)),
  );
  const known = (context.acts?.length ?? 0) > 0;
  const listed = segments.filter((_, at) => acts[at]);
  if (listed.length > 0) {
    const others = segments.filter((segment, at) => !acts[at] && !nobody.test(segment));
    // Behind a night's name all else are acts, but for names of nights ("Drumcode: Night One: A, B").
    if (!acts[0])
      return {
        series: segments[0] as string,
        list: segments.filter((_, at) => at > 0 && !nights[at]).join(' • '),
      };
    // Behind bars stand more acts, behind a dash more often a subtitle.
    const list = segments.filter((_, at) => acts[at] || (areBars && !known && !nights[at]));
    return { series: known ? (others[0] ?? null) : null, list: list.join(' • ') };
  }
  if (nights.every(Boolean))
    return { series: segments[0] as string, list: segments.slice(1).join(' • ') || null };
  if (known) return { series: segments[0] as string, list: null };
  if (nights.some(Boolean))
    return {
      series: segments.find((_, at) => nights[at]) ?? null,
      list: segments.filter((_, at) => !nights[at]).join(' • ') || null,
    };
  return { series: null, list: segments.join(' • ') };
}

/** Whether a segment is written as acts: a list, or names that the line-up knows. */
function isActs(segment: string, context: TitleContext): boolean {
  if (context.acts && mentions(segment, context.acts)) return true;
  const { outside } = unbracket(segment);
  if (listSign.test(outside)) return !outside.split(listSign).every((piece) => piece.match(title.seriesWord));
  return unbracket(segment).contents.some((content) =>
    words.marks.some(([pattern]) => pattern.test(content)),
  );
}

/** Whether a text is the name of a known act, or begins with several of them. */
function mentions(segment: string, acts: readonly string[]): boolean {
  const read = readWritten(segment, true).acts;
  const met = read.filter((act) =>
    [act.name, ...act.alternatives].some((name) => acts.some((known) => sameName(known, name))),
  );
  return met.length > 0 && met.length * 2 >= read.length;
}
