/** What a page says of days without events, and of tonight. */
import type { VNode } from 'preact';
import type { SelectedDays } from '../../catalogue/dates/selected-days.ts';
import { NavigationLinks } from '../components/parts.tsx';
import type { PageContext } from '../page-context.ts';
import { maxRead, nearestDay, readEvents, tonight } from './read-days.ts';
import { type DayScope, genreNames, viewPath } from './scope.ts';

/** "No events tonight." and where there are some: the nearest day, all genres, the whole city. */
export function NothingFound({
  context,
  scope,
  days,
  text,
  place,
  isMoment = false,
}: {
  context: PageContext;
  scope: DayScope;
  days: SelectedDays;
  /** The text for days without a name of their own. */
  text?: string;
  /** The place that the text names; the page of a city names it already. */
  place?: string;
  /** Whether the present moment is asked for, which is only a part of the days. */
  isMoment?: boolean;
}): VNode {
  const { messages, siteUrl } = context;
  const { days: words, formats, counts } = messages;
  const { genres, city, basePath } = scope;
  const nothingThen = isMoment
    ? words.nothingNow
    : days.kind === 'day' && days.value !== 'tomorrow'
      ? words.nothingOn(formats.longDate(days.first))
      : words.nothing[days.kind === 'day' ? 'tomorrow' : days.kind];
  const subject = [genres.length === 0 ? '' : genreNames(messages, genres), place ?? ''].filter(Boolean);
  const nothing = subject.length === 0 ? nothingThen : words.nothingOf(subject.join(', '), nothingThen);
  const nearest = nearestDay(context, scope, days, isMoment);
  const others =
    genres.length === 0 || text !== undefined || isMoment
      ? 0
      : readEvents(context, { ...scope, genres: [] }, days, maxRead).items.length;
  return (
    <>
      <p class="empty">{text ?? nothing}</p>
      <NavigationLinks
        links={[
          nearest === null
            ? null
            : {
                href: viewPath(scope, { when: nearest.date }),
                label: (nearest.date < days.first ? words.nearest : words.next)(
                  nearest.time === null
                    ? formats.longDate(nearest.date)
                    : words.dayAndTime(formats.longDate(nearest.date), nearest.time),
                  counts.events(nearest.events),
                ),
              },
          others === 0
            ? null
            : {
                href: viewPath(scope, { when: days.value, genre: '' }),
                label: words.allGenresThen(counts.events(others)),
              },
          city === null
            ? { href: `${siteUrl.prefix}/events`, label: words.allEvents }
            : { href: basePath, label: words.allIn(city.name) },
        ]}
      />
    </>
  );
}

/** "Tonight: 3 events", or "No events tonight. Next: Saturday 28 November 2026, 3 events", each with its link. */
export function TonightLine({ context, scope }: { context: PageContext; scope: DayScope }): VNode {
  const { days: words, formats, counts } = context.messages;
  const days = tonight(context, scope);
  const { items, isAll } = readEvents(context, scope, days, maxRead);
  if (items.length > 0) {
    const count = isAll ? counts.events(items.length) : words.atLeast(items.length);
    return (
      <p class="answer">
        <a href={viewPath(scope, { when: days.value })}>{`${words.tonight}: ${count}`}</a>
      </p>
    );
  }
  const nearest = nearestDay(context, scope, days);
  return (
    <p class="answer">
      {words.nothing.tonight}{' '}
      {nearest !== null && (
        <a href={viewPath(scope, { when: nearest.date })}>
          {words.next(formats.longDate(nearest.date), counts.events(nearest.events))}
        </a>
      )}
    </p>
  );
}
