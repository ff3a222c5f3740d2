/** The programme of a festival edition: a timetable per day, and acts without a time. */
import type { VNode } from 'preact';
import type { SiteLineupRow } from '../../../store/site/relations.ts';
import { Lineup } from '../../components/lineup.tsx';
import { countFitting, estimatedBytes, totalBytes } from '../../components/page-budget.ts';
import { withQuery } from '../../components/pagination.tsx';
import { NavigationLinks, nextLink, type PageSection } from '../../components/parts.tsx';
import { dayOf, SetTables, stagesOf, type TimedAct, Timetable } from '../../components/timetable.tsx';
import { type PageContext, queryParameter } from '../../page-context.ts';

type PositionedAct = SiteLineupRow & { position: number };
const isTimed = <T extends SiteLineupRow>(act: T): act is T & TimedAct => act.set_start_at !== null;

/** Minimum number of acts to show; fewer are moved to a page of their own. */
const minActs = 20;
const actsOnPage = 200;

/** The days of a line-up, in order. */
export const daysOf = (lineup: readonly SiteLineupRow[]): string[] =>
  [...new Set(lineup.filter(isTimed).map(({ set_start_at }) => dayOf(set_start_at)))].sort();

/**
 * The sections of the page.
 * @param day the requested day; null: the most relevant one
 * @param room maximum size of the sections together, in bytes
 */
export function programmeSections(
  context: PageContext,
  lineup: readonly PositionedAct[],
  day: string | null,
  room: number,
): PageSection[] {
  const days = daysOf(lineup);
  const from = queryParameter(context, 'after');
  // With a day, the position continues its sets; without one, the acts without a time.
  if (days.length === 0 || (from !== '' && day === null)) {
    return untimedSections(context, lineup, days.length > 0, room);
  }
  const shownDay = day ?? defaultDay(context, days, lineup);
  const all = lineup
    .filter(isTimed)
    .filter((act) => dayOf(act.set_start_at) === shownDay && act.position > afterPosition(context));
  const sets = all.slice(0, Math.max(minActs, countFitting(all, estimatedBytes.row, room)));
  const rows = totalBytes(sets, estimatedBytes.row);
  const drawn = totalBytes(sets, estimatedBytes.drawn);
  const isDrawn = from === '' && rows + drawn <= room;
  const next = all.length > sets.length ? String(sets.at(-1)?.position) : null;
  const content = (
    <DayTimetable context={context} days={days} day={shownDay} sets={sets} isDrawn={isDrawn} next={next} />
  );
  return [
    { title: context.messages.edition.timetable, id: 'timetable', wide: true, content },
    ...(from === '' ? untimedSections(context, lineup, true, room - rows - (isDrawn ? drawn : 0)) : []),
  ];
}

/** The position in the line-up after which the page continues. */
const afterPosition = (context: PageContext): number =>
  Number(/^\d{1,9}$/.exec(queryParameter(context, 'after'))?.[0] ?? 0);

/** Today if it is a festival day, otherwise the first day with at least a tenth of the busiest day's sets. */
function defaultDay({ now }: PageContext, days: readonly string[], lineup: readonly SiteLineupRow[]): string {
  const today = new Date(now).toISOString().slice(0, 10);
  if (days.includes(today)) return today;
  const sets = new Map<string, number>();
  for (const { set_start_at } of lineup.filter(isTimed)) {
    const day = dayOf(set_start_at);
    sets.set(day, (sets.get(day) ?? 0) + 1);
  }
  const full = Math.max(...sets.values()) / 10;
  return days.find((day) => (sets.get(day) ?? 0) >= full) as string;
}

type DayTimetableProps = {
  context: PageContext;
  days: readonly string[];
  day: string;
  sets: readonly (PositionedAct & TimedAct)[];
  /** Whether there is room for the drawing in addition to the tables. */
  isDrawn: boolean;
  /** The position in the line-up after which the next page continues. */
  next: string | null;
};

function DayTimetable({ context, days, day, sets, isDrawn, next }: DayTimetableProps): VNode {
  const { messages } = context;
  const { edition: words, formats } = messages;
  const { longDate, weekdayDate } = formats;
  const stages = stagesOf(messages, sets);
  const hasLengths = stages.some((stage) => stage.sets.some(({ lane }) => lane >= 0));
  const basePath = context.siteUrl.prefix + context.path;
  return (
    <>
      <nav aria-label={words.days}>
        <ul class="chips">
          {days.slice(0, 40).map((one) => (
            <li key={one}>
              <a
                href={withQuery(basePath, { day: one })}
                {...(one === day ? { 'aria-current': 'page' as const } : {})}
              >
                {weekdayDate(one)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <h3>{longDate(day)}</h3>
      {isDrawn && hasLengths && <Timetable stages={stages} day={longDate(day)} />}
      <SetTables context={context} stages={stages} />
      <NavigationLinks
        links={[
          queryParameter(context, 'after') !== '' && {
            href: withQuery(basePath, { day }),
            label: words.backToFirstOf(weekdayDate(day)),
          },
          next !== null &&
            nextLink(withQuery(basePath, { day, after: next }), words.moreOf(weekdayDate(day))),
        ]}
      />
    </>
  );
}

/** Acts without a time, paginated if there are many. */
function untimedSections(
  context: PageContext,
  lineup: readonly PositionedAct[],
  beside: boolean,
  room: number,
): PageSection[] {
  const from = queryParameter(context, 'after');
  const after = afterPosition(context);
  const acts = lineup.filter((act) => !isTimed(act) && act.position > after);
  if (acts.length === 0) return [];
  const fit = Math.min(actsOnPage, countFitting(acts, estimatedBytes.act, room));
  // A page that only continues the line-up shows some of it in any case.
  const count = from !== '' ? Math.max(fit, minActs) : fit < minActs && fit < acts.length ? 0 : fit;
  const page = acts.slice(0, count);
  const basePath = context.siteUrl.prefix + context.path;
  const last = page.at(-1)?.position ?? after;
  const { edition: words, common, formats } = context.messages;
  const more = page.length === 0 ? words.allOfThem(formats.number(acts.length)) : words.moreOfLineup;
  return [
    {
      title: beside ? words.alsoPlaying : common.lineup,
      id: 'lineup',
      content: (
        <>
          {page.length > 0 && <Lineup context={context} lineup={page} most={page.length} />}
          <NavigationLinks
            links={[
              from !== '' && { href: basePath, label: common.backToFirst },
              acts.length > page.length && nextLink(withQuery(basePath, { after: String(last) }), more),
            ]}
          />
        </>
      ),
    },
  ];
}
