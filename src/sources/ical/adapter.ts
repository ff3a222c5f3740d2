/** Reads calendars (RFC 5545). Every event is a record, and so is every occurrence of a recurring event. */

import { dayMs } from '../../clock.ts';
import { Failure } from '../../failure.ts';
import { getOrCreate } from '../../memoize.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from '../adapter.ts';
import { toVenueRecord } from '../address/place.ts';
import { readText } from '../common/charset.ts';
import { skipIfNonPublic } from '../common/non-public-event.ts';
import { readEach } from '../common/read-each.ts';
import { redactUrl } from '../common/redact.ts';
import { InvalidEventError } from '../common/values.ts';
import { type IcalComponent, parseComponents, propertyText } from './components.ts';
import { toEventRecord } from './event-record.ts';
import type { RecurrenceWindow } from './recurrence.ts';
import { RecurrenceWork } from './recurrence-work.ts';
import { type CalendarContext, expandSeries, mergeSeries, type Series, seriesKey } from './series.ts';
import { ZoneRegistry } from './time-zones.ts';
import { hasPlacesInTitles } from './title-places.ts';

const maxCalendarBytes = 64 * 1024 * 1024;
const maxEvents = 200_000;
/** Max occurrences of all recurring events: a few rules can generate millions. */
const maxTotalOccurrences = 50_000;
/** How far endless rules are expanded into the past, in days. */
const pastDays = 30;
const defaultHorizonDays = 366;
/** Max step of the horizon in days. Between two steps an unchanged calendar has no new occurrences. */
const maxStepDays = 30;
const calendarFileName = /\.(?:ics|ical|ifb|icalendar)(?:\.gz)?$/i;

/**
 * Reads a calendar, or a folder of calendars. The options `timezone`, `venue`, `city` and `country` apply where the
 * calendar has no value; `horizon` is how many days ahead endless rules are expanded.
 */
export const ical: Adapter = {
  async *read(context) {
    const locations = await context.list(context.location);
    const isFolder = locations.length !== 1 || locations[0] !== context.location;
    const files = isFolder ? locations.filter((file) => calendarFileName.test(file)) : locations;
    if (files.length === 0) return { ended: 'partial', reason: `${context.location} contains no .ics file` };
    const reading = new CalendarReader(context);
    return yield* readEach(context, files, (file) => reading.readFile(file));
  },
};

