/** Converts events and series of MusicBrainz to feed records: events, festivals and their editions. */

import { parseDate } from '../../contract/parameters.ts';
import type { RecordOf, RecordResult } from '../adapter.ts';
import { type JsonObject, stated } from '../common/values.ts';
import type { AreaIndex } from './areas.ts';
import { asObject, currentUrls, nonEmptyText, parseRelations, type Relation } from './entity.ts';
import { toAliases, toProfileFields, toReference } from './records.ts';

const billingByRelation: Readonly<Record<string, 'headline' | 'support' | null>> = {
  'main performer': 'headline',
  'support act': 'support',
  'guest performer': null,
  'vocal supporter': null,
  performer: null,
  DJ: null,
};

type Lineup = NonNullable<RecordOf<'event'>['lineup']>;

/** Returns the relations to performers; hosts, teachers and conductors are none. */
export const performerRelations = (relations: readonly Relation[]): Relation[] =>
  relations.filter(({ target, type }) => target === 'artist' && Object.hasOwn(billingByRelation, type));

const toLineup = (relations: readonly Relation[]): Lineup =>
  performerRelations(relations).flatMap(({ entity, type }) => {
    const artist = toReference(entity);
    return artist === null ? [] : [{ ...artist, ...stated({ billing: billingByRelation[type] }) }];
  });

function toPlace(relations: readonly Relation[], areas: AreaIndex) {
  const place = relations.find(({ target, type }) => target === 'place' && type === 'held at')?.entity;
  const area = place
    ? place.area
    : relations.find(({ target, type }) => target === 'area' && type === 'held in')?.entity;
  const where = stated({ city: areas.cityOf(area), country: areas.countryOf(area) });
  const venue = place ? toReference(place) : null;
  return { ...where, ...stated({ venue: venue && { ...venue, ...where } }) };
}

/** Returns a full date; MusicBrainz also has "1995" and "1995-06". */
const fullDate = (value: unknown): string | undefined => {
  const text = nonEmptyText(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && parseDate(text) !== null
    ? text
    : undefined;
};

function toTimes(value: JsonObject): { start_at?: string; end_at?: string } {
  const span = asObject(value['life-span']);
  const begin = fullDate(span?.begin);
  const end = fullDate(span?.end);
  const time = /^([01]\d|2[0-3]):[0-5]\d$/.test(nonEmptyText(value.time) ?? '')
    ? nonEmptyText(value.time)
    : undefined;
  if (begin === undefined) return {};
  const isLater = end !== undefined && end > begin;
  return { start_at: time === undefined ? begin : `${begin}T${time}`, ...(isLater ? { end_at: end } : {}) };
}

const namelessPattern = /^\[.*\]$|^$/;

/** Converts an event to an event or a festival edition. */
export function toEventOrEdition(
  value: JsonObject,
  id: string,
  name: string,
  areas: AreaIndex,
): RecordResult<RecordOf<'event'> | RecordOf<'edition'>> {
  const relations = parseRelations(value);
  const common = {
    ...toTimes(value),
    ...stated({ status: value.cancelled === true ? ('cancelled' as const) : null }),
    ...toPlace(relations, areas),
    ...stated({ lineup: toLineup(relations) }),
  };
  const series = relations.find(({ target, type }) => target === 'series' && type === 'part of')?.entity;
  const parentEvent = relations.find(
    ({ target, type, direction }) => target === 'event' && type === 'parts' && direction === 'backward',
  )?.entity;
  const year = /^\d{4}/.exec(nonEmptyText(asObject(value['life-span'])?.begin) ?? '')?.[0] ?? findYear(name);
  const isFestival = nonEmptyText(value.type) === 'Festival';
  if (isFestival && parentEvent === undefined) {
    const festival = series
      ? toReference(series)
      : namelessPattern.test(name)
        ? null
        : { name: festivalName(name) };
    if (festival === null) return { rejected: 'has no name' };
    if (year === undefined) return { rejected: 'has no year' };
    return { record: { kind: 'edition', external_id: id, festival, edition: year, name, ...common } };
  }
  if (namelessPattern.test(name)) return { rejected: 'has no name' };
  const { start_at: start } = common;
  if (start === undefined) {
    const date = nonEmptyText(asObject(value['life-span'])?.begin);
    return { rejected: date === undefined ? 'has no date' : `has no full date (${date})` };
  }
  const own = currentUrls(value).find((each) => each.isOwn)?.address;
  const url = own !== undefined && /^https?:/i.test(own) && URL.canParse(own) ? own : null;
  const parentName = nonEmptyText(parentEvent?.name);
  const festival =
    parentName !== undefined && year !== undefined
      ? { festival: { name: festivalName(parentName) }, edition: year }
      : null;
  return {
    record: {
      kind: 'event',
      external_id: id,
      name,
      ...common,
      start_at: start,
      ...stated({ url, festival }),
    },
  };
}

const findYear = (name: string): string | undefined => /\b(?:19|20)\d\d\b/.exec(name)?.[0];

/** Removes the number or year of an edition: "23. Wave-Gotik-Treffen", "Rock am Ring 2002". */
export function festivalName(name: string): string {
  const withoutEdition = name
    .replace(/^\d{1,3}(?:\.|st|nd|rd|th|º|ª)\s+(?:annual\s+)?/i, '')
    .replace(/(?<!\s)\s*(?:[-–,:(]\s*)?(?:19|20)\d\d\)?(?:\s*[-–/]\s*(?:19|20)?\d\d)?\s*$/, '')
    .replace(/(?<!\s)\s*[,:–-]\s*$/, '')
    .trim();
  return withoutEdition === '' ? name : withoutEdition;
}

/** Converts a series to a festival or podcast; null for other series (tours, residencies, catalogues). */
export function toSeriesRecord(
  value: JsonObject,
  id: string,
  name: string,
): RecordResult<RecordOf<'festival'> | RecordOf<'podcast'>> | null {
  const type = nonEmptyText(value.type);
  const { website, external_ids, ...rest } = toProfileFields(value, id);
  const common = { external_id: id, name, ...stated({ website, aliases: toAliases(value, name) }), ...rest };
  if (type === 'Festival') return { record: { kind: 'festival', ...common, external_ids } };
  return type === 'Podcast' ? { record: { kind: 'podcast', ...common } } : null;
}
