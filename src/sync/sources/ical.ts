/** Calendars (RFC 5545): every event is one record, every night of a repeating one a record of its own. */
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord } from './adapter.ts';
import type { Calendar } from './ical-calendar.ts';
import { type Component, components, textOf } from './ical-lines.ts';
import { recordOf } from './ical-record.ts';
import { BadEvent, mergedSeries, type Series, seriesKey, startsOf } from './ical-series.ts';
import { Zones } from './ical-zones.ts';
import { venueRecord } from './place.ts';
import { shown } from './shown.ts';
import { readText } from './text.ts';

const mostBytes = 64 * 1024 * 1024;
const mostEvents = 200_000;
const dayMs = 86_400_000;
/** How far an endless rule is listed: behind and ahead, in days. */
const behindDays = 30;
const aheadDays = 366;
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

class Reading {
  readonly #context: AdapterContext;
  readonly #venues = new Set<string>();

  constructor(context: AdapterContext) {
    this.#context = context;
  }

  async *file(file: string, isFolder: boolean): AsyncGenerator<FeedRecord, AdapterEnd> {
    const opened = await this.#context.open(addressOf(file), {
      maxBytes: mostBytes,
      accept: 'text/calendar, */*;q=0.5',
      conditional: !this.#context.complete,
      // With the month the horizon moves on, be the file the same or not.
      variant: new Date(this.#context.now).toISOString().slice(0, 7),
    });
    if (opened === null) return { ended: 'unchanged' };
    const text = await readText(opened);
    if (!/^\s*BEGIN:\s*V(?:CALENDAR|EVENT)/im.test(text)) {
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
    for (const parts of series.values()) yield* this.#series(parts, calendar, where);
    if (events > mostEvents)
      return { ended: 'partial', reason: `${where} has more than ${mostEvents} events` };
    return (head as Component).cut ? { ended: 'partial', reason: `${where} breaks off` } : { ended: 'whole' };
  }

  /** What the calendar says of all its events, with what the source is set to where it says nothing. */
  #describe(head: Component, zones: Zones): Calendar {
    const { options, now } = this.#context;
    const named = textOf(head, 'x-wr-timezone') ?? textOf(head, 'timezone-id');
    const own = named === null ? null : zones.find(named);
    const set = options.timezone === undefined ? null : zones.find(options.timezone);
    const zone = own?.type === 'iana' ? own : (set ?? zones.only());
    const horizon = Number(options.horizon ?? aheadDays);
    const ahead = Number.isFinite(horizon) && horizon > 0 ? Math.min(horizon, 3_660) : aheadDays;
    const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 10)}T23:59:59`;
    return {
      zones,
      zone: zone?.type === 'iana' ? zone : null,
      window: { from: day(now - (behindDays + 1) * dayMs), to: day(now + ahead * dayMs) },
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
    for (const time of times) {
      const made = recordOf(time, calendar);
      if (made === null) continue;
      const venue = made.place && made.venueId ? venueRecord(made.place, made.venueId) : null;
      if (venue && !this.#venues.has(venue.external_id)) {
        if (this.#venues.size < mostEvents) this.#venues.add(venue.external_id);
        yield venue;
      }
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
