/** A month as a calendar with the number of events per day; on a phone, a list of the days that have events. */
import type { VNode } from 'preact';
import { datesBetween, type SelectedDays } from '../../catalogue/dates/selected-days.ts';
import type { PageContext } from '../page-context.ts';
import { type DayScope, dateNumber, viewPath } from './scope.ts';

/** A Monday, for the names of the weekdays. */
const monday = '2024-01-01';

/** The calendar of a month. @param counts events by date, as yyyymmdd */
export function MonthCalendar({
  context,
  scope,
  days,
  counts,
  today,
}: {
  context: PageContext;
  scope: DayScope;
  days: SelectedDays;
  counts: ReadonlyMap<number, number>;
  today: string;
}): VNode {
  const { days: words, formats, counts: counted } = context.messages;
  const dates = datesBetween(days.first, days.last);
  // Monday is the first day of a week.
  const offset = (new Date(`${days.first}T12:00:00Z`).getUTCDay() + 6) % 7;
  const cells = [...Array.from({ length: offset }, () => null), ...dates];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => cells[week * 7 + day] ?? null),
  );
  const weekdays = datesBetween(monday, '2024-01-07');
  return (
    <table class="month">
      <caption class="hidden">{words.calendarOf(formats.monthName(days.value))}</caption>
      <thead>
        <tr>
          {weekdays.map((date) => (
            <th scope="col" key={date}>
              {formats.weekday(date)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, index) => (
          <tr key={index}>
            {week.map((date, column) => {
              if (date === null) return <td class="off" key={column} />;
              const events = counts.get(dateNumber(date)) ?? 0;
              return (
                <td
                  class={
                    [events === 0 ? 'none' : '', date === today ? 'today' : ''].join(' ').trim() || undefined
                  }
                  key={column}
                >
                  {events === 0 ? (
                    <span class="number">{Number(date.slice(8))}</span>
                  ) : (
                    <a href={viewPath(scope, { when: date })}>
                      <span class="number" aria-hidden="true">
                        {Number(date.slice(8))}
                      </span>
                      <span class="long">{formats.longDate(date)}</span>
                      <span class="events">{counted.events(events)}</span>
                    </a>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
