/** Events and series of MusicBrainz as lines of the feed format: shows, festivals and their editions. */
import { readDate } from '../../contract/parameters.ts';
import type { RecordOf } from './adapter.ts';
import type { Areas } from './musicbrainz-areas.ts';
import {
  addressesOf,
  type Json,
  objectOf,
  type Relation,
  relationsOf,
  textOf,
} from './musicbrainz-entity.ts';
import { aliasesOf, profilesOf, referenceOf } from './musicbrainz-records.ts';

const billing: Readonly<Record<string, 'headline' | 'support' | null>> = {
  'main performer': 'headline',
  'support act': 'support',
  'guest performer': null,
  'vocal supporter': null,
  performer: null,
  DJ: null,
};

type Lineup = NonNullable<RecordOf<'event'>['lineup']>;

/** Who plays; hosts, teachers and conductors do not. */
export const performersOf = (relations: readonly Relation[]): Relation[] =>
  relations.filter(({ target, type }) => target === 'artist' && Object.hasOwn(billing, type));

function lineupOf(relations: readonly Relation[]): { lineup: Lineup } | Record<string, never> {
  const lineup = performersOf(relations).flatMap(({ entity, type }) => {
    const artist = referenceOf(entity);
    const bill = billing[type];
    return artist === null ? [] : [{ ...artist, ...(bill ? { billing: bill } : {}) }];
  });
  return lineup.length > 0 ? { lineup } : {};
}

function placeOf(relations: readonly Relation[], areas: Areas) {
  const place = relations.find(({ target, type }) => target === 'place' && type === 'held at')?.entity;
  const area = place
    ? place.area
    : relations.find(({ target, type }) => target === 'area' && type === 'held in')?.entity;
  const city = areas.cityOf(area);
  const country = areas.countryOf(area);
  const where = { ...(city === null ? {} : { city }), ...(country === null ? {} : { country }) };
  const venue = place ? referenceOf(place) : null;
  return { ...where, ...(venue === null ? {} : { venue: { ...venue, ...where } }) };
}

/** A date as a whole; MusicBrainz also writes "1995" and "1995-06". */
const dateOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && readDate(text) !== null ? text : undefined;
};

function whenOf(value: Json): { start_at?: string; end_at?: string } {
  const span = objectOf(value['life-span']);
  const begin = dateOf(span?.begin);
  const end = dateOf(span?.end);
  const time = /^([01]\d|2[0-3]):[0-5]\d$/.test(textOf(value.time) ?? '') ? textOf(value.time) : undefined;
  return {
    ...(begin === undefined ? {} : { start_at: time === undefined ? begin : `${begin}T${time}` }),
    ...(end === undefined || begin === undefined || end <= begin ? {} : { end_at: end }),
  };
}

const nameless = /^\[.*\]$|^$/;

/** A show or an edition of a festival; a sentence where it can be neither. */
export function eventOf(
  value: Json,
  id: string,
  name: string,
  areas: Areas,
): RecordOf<'event'> | RecordOf<'edition'> | string {
  const relations = relationsOf(value);
  const cancelled = value.cancelled === true ? ({ status: 'cancelled' } as const) : {};
  const common = { ...whenOf(value), ...cancelled, ...placeOf(relations, areas), ...lineupOf(relations) };
  const series = relations.find(({ target, type }) => target === 'series' && type === 'part of')?.entity;
  const whole = relations.find(
    ({ target, type, direction }) => target === 'event' && type === 'parts' && direction === 'backward',
  )?.entity;
  const year = /^\d{4}/.exec(textOf(objectOf(value['life-span'])?.begin) ?? '')?.[0] ?? yearIn(name);
  const isFestival = textOf(value.type) === 'Festival';
  if (isFestival && whole === undefined) {
    const festival = series ? referenceOf(series) : nameless.test(name) ? null : { name: festivalName(name) };
    if (festival === null) return 'has no name';
    if (year === undefined) return 'has no year';
    return { kind: 'edition', external_id: id, festival, edition: year, name, ...common };
  }
  if (nameless.test(name)) return 'has no name';
  const { start_at: start } = common;
  if (start === undefined) {
    const said = textOf(objectOf(value['life-span'])?.begin);
    return said === undefined ? 'has no date' : `has no whole date (${said})`;
  }
  const own = addressesOf(value).find((each) => each.own)?.address;
  const parent = textOf(whole?.name);
  const festival =
    parent !== undefined && year !== undefined
      ? { festival: { festival: { name: festivalName(parent) }, edition: year } }
      : {};
  return {
    kind: 'event',
    external_id: id,
    name,
    ...common,
    start_at: start,
    ...(own !== undefined && /^https?:/i.test(own) && URL.canParse(own) ? { url: own } : {}),
    ...festival,
  };
}

const yearIn = (name: string): string | undefined => /\b(?:19|20)\d\d\b/.exec(name)?.[0];

/** "23. Wave-Gotik-Treffen" and "Rock am Ring 2002" are editions of what is left without their number. */
export function festivalName(name: string): string {
  const bare = name
    .replace(/^\d{1,3}(?:\.|st|nd|rd|th|º|ª)\s+(?:annual\s+)?/i, '')
    .replace(/(?<!\s)\s*(?:[-–,:(]\s*)?(?:19|20)\d\d\)?(?:\s*[-–/]\s*(?:19|20)?\d\d)?\s*$/, '')
    .replace(/(?<!\s)\s*[,:–-]\s*$/, '')
    .trim();
  return bare === '' ? name : bare;
}

/** A festival, or a podcast; null for the series that are neither (tours, residencies, catalogues). */
export function seriesOf(
  value: Json,
  id: string,
  name: string,
): RecordOf<'festival'> | RecordOf<'podcast'> | null {
  const type = textOf(value.type);
  const { website, external_ids, ...rest } = profilesOf(value, id);
  const common = {
    external_id: id,
    name,
    ...(website === undefined ? {} : { website }),
    ...aliasesOf(value, name),
    ...rest,
  };
  if (type === 'Festival') return { kind: 'festival', ...common, external_ids };
  return type === 'Podcast' ? { kind: 'podcast', ...common } : null;
}
