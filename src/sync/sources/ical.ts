/** Calendars (RFC 5545): every event is one record, every night of a repeating one a record of its own. */
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord } from './adapter.ts';
import type { Calendar } from './ical-calendar.ts';
import { type Component, components, textOf } from './ical-lines.ts';
import { recordOf } from './ical-record.ts';
import type { Window } from './ical-rules.ts';
import { BadEvent, mergedSeries, type Series, seriesKey, startsOf } from './ical-series.ts';
import { Zones } from './ical-zones.ts';
import { isSkipped } from './no-show.ts';
import { venueRecord } from './place.ts';
import { shown } from './shown.ts';
import { readText } from './text.ts';

const mostBytes = 64 * 1024 * 1024;
const mostEvents = 200_000;
/** Of all repeating events together: a few lines of rules make millions. */
const mostNights = 50_000;
const dayMs = 86_400_000;
/** How far an endless rule is listed: behind and ahead, in days. */
const behindDays = 30;
const aheadDays = 366;
/** The horizon moves on in steps of at most so many days: between two of them an unchanged calendar says nothing new. */
const longestStep = 30;
const isCalendar = /\.(?:ics|ical|ifb|icalendar)(?:\.gz)?$/i;

/**
 * Reads a calendar, or a folder of them. Of its settings: `timezone`, `venue`, `city` and `country` count where the
 * calendar itself says none; `horizon` is how many days ahead an endless rule is listed.
 */
export const ical: Adapter = {
  async *read(context) {
    const listed = await context.list(context.location);
    const isFolder = listed.length !== 1 || listed[0] !== context.location;
    const files = isFolder ? listed.filter((file) => isCalendar.test(file)) : listed;
    if (files.length === 0) return { ended: 'partial', reason: `${context.location} holds no .ics file` };
    const reading = new Reading(context);
    let end: AdapterEnd = { ended: 'whole' };
    for (const file of files) {
      const one = yield* reading.file(file, isFolder);
      if (one.ended !== 'whole') end = one;
    }
    return end;
  },
};

/** `webcal:` is what calendars call http. */
const addressOf = (location: string): string => location.replace(/^webcals?:\/\//i, 'https://');

/** Which nights of endless rules are listed: never fewer than are asked for, and the same ones until the next step. */
function horizonOf({ now, options }: AdapterContext): Window {
  const asked = Number(options.horizon ?? aheadDays);
  const ahead = Number.isFinite(asked) && asked > 0 ? Math.min(asked, 3_660) : aheadDays;
  const step = Math.min(Math.max(Math.floor(ahead / 12), 1), longestStep) * dayMs;
  const began = Math.floor(now / step) * step;
  const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 10)}T23:59:59`;
  return { from: day(began - (behindDays + 1) * dayMs), to: day(began + step + (ahead - 1) * dayMs) };
}

class Reading {
  readonly #context: AdapterContext;
  readonly #venues = new Set<string>();
  #nights = 0;
  readonly #horizon: Window;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#horizon = horizonOf(context);
  }

  async *file(file: string, isFolder: boolean): AsyncGenerator<FeedRecord, AdapterEnd> {
    const opened = await this.#context.open(addressOf(file), {
      maxBytes: mostBytes,
      accept: 'text/calendar, */*;q=0.5',
      conditional: true,
      // With the horizon there is more of an endless rule, be the file the same or not.
      variant: this.#horizon.to.slice(0, 10),
    });
    if (opened === null) return { ended: 'unchanged' };
    const text = await readText(opened);
    if (!/^[ \t]{0,99}BEGIN:[ \t]{0,99}V(?:CALENDAR|EVENT)/im.test(text)) {
      const reason = 'is no calendar: it has no BEGIN:VCALENDAR. Give the address of the .ics file';
      if (!isFolder) throw new Failure(`${shown(file)} ${reason}.`);
      this.#context.reject(shown(file), reason);
      return { ended: 'partial', reason: `${shown(file)} is no calendar` };
    }
    return yield* this.#calendar(text, shown(file));
  }

  *#calendar(text: string, where: string): Generator<FeedRecord, AdapterEnd> {
    const zones = new Zones();
    const series = new Map<string, Component[]>();
    let head: Component | null = null;
    let events = 0;
    for (const component of components(text)) {
      if (component.name === 'VTIMEZONE') zones.add(component);
      else if (component.name === 'VCALENDAR') head = component;
      else if (component.cut)
        this.#context.reject(`${where}:${component.line}`, 'is an event without its END');
      else if (++events <= mostEvents) {
        const key = seriesKey(component);
        const others = series.get(key);
        if (others === undefined) series.set(key, [component]);
        else others.push(component);
      }
    }
    const calendar = this.#describe(head as Component, zones);
    for (const parts of series.values()) {
      if (this.#nights > mostNights) break;
      yield* this.#series(parts, calendar, where);
    }
    if (this.#nights > mostNights)
      return { ended: 'partial', reason: `${where} has more than ${mostNights} nights of repeating events` };
    if (events > mostEvents)
      return { ended: 'partial', reason: `${where} has more than ${mostEvents} events` };
    return (head as Component).cut ? { ended: 'partial', reason: `${where} breaks off` } : { ended: 'whole' };
  }

  /** What the calendar says of all its events, with what the source is set to where it says nothing. */
  #describe(head: Component, zones: Zones): Calendar {
    const { options } = this.#context;
    const named = textOf(head, 'x-wr-timezone') ?? textOf(head, 'timezone-id');
    const own = named === null ? null : zones.find(named);
    const set = options.timezone === undefined ? null : zones.find(options.timezone);
    const zone = own?.type === 'iana' ? own : (set ?? zones.only());
    return {
      zones,
      zone: zone?.type === 'iana' ? zone : null,
      window: this.#horizon,
      cancelled: textOf(head, 'method')?.toUpperCase() === 'CANCEL',
      options,
    };
  }

  *#series(parts: Component[], calendar: Calendar, where: string): Generator<FeedRecord> {
    let series: Series;
    try {
      series = mergedSeries(parts, calendar);
    } catch (failure) {
      this.#tell(failure, parts[0] as Component, where);
      return;
    }
    const { times, cut } = startsOf(series, calendar, (failure, part) => this.#tell(failure, part, where));
    if (times.length > 1) this.#nights += times.length;
    let skipped: Component | null = null;
    for (const time of times) {
      if (time.component === skipped) continue;
      const made = recordOf(time, calendar);
      if (made === null) continue;
      if (isSkipped(this.#context, [made.event], `${where}:${time.component.line}`)) {
        skipped = time.component;
        continue;
      }
      const venue = made.place && made.venueId ? venueRecord(made.place, made.venueId) : null;
      if (venue && !this.#venues.has(venue.external_id)) {
        if (this.#venues.size < mostEvents) this.#venues.add(venue.external_id);
        this.#context.at?.(`${where}:${time.component.line}`);
        yield venue;
      }
      this.#context.at?.(`${where}:${time.component.line}`);
      yield made.event;
    }
    if (cut !== null) this.#tell(new BadEvent(cut), parts[0] as Component, where);
  }

  #tell(failure: unknown, component: Component, where: string): void {
    if (!(failure instanceof BadEvent)) throw failure;
    const uid = textOf(component, 'uid');
    const subject = uid === null ? undefined : ({ kind: 'event', externalId: uid } as const);
    this.#context.reject(`${where}:${component.line}`, failure.message, subject);
  }
}
