/** Parses entities of MusicBrainz JSON: dumps, single look-ups and lists. */

import { isJsonObject, type JsonObject } from '../common/values.ts';

export const entityKinds = ['artist', 'label', 'place', 'area', 'event', 'series', 'genre'] as const;
type EntityKind = (typeof entityKinds)[number];
/** Recognized, but not imported. */
type IgnoredKind = 'release' | 'release-group' | 'recording' | 'work' | 'url' | 'instrument';
/** An entity; `where` describes its position for reports. */
export type Entity = { kind: EntityKind | IgnoredKind | null; value: JsonObject; where: string };

/** Returns the objects in a list; empty if the value is not a list. */
export const objectList = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
/** Returns a value if it is an object, else null. */
export const asObject = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);
/** Returns the trimmed text; undefined if it is empty or not a text. */
export const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Lists in responses of the API, and the kind of their items. */
export const kindByListName: Readonly<Record<string, EntityKind | IgnoredKind>> = {
  artists: 'artist',
  labels: 'label',
  places: 'place',
  areas: 'area',
  events: 'event',
  series: 'series',
  genres: 'genre',
  releases: 'release',
  'release-groups': 'release-group',
  recordings: 'recording',
  works: 'work',
  urls: 'url',
};

const areaTypePattern =
  /^(?:Country|Subdivision|City|Municipality|District|Island|County|Military base|Indigenous territory.*)$/;
const seriesTypePattern =
  /series$|^(?:Tour|Festival|Run|Residency|Award ceremony|Catalogue|Artist award|Release group award|Recording award|Podcast|Work award|Release award|Event award)$/i;

/** Detects the kind of an entity by its members, else by the name of its file. */
export function detectKind(value: JsonObject, file: string): Entity['kind'] {
  const type = nonEmptyText(value.type) ?? '';
  if ('resource' in value) return 'url';
  if ('title' in value)
    return 'media' in value || 'release-events' in value || 'barcode' in value
      ? 'release'
      : detectIgnoredKind(value);
  if ('label-code' in value) return 'label';
  if ('setlist' in value || 'cancelled' in value) return 'event';
  if ('gender' in value || 'begin-area' in value || 'begin_area' in value) return 'artist';
  if ('coordinates' in value || 'address' in value) return 'place';
  if ('iso-3166-1-codes' in value || 'iso-3166-2-codes' in value || areaTypePattern.test(type)) return 'area';
  if (seriesTypePattern.test(type) && !('life-span' in value)) return 'series';
  return (
    detectKindOfFile(file) ??
    (type === '' && !('sort-name' in value) && nonEmptyText(value.name) ? 'genre' : null)
  );
}

const detectIgnoredKind = (value: JsonObject): IgnoredKind =>
  'primary-type' in value ? 'release-group' : 'iswcs' in value ? 'work' : 'recording';

/** Detects the kind by file name: `mbdump/artist`, `artist.ndjson.gz`, `mb_Lookup_Artist.json`. */
export function detectKindOfFile(file: string): Entity['kind'] {
  const name = (file.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const words = name.split(/[^a-z]+/);
  const match = [...entityKinds].find((kind) => words.includes(kind) || words.includes(`${kind}s`));
  return match ?? null;
}

export type Relation = {
  type: string;
  target: string;
  direction: string;
  entity: JsonObject;
  ended: boolean;
  value: JsonObject;
};

/** Returns the relations of an entity, in the current format and in that of older responses. */
export function parseRelations(value: JsonObject): Relation[] {
  const nested = objectList(value['relation-list']).flatMap((list) => [
    ...objectList(list.relations),
    ...objectList(list.relation),
  ]);
  return [...objectList(value.relations), ...nested].flatMap((relation) => {
    const target = nonEmptyText(relation['target-type']) ?? findTarget(relation);
    const entity =
      target === undefined
        ? null
        : (asObject(relation[target]) ?? asObject(relation[target.replace('_', '-')]));
    if (target === undefined || entity === null) return [];
    return [
      {
        type: nonEmptyText(relation.type) ?? '',
        target,
        direction: nonEmptyText(relation.direction) ?? 'forward',
        entity,
        ended: relation.ended === true,
        value: relation,
      },
    ];
  });
}

const findTarget = (relation: JsonObject): string | undefined =>
  ['area', 'artist', 'event', 'label', 'place', 'series', 'url', 'genre'].find((target) =>
    isJsonObject(relation[target]),
  );

/** Returns the current addresses, official sites first. */
export function currentUrls(value: JsonObject): { address: string; isOwn: boolean }[] {
  return parseRelations(value)
    .filter(
      ({ target, ended, type }) =>
        target === 'url' && !ended && !/^(?:image|logo|picture|poster|lyrics|get the music)/.test(type),
    )
    .flatMap(({ entity, type }) => {
      const address = nonEmptyText(entity.resource);
      return address === undefined ? [] : [{ address, isOwn: /^official (?:homepage|site)$/.test(type) }];
    })
    .sort((one, other) => Number(other.isOwn) - Number(one.isOwn));
}

/** Returns genres and tags with positive votes, the most votes first. */
export function genreNames(value: JsonObject): string[] {
  const votes = (list: unknown) =>
    objectList(list)
      .filter(({ count }) => typeof count !== 'number' || count > 0)
      .sort((one, other) => Number(other.count ?? 0) - Number(one.count ?? 0))
      .flatMap(({ name }) => nonEmptyText(name) ?? []);
  return [...new Set([...votes(value.genres), ...votes(value.tags)])];
}
