/** Calendars (RFC 5545): every event is one record, every night of a repeating one a record of its own. */
import { dayMs } from '../../clock.ts';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from '../adapter.ts';
import { toVenueRecord } from '../address/place.ts';
import { readText } from '../common/charset.ts';
import { skipIfNonPublic } from '../common/non-public-event.ts';
import { redactUrl } from '../common/redact.ts';
import { InvalidEventError } from '../common/values.ts';
import { type IcalComponent, parseComponents, propertyText } from './components.ts';
import { toEventRecord } from './event-record.ts';
import type { RecurrenceWindow } from './recurrence.ts';
import { type CalendarContext, expandSeries, mergeSeries, type Series, seriesKey } from './series.ts';
import { ZoneRegistry } from './time-zones.ts';

const maxCalendarBytes = 64 * 1024 * 1024;
const maxEvents = 200_000;
/** Of all repeating events together: a few lines of rules make millions. */
const maxTotalOccurrences = 50_000;
/** How far an endless rule is listed: behind and ahead, in days. */
const pastDays = 30;
const defaultHorizonDays = 366;
/** The horizon moves on in steps of at most so many days: between two of them an unchanged calendar says nothing new. */
const maxStepDays = 30;
const calendarFileName = /\.(?:ics|ical|ifb|icalendar)(?:\.gz)?$/i;

/**
 * Reads a calendar, or a folder of them. Of its settings: `timezone`, `venueReader`, `cityReader` and `country` count where the
 * calendar itself says none; `horizon` is how many days ahead an endless rule is listed.
 */
export const ical: Adapter = {
  async *read(context) {
    const listed = await context.list(context.location);
    const isFolder = listed.length !== 1 || listed[0] !== context.location;
    const files = isFolder ? listed.filter((file) => calendarFileName.test(file)) : listed;
    if (files.length === 0) return { ended: 'partial', reason: `${context.location} holds no .ics file` };
    const reading = new CalendarReader(context);
    let end: ReadOutcome = { ended: 'whole' };
    for (const file of files) {
      const one = yield* reading.readFile(file, isFolder);
      if (one.ended !== 'whole') end = one;
    }
    return end;
  },
};

/** `webcal:` is what calendars call http. */
const toHttpUrl = (location: string): string => location.replace(/^webcals?:\/\//i, 'https://');

/** Which nights of endless rules are listed: never fewer than are asked for, and the same ones until the next step. */
function expansionWindow({ now, options }: AdapterContext): RecurrenceWindow {
  const asked = Number(options.horizon ?? defaultHorizonDays);
  const ahead = Number.isFinite(asked) && asked > 0 ? Math.min(asked, 3_660) : defaultHorizonDays;
  const step = Math.min(Math.max(Math.floor(ahead / 12), 1), maxStepDays) * dayMs;
  const began = Math.floor(now / step) * step;
  const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 10)}T23:59:59`;
  return { from: day(began - (pastDays + 1) * dayMs), to: day(began + step + (ahead - 1) * dayMs) };
}

class CalendarReader {
  readonly #context: AdapterContext;
  readonly #venues = new Set<string>();
  #occurrenceCount = 0;
  readonly #horizon: RecurrenceWindow;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#horizon = expansionWindow(context);
  }

  async *readFile(file: string, isFolder: boolean): AsyncGenerator<FeedRecord, ReadOutcome> {
    const opened = await this.#context.open(toHttpUrl(file), {
      maxBytes: maxCalendarBytes,
      accept: 'text/calendar, */*;q=0.5',
      conditional: true,
      // With the horizon there is more of an endless rule, be the file the same or not.
      variant: this.#horizon.to.slice(0, 10),
    });
    if (opened === null) return { ended: 'unchanged' };
    const text = await readText(opened);
    if (!/^[ \t]{0,99}BEGIN:[ \t]{0,99}V(?:CALENDAR|EVENT)/im.test(text)) {
      const reason = 'is no calendar: it has no BEGIN:VCALENDAR. Give the address of the .ics file';
      if (!isFolder) throw new Failure(`${redactUrl(file)} ${reason}.`);
      this.#context.reject(redactUrl(file), reason);
      return { ended: 'partial', reason: `${redactUrl(file)} is no calendar` };
    }
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
      else if (++events <= maxEvents) {
        const key = seriesKey(component);
        const others = series.get(key);
        if (others === undefined) series.set(key, [component]);
        else others.push(component);
      }
    }
    const calendar = this.#calendarContext(head as IcalComponent, zones);
    for (const parts of series.values()) {
      if (this.#occurrenceCount > maxTotalOccurrences) break;
      yield* this.#readSeries(parts, calendar, where);
    }
    if (this.#occurrenceCount > maxTotalOccurrences)
      return {
        ended: 'partial',
        reason: `${where} has more than ${maxTotalOccurrences} nights of repeating events`,
      };
    if (events > maxEvents) return { ended: 'partial', reason: `${where} has more than ${maxEvents} events` };
    return (head as IcalComponent).isTruncated
      ? { ended: 'partial', reason: `${where} breaks off` }
      : { ended: 'whole' };
  }

  /** What the calendar says of all its events, with what the source is set to where it says nothing. */
  #calendarContext(head: IcalComponent, zones: ZoneRegistry): CalendarContext {
    const { options } = this.#context;
    const named = propertyText(head, 'x-wr-timezone') ?? propertyText(head, 'timezone-id');
    const own = named === null ? null : zones.find(named);
    const set = options.timezone === undefined ? null : zones.find(options.timezone);
    const zone = own?.type === 'iana' ? own : (set ?? zones.single());
    return {
      zones,
      defaultZone: zone?.type === 'iana' ? zone : null,
      horizon: this.#horizon,
      isCancelled: propertyText(head, 'method')?.toUpperCase() === 'CANCEL',
      options,
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