/** Replaces `webcal:`, which means http. */
const toHttpUrl = (location: string): string => location.replace(/^webcals?:\/\//i, 'https://');

/**
 * Returns the window in which endless rules are expanded: at least the requested horizon, and constant until the next
 * step.
 */
function expansionWindow({ now, options }: AdapterContext): RecurrenceWindow {
  const requestedDays = Number(options.horizon ?? defaultHorizonDays);
  const daysAhead =
    Number.isFinite(requestedDays) && requestedDays > 0 ? Math.min(requestedDays, 3_660) : defaultHorizonDays;
  const step = Math.min(Math.max(Math.floor(daysAhead / 12), 1), maxStepDays) * dayMs;
  const stepStart = Math.floor(now / step) * step;
  const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 10)}T23:59:59`;
  return {
    from: day(stepStart - (pastDays + 1) * dayMs),
    to: day(stepStart + step + (daysAhead - 1) * dayMs),
  };
}

class CalendarReader {
  readonly #context: AdapterContext;
  readonly #venues = new Set<string>();
  #occurrenceCount = 0;
  readonly #work = new RecurrenceWork();
  readonly #horizon: RecurrenceWindow;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#horizon = expansionWindow(context);
  }

  async *readFile(file: string): AsyncGenerator<FeedRecord, ReadOutcome> {
    const resource = await this.#context.open(toHttpUrl(file), {
      maxBytes: maxCalendarBytes,
      accept: 'text/calendar, */*;q=0.5',
      conditional: true,
      // A later horizon adds occurrences to an unchanged file.
      variant: this.#horizon.to.slice(0, 10),
    });
    if (resource === null) return { ended: 'unchanged' };
    const text = await readText(resource);
    if (!/^[ \t]{0,99}BEGIN:[ \t]{0,99}V(?:CALENDAR|EVENT)/im.test(text))
      throw new Failure(
        `${redactUrl(file)} is not a calendar: it has no BEGIN:VCALENDAR. Use the address of the .ics file.`,
      );
    return yield* this.#readCalendar(text, redactUrl(file));
  }

  *#readCalendar(text: string, where: string): Generator<FeedRecord, ReadOutcome> {
    const zones = new ZoneRegistry();
    const series = new Map<string, IcalComponent[]>();
    let head: IcalComponent | null = null;
    let events = 0;
    for (const component of parseComponents(text)) {
      if (component.name === 'VTIMEZONE') zones.add(component);
      else if (component.name === 'VCALENDAR') head = component;
      else if (component.isTruncated)
        this.#context.reject(`${where}:${component.line}`, 'is an event without its END');
      else if (++events <= maxEvents) getOrCreate(series, seriesKey(component), () => []).push(component);
    }
    const calendar = this.#calendarContext(head as IcalComponent, zones, [...series.values()].flat());
    for (const parts of series.values()) {
      if (this.#occurrenceCount > maxTotalOccurrences) break;
      yield* this.#readSeries(parts, calendar, where);
    }
    if (this.#occurrenceCount > maxTotalOccurrences)
      return {
        ended: 'partial',
        reason: `${where} has more than ${maxTotalOccurrences} occurrences of recurring events`,
      };
    if (this.#work.isSpent)
      return { ended: 'partial', reason: `the recurrence rules of ${where} take too much work` };
    if (events > maxEvents) return { ended: 'partial', reason: `${where} has more than ${maxEvents} events` };
    return (head as IcalComponent).isTruncated
      ? { ended: 'partial', reason: `${where} ends early` }
      : { ended: 'whole' };
  }

  /** Collects the settings of the calendar, with the options of the source as defaults. */
  #calendarContext(
    head: IcalComponent,
    zones: ZoneRegistry,
    entries: readonly IcalComponent[],
  ): CalendarContext {
    const { options } = this.#context;
    const named = propertyText(head, 'x-wr-timezone') ?? propertyText(head, 'timezone-id');
    const own = named === null ? null : zones.find(named);
    const set = options.timezone === undefined ? null : zones.find(options.timezone);
    const zone = own?.type === 'iana' ? own : (set ?? zones.single());
    const defaultZone = zone?.type === 'iana' ? zone : null;
    const isCity: CalendarContext['isCity'] = (name, country) =>
      this.#context.isCity?.(name, country) === true;
    return {
      zones,
      defaultZone,
      horizon: this.#horizon,
      work: this.#work,
      isCancelled: propertyText(head, 'method')?.toUpperCase() === 'CANCEL',
      options,
      isGenre: (name) => this.#context.isGenre?.(name) === true,
      isCity,
      hasPlacesInTitles: hasPlacesInTitles(entries, { isCity, options, defaultZone }),
    };
  }

  *#readSeries(parts: IcalComponent[], calendar: CalendarContext, where: string): Generator<FeedRecord> {
    let series: Series;
    try {
      series = mergeSeries(parts, calendar);
    } catch (failure) {
      this.#rejectInvalid(failure, parts[0] as IcalComponent, where);
      return;
    }
    const { occurrences, problem } = expandSeries(series, calendar, (failure, part) =>
      this.#rejectInvalid(failure, part, where),
    );
    if (occurrences.length > 1) this.#occurrenceCount += occurrences.length;
    let skipped: IcalComponent | null = null;
    for (const occurrence of occurrences) {
      if (occurrence.component === skipped) continue;
      const made = toEventRecord(occurrence, calendar);
      if (made === null) continue;
      if (skipIfNonPublic(this.#context, [made.event], `${where}:${occurrence.component.line}`)) {
        skipped = occurrence.component;
        continue;
      }
      const venue = made.place && made.venueId ? toVenueRecord(made.place, made.venueId) : null;
      if (venue && !this.#venues.has(venue.external_id)) {
        if (this.#venues.size < maxEvents) this.#venues.add(venue.external_id);
        this.#context.setRecordLocation?.(`${where}:${occurrence.component.line}`);
        yield venue;
      }
      this.#context.setRecordLocation?.(`${where}:${occurrence.component.line}`);
      yield made.event;
    }
    if (problem !== null)
      this.#rejectInvalid(new InvalidEventError(problem), parts[0] as IcalComponent, where);
  }

  #rejectInvalid(failure: unknown, component: IcalComponent, where: string): void {
    if (!(failure instanceof InvalidEventError)) throw failure;
    const uid = propertyText(component, 'uid');
    const subject = uid === null ? undefined : ({ kind: 'event', externalId: uid } as const);
    this.#context.reject(`${where}:${component.line}`, failure.message, subject);
  }
}
