/** The timetable of a festival day: a drawing with a row per stage and time from left to right, and tables. */
import type { VNode } from 'preact';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';
import type { SiteLineupRow } from '../../store/site/relations.ts';
import { type PageContext, recordPath } from '../page-context.ts';

export type TimedAct = SiteLineupRow & { set_start_at: string };
type TimetableSet = { act: TimedAct; from: number; to: number; lane: number };
type TimetableStage = { name: string; sets: TimetableSet[]; lanes: number };

const hourMs = 3_600_000;
/** A festival's day ends in the morning, not at midnight. */
const dawnHours = 6;
const hourWidth = 96;
const laneHeight = 42;
const stageGap = 8;
const axisHeight = 22;
/** Width of the column with the names of stages. */
const stageNameWidth = 124;
/** Characters per line of a stage's name in the drawing; the tables have it in full. */
const stageLineLength = 17;
/** Approximate width of a character of an act's name, in pixels of the drawing. */
const characterWidth = 6.2;
const lineHeight = 14;

/**
 * Breaks a name into at most two lines between words; what does not fit ends with "…".
 * @param length characters per line
 */
export function nameLines(name: string, length: number): string[] {
  const cut = (text: string) =>
    text.length <= length
      ? text
      : `${text
          .slice(0, Math.max(1, length - 1))
          .toWellFormed()
          .trimEnd()}…`;
  if (name.length <= length) return [name];
  const space = name.lastIndexOf(' ', length);
  if (space <= 0) return [cut(name)];
  return [name.slice(0, space), cut(name.slice(space + 1))];
}

/** Local clock time read as UTC, in ms: only differences are used. */
const localMs = (at: string): number => Date.parse(`${at.slice(0, 16)}Z`);
/** The festival day of a time: early morning hours belong to the day before. */
export const dayOf = (at: string): string =>
  new Date(localMs(at) - dawnHours * hourMs).toISOString().slice(0, 10);
const clockText = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

/** The end of a set: as stated, otherwise the start of the next set on its stage, otherwise an hour after its start. */
function endOf(act: TimedAct, next: TimedAct | undefined): number {
  if (act.set_end_at !== null) return localMs(act.set_end_at);
  const from = localMs(act.set_start_at);
  const following = next === undefined ? from + hourMs : localMs(next.set_start_at);
  return Math.min(following, from + 3 * hourMs);
}

/** The stages of a day with their sets; overlapping sets of one stage are in separate lanes. */
export function stagesOf({ edition }: Messages, acts: readonly TimedAct[]): TimetableStage[] {
  const names = [...new Set(acts.map(({ stage }) => stage ?? ''))];
  return names.map((name) => {
    const own = acts
      .filter(({ stage }) => (stage ?? '') === name)
      .sort((a, b) => localMs(a.set_start_at) - localMs(b.set_start_at));
    const ends: number[] = [];
    const sets = own.map((act, index): TimetableSet => {
      const [from, to] = [localMs(act.set_start_at), endOf(act, own[index + 1])];
      if (to <= from) return { act, from, to: from, lane: -1 };
      const free = ends.findIndex((end) => end <= from);
      const lane = free < 0 ? ends.length : free;
      ends[lane] = to;
      return { act, from, to, lane };
    });
    return { name: name === '' ? edition.noStage : name, sets, lanes: Math.max(1, ends.length) };
  });
}

/** Maximum length of a day; wrong clock times would make the drawing wide and empty. */
const maxHours = 36;

/** The drawing of a day. */
export function Timetable({ stages, day }: { stages: readonly TimetableStage[]; day: string }): VNode {
  const drawn = stages.flatMap(({ sets }) => sets).filter(({ lane }) => lane >= 0);
  const first = Math.floor(Math.min(...drawn.map(({ from }) => from)) / hourMs) * hourMs;
  const last = Math.min(Math.max(...drawn.map(({ to }) => to)), first + maxHours * hourMs);
  const hours = Math.ceil((last - first) / hourMs);
  const x = (at: number) => Math.round(((at - first) / hourMs) * hourWidth);
  const tops: number[] = [];
  let height = axisHeight;
  for (const { lanes } of stages) {
    tops.push(height);
    height += lanes * laneHeight + stageGap;
  }
  const { edition } = useMessages();
  const description = edition.drawing(day, drawn.length, stages.length);
  return (
    <div class="timetable-frame">
      <svg class="stages" width={stageNameWidth} height={height} aria-hidden="true">
        {stages.map(({ name }, index) => (
          <NameText
            lines={nameLines(name, stageLineLength)}
            x={0}
            middle={(tops[index] ?? 0) + (laneHeight - 3) / 2}
            key={name}
          />
        ))}
      </svg>
      <section class="timetable" aria-label={edition.drawingLabel} tabindex={0}>
        <svg width={hours * hourWidth + 1} height={height} role="img" aria-label={description}>
          <path
            d={Array.from({ length: hours + 1 }, (_, hour) => `M${hour * hourWidth}.5 0V${height}`).join('')}
          />
          {Array.from({ length: hours }, (_, hour) => (
            <text class="hour" x={hour * hourWidth + 4} y="13" key={hour}>
              {clockText(first + hour * hourMs)}
            </text>
          ))}
          {stages.flatMap(({ sets }, index) =>
            sets
              .filter(({ lane, from }) => lane >= 0 && from < last)
              .map(({ act, from, to, lane }) => {
                const width = Math.max(4, x(Math.min(to, last)) - x(from) - 2);
                const lines = nameLines(act.name, Math.floor((width - 10) / characterWidth));
                return (
                  // biome-ignore lint/a11y/noSvgWithoutTitle: part of a drawing that has a text
                  <svg
                    x={x(from) + 1}
                    y={(tops[index] ?? 0) + lane * laneHeight}
                    width={width}
                    height={laneHeight - 3}
                    key={`${from}${act.name}`}
                  >
                    {lines.join(' ') !== act.name && <title>{act.name}</title>}
                    <rect width={width} height={laneHeight - 3} />
                    <NameText lines={lines} x={6} middle={(laneHeight - 3) / 2} />
                  </svg>
                );
              }),
          )}
        </svg>
      </section>
    </div>
  );
}

/** A name on one or two lines around `middle`. */
function NameText({ lines, x, middle }: { lines: readonly string[]; x: number; middle: number }): VNode {
  const first = middle + 4 - ((lines.length - 1) * lineHeight) / 2;
  return (
    <text x={x} y={first}>
      {lines[0]}
      {lines.length > 1 && (
        <tspan x={x} dy={lineHeight}>
          {lines[1]}
        </tspan>
      )}
    </text>
  );
}

/** The sets of a day as one table per stage. */
export function SetTables({
  context,
  stages,
}: {
  context: PageContext;
  stages: readonly TimetableStage[];
}): VNode {
  return (
    <div class="set-tables">
      {stages.map(({ name, sets }) => (
        <table class="sets" key={name}>
          <caption>{name}</caption>
          <tbody>
            {sets.map(({ act, from, to }, index) => (
              <tr key={index}>
                <th scope="row">
                  {to > from && act.set_end_at !== null
                    ? `${clockText(from)}–${clockText(to)}`
                    : clockText(from)}
                </th>
                <td>
                  <a href={recordPath(context, 'artist', act.slug)}>{act.name}</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}
