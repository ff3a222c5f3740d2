/** Who plays at a festival edition: day by day as a timetable, and those whose time is not known. */
import type { VNode } from 'preact';
import type { LineupRow } from '../store/site-relations.ts';
import { Bill } from './bill.tsx';
import { Below, type Side } from './parts.tsx';
import { type Ask, asked } from './site.ts';
import { dayOf, SetTables, stagesOf, type Timed, Timetable } from './timetable.tsx';
import { withQuery } from './walks.tsx';
import { fitting, total, weights } from './weight.ts';
import { longDate, weekDate } from './when.tsx';

type Act = LineupRow & { position: number };
const isTimed = <T extends LineupRow>(act: T): act is T & Timed => act.set_start_at !== null;

/** Fewer acts than this are not begun with: they stand on a page of their own. */
const fewest = 20;
const actsOnPage = 200;

/** The days of a line-up, in order. */
export const daysOf = (lineup: readonly LineupRow[]): string[] =>
  [...new Set(lineup.filter(isTimed).map(({ set_start_at }) => dayOf(set_start_at)))].sort();

/**
 * The parts of the page.
 * @param day the one asked for; null: the one that a reader would want
 * @param room what they may weigh together (bytes)
 */
export function programme(ask: Ask, lineup: readonly Act[], day: string | null, room: number): Side[] {
  const days = daysOf(lineup);
  const from = asked(ask, 'after');
  // With a day, that is where its sets go on; without one, where those go on whose time is not known.
  if (days.length === 0 || (from !== '' && day === null)) {
    return untimed(ask, lineup, days.length > 0, room);
  }
  const shown = day ?? dayNow(ask, days, lineup);
  const all = lineup
    .filter(isTimed)
    .filter((act) => dayOf(act.set_start_at) === shown && act.position > afterOf(ask));
  const sets = all.slice(0, Math.max(fewest, fitting(all, weights.row, room)));
  const rows = total(sets, weights.row);
  const drawn = total(sets, weights.drawn);
  const isDrawn = from === '' && rows + drawn <= room;
  const next = all.length > sets.length ? String(sets.at(-1)?.position) : null;
  const content = <Day ask={ask} days={days} day={shown} sets={sets} isDrawn={isDrawn} next={next} />;
  return [
    { title: 'Timetable', id: 'timetable', wide: true, content },
    ...(from === '' ? untimed(ask, lineup, true, room - rows - (isDrawn ? drawn : 0)) : []),
  ];
}

/** The place in the line-up after which the page goes on. */
const afterOf = (ask: Ask): number => Number(/^\d{1,9}$/.exec(asked(ask, 'after'))?.[0] ?? 0);

/** The day that is on, else the first that has a tenth of what the fullest has: a lone set may come before all. */
function dayNow({ now }: Ask, days: readonly string[], lineup: readonly LineupRow[]): string {
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

type DayProps = {
  ask: Ask;
  days: readonly string[];
  day: string;
  sets: readonly (Act & Timed)[];
  /** Whether there is room for the picture beside the tables. */
  isDrawn: boolean;
  /** After which place of the line-up the sets go on for which there was no room. */
  next: string | null;
};

function Day({ ask, days, day, sets, isDrawn, next }: DayProps): VNode {
  const stages = stagesOf(sets);
  const hasLengths = stages.some((stage) => stage.sets.some(({ lane }) => lane >= 0));
  const own = ask.place.prefix + ask.path;
  return (
    <>
      <nav aria-label="Days">
        <ul class="chips">
          {days.slice(0, 40).map((one) => (
            <li key={one}>
              <a
                href={withQuery(own, { day: one })}
                {...(one === day ? { 'aria-current': 'page' as const } : {})}
              >
                {weekDate(one)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <h3>{longDate(day)}</h3>
      {isDrawn && hasLengths && <Timetable stages={stages} day={longDate(day)} />}
      <SetTables ask={ask} stages={stages} />
      <Below
        links={[
          asked(ask, 'after') === ''
            ? null
            : { href: withQuery(own, { day }), label: `Back to the first of ${weekDate(day)}` },
          next === null
            ? null
            : { href: withQuery(own, { day, after: next }), label: `More of ${weekDate(day)}`, rel: 'next' },
        ]}
      />
    </>
  );
}

/** Who plays at a time that is not known; page by page where they are many. */
function untimed(ask: Ask, lineup: readonly Act[], beside: boolean, room: number): Side[] {
  const from = asked(ask, 'after');
  const after = afterOf(ask);
  const acts = lineup.filter((act) => !isTimed(act) && act.position > after);
  if (acts.length === 0) return [];
  const fit = Math.min(actsOnPage, fitting(acts, weights.act, room));
  const shown = acts.slice(0, fit < fewest && fit < acts.length ? 0 : fit);
  const own = ask.place.prefix + ask.path;
  const last = shown.at(-1)?.position ?? after;
  const more = shown.length === 0 ? `All ${acts.length.toLocaleString('en')} of them` : 'More of the line-up';
  return [
    {
      title: beside ? 'Also playing' : 'Line-up',
      id: 'lineup',
      content: (
        <>
          {shown.length > 0 && <Bill ask={ask} lineup={shown} most={shown.length} />}
          <Below
            links={[
              from === '' ? null : { href: own, label: 'Back to the first' },
              acts.length > shown.length
                ? { href: withQuery(own, { after: String(last) }), label: more, rel: 'next' }
                : null,
            ]}
          />
        </>
      ),
    },
  ];
}
