/** Links to the days of a scope, a form for any date, and the genres of the selected days. */
import type { VNode } from 'preact';
import { offeredDays, type SelectedDays } from '../../catalogue/dates/selected-days.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { Button } from '../../pages/parts.tsx';
import type { GenreCount } from '../../store/site/selection.ts';
import { RemovableChip } from '../components/filter-tags.tsx';
import type { PageContext } from '../page-context.ts';
import { NearMe } from './city-choice.tsx';
import { type DayScope, daysParameter, genresText, viewPath } from './scope.ts';

/** "Fri 27 Nov". */
function dayLabel({ days: words, formats }: Messages, value: string, date: string | null): string {
  if (value === 'tonight' || value === 'tomorrow' || value === 'weekend') return words[value];
  return formats.weekdayDate(date ?? value);
}

/** Links to tonight, tomorrow, the weekend, a week and a month, and a form for a date. They work without scripts. */
export function DayLinks({
  context,
  scope,
  days,
  all = null,
  near = false,
}: {
  context: PageContext;
  scope: DayScope;
  days: SelectedDays | null;
  /** The page of all upcoming events, if it is this one without days; null: no link. */
  all?: string | null;
  /** Whether to offer the city near the visitor. */
  near?: boolean;
}): VNode {
  const { messages, now } = context;
  const { days: words } = messages;
  const offered = offeredDays(scope.zone, now).map(({ value, date }) => ({
    value,
    label: dayLabel(messages, value, date),
    isCurrent: days?.value === value,
  }));
  const periods = (['week', 'month'] as const).map((value) => ({
    value,
    label: words[value],
    isCurrent: days?.kind === value,
  }));
  return (
    <div class="days">
      <nav aria-label={words.label}>
        <ul class="chips">
          {all !== null && <DayLink href={all} label={words.all} isCurrent={days === null} />}
          {[...offered, ...periods].map(({ value, label, isCurrent }) => (
            <DayLink
              href={viewPath(scope, { when: value })}
              label={label}
              isCurrent={isCurrent}
              key={value}
            />
          ))}
        </ul>
      </nav>
      <div class="day-forms">
        <DateForm scope={scope} messages={messages} value={days?.kind === 'day' ? days.first : ''} />
        {near && <NearMe context={context} />}
      </div>
    </div>
  );
}

const DayLink = ({ href, label, isCurrent }: { href: string; label: string; isCurrent: boolean }): VNode => (
  <li>
    <a href={href} {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
      {label}
    </a>
  </li>
);

function DateForm({ scope, messages, value }: { scope: DayScope; messages: Messages; value: string }): VNode {
  const { basePath, keep, genres } = scope;
  const hidden = Object.entries({ ...keep, genre: genresText(genres) }).filter(([, text]) => text !== '');
  return (
    <form class="pick" action={basePath} method="get">
      {hidden.map(([name, text]) => (
        <input type="hidden" name={name} value={text} key={name} />
      ))}
      <label class="hidden" for="pick-date">
        {messages.days.pick}
      </label>
      <input id="pick-date" type="date" name={daysParameter} value={value} required />
      <Button look="quiet">{messages.common.show}</Button>
    </form>
  );
}

/** Genres shown at once; the others are behind a line that opens. */
const maxFirstGenres = 4;

/** The genres of the selected events. @param exact whether the counts are complete */
export function GenreChips({
  context,
  scope,
  when,
  genres,
  exact,
}: {
  context: PageContext;
  scope: DayScope;
  when: string | undefined;
  genres: readonly GenreCount[];
  exact: boolean;
}): VNode | null {
  const { days: words, formats } = context.messages;
  const selection = scope.genres;
  const others = genres.filter(({ slug }) => !selection.some((genre) => genre.slug === slug));
  if (selection.length === 0 && others.length === 0) return null;
  // A chip adds its genre to the chosen ones. Crawlers need no page for each combination of genres.
  const chip = ({ slug, name, events }: GenreCount): VNode => (
    <li key={slug}>
      <a
        href={viewPath(scope, {
          ...(when === undefined ? {} : { when }),
          genre: [...selection.map((genre) => genre.slug), slug].join(','),
        })}
        rel={selection.length > 0 ? 'nofollow' : undefined}
      >
        {name}
        {exact && <span class="count">{formats.number(events)}</span>}
      </a>
    </li>
  );
  return (
    <nav aria-label={words.genres} class="genre-chips">
      <ul class="chips">
        {selection.map((genre) => (
          <RemovableChip
            href={viewPath(scope, {
              ...(when === undefined ? {} : { when }),
              genre: genresText(selection.filter((one) => one !== genre)),
            })}
            label={genre.name}
            key={genre.slug}
          />
        ))}
        {others.slice(0, maxFirstGenres).map(chip)}
      </ul>
      {others.length > maxFirstGenres && (
        <details>
          <summary>{words.moreGenres}</summary>
          <ul class="chips">{others.slice(maxFirstGenres).map(chip)}</ul>
        </details>
      )}
    </nav>
  );
}
