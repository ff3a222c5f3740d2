/**
 * Who owns a member that can be stated without a word being said (docs/spec/imports.md#promises, promise 7: never blanked by a source that says
 * nothing): a date leaves the clock open, "TBA" the name or the place. Then whoever says more owns it.
 */
import { readDate } from '../../contract/parameters.ts';
import { isNoPlace } from '../match/no-place.ts';
import { ownerOf, type Said } from '../merge.ts';
import { readMoment } from '../time.ts';

/** What takes place. */
export type Showing = 'event' | 'edition';

const noTitle = /^\W*(?:t\.? ?b\.? ?[acd]\.?|to be (?:announced|confirmed|determined))\W*$/i;

/** Of statements in order of trust, the one whose title is shown; all of them have one. */
export function titleOwner(said: Said<'event'>[]): Said<'event'> {
  return said.find(({ statement }) => !noTitle.test(statement.name)) ?? (said[0] as Said<'event'>);
}

/** The statement whose venue is shown; undefined where none says anything of it. */
export function venueOwner<K extends Showing>(said: Said<K>[]): Said<K> | undefined {
  const owner = ownerOf(said as Said<Showing>[], 'venue') as Said<K> | undefined;
  if (!owner?.statement.venue || !isNoPlace(owner.statement.venue.name)) return owner;
  return said.find(({ statement: { venue } }) => venue && !isNoPlace(venue.name)) ?? owner;
}

const noon = '12:00';

/**
 * The statement whose start is shown; undefined where none has one. One that gives a clock for the owner's date takes its
 * place: on that date, or before noon of the next, as nights are listed under the date on which they begin.
 * @param zone in which clocks are read; null where none is known
 */
export function startOwner<K extends Showing>(said: Said<K>[], zone: string | null): Said<K> | undefined {
  const owner = ownerOf(said as Said<Showing>[], 'start_at') as Said<K> | undefined;
  const date = readDate(owner?.statement.start_at ?? '');
  if (owner === undefined || date === null || said.length === 1) return owner;
  return said.find((one) => isOnDate(one, date, zone)) ?? owner;
}

function isOnDate({ statement, clock }: Said<Showing>, date: number, zone: string | null): boolean {
  const { start_at: start } = statement;
  if (start == null || readDate(start) !== null) return false;
  const moment = readMoment(start, zone, clock);
  return moment.date === date || (moment.date === dayAfter(date) && moment.text.slice(11, 16) < noon);
}

function dayAfter(date: number): number {
  const next = new Date(0);
  next.setUTCFullYear(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, (date % 100) + 1);
  return next.getUTCFullYear() * 10_000 + (next.getUTCMonth() + 1) * 100 + next.getUTCDate();
}
