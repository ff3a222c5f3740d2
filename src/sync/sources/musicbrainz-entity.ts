/** Entities of MusicBrainz as its JSON has them: dumps, single look-ups and lists alike. */

export type Json = Record<string, unknown>;
export const kinds = ['artist', 'label', 'place', 'area', 'event', 'series', 'genre'] as const;
export type EntityKind = (typeof kinds)[number];
/** Known by their JSON, but nothing the catalogue keeps. */
export type OtherKind = 'release' | 'release-group' | 'recording' | 'work' | 'url' | 'instrument';
/** `where` tells a person which entity it is. */
export type Entity = { kind: EntityKind | OtherKind | null; value: Json; where: string };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const objectOf = (value: unknown): Json | null => (isObject(value) ? value : null);
/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The lists that answers of the API come in, and what they hold. */
export const listNames: Readonly<Record<string, EntityKind | OtherKind>> = {
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

const areaTypes =
  /^(?:Country|Subdivision|City|Municipality|District|Island|County|Military base|Indigenous territory.*)$/;
const seriesTypes =
  /series$|^(?:Tour|Festival|Run|Residency|Award ceremony|Catalogue|Artist award|Release group award|Recording award|Podcast|Work award|Release award|Event award)$/i;

/** What an entity is: by its own members, else by the name of the file it stands in. */
export function kindOf(value: Json, file: string): Entity['kind'] {
  const type = textOf(value.type) ?? '';
  if ('resource' in value) return 'url';
  if ('title' in value)
    return 'media' in value || 'release-events' in value || 'barcode' in value ? 'release' : otherOf(value);
  if ('label-code' in value) return 'label';
  if ('setlist' in value || 'cancelled' in value) return 'event';
  if ('gender' in value || 'begin-area' in value || 'begin_area' in value) return 'artist';
  if ('coordinates' in value || 'address' in value) return 'place';
  if ('iso-3166-1-codes' in value || 'iso-3166-2-codes' in value || areaTypes.test(type)) return 'area';
  if (seriesTypes.test(type) && !('life-span' in value)) return 'series';
  return kindOfFile(file) ?? (type === '' && !('sort-name' in value) && textOf(value.name) ? 'genre' : null);
}

const otherOf = (value: Json): OtherKind =>
  'primary-type' in value ? 'release-group' : 'iswcs' in value ? 'work' : 'recording';

/** `mbdump/artist`, `artist.ndjson.gz`, `mb_Lookup_Artist.json`. */
export function kindOfFile(file: string): Entity['kind'] {
  const name = (file.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const words = name.split(/[^a-z]+/);
  const found = [...kinds].find((kind) => words.includes(kind) || words.includes(`${kind}s`));
  return found ?? null;
}

export type Relation = {
  type: string;
  target: string;
  direction: string;
  entity: Json;
  ended: boolean;
  value: Json;
};

/** The relations of an entity, in the writing of today and in that of older answers. */
export function relationsOf(value: Json): Relation[] {
  const nested = objects(value['relation-list']).flatMap((list) => [
    ...objects(list.relations),
    ...objects(list.relation),
  ]);
  return [...objects(value.relations), ...nested].flatMap((relation) => {
    const target = textOf(relation['target-type']) ?? targetOf(relation);
    const entity =
      target === undefined
        ? null
        : (objectOf(relation[target]) ?? objectOf(relation[target.replace('_', '-')]));
    if (target === undefined || entity === null) return [];
    return [
      {
        type: textOf(relation.type) ?? '',
        target,
        direction: textOf(relation.direction) ?? 'forward',
        entity,
        ended: relation.ended === true,
        value: relation,
      },
    ];
  });
}

const targetOf = (relation: Json): string | undefined =>
  ['area', 'artist', 'event', 'label', 'place', 'series', 'url', 'genre'].find((target) =>
    isObject(relation[target]),
  );

/** The addresses that still hold; those of their own page first. */
export function addressesOf(value: Json): { address: string; own: boolean }[] {
  return relationsOf(value)
    .filter(
      ({ target, ended, type }) =>
        target === 'url' && !ended && !/^(?:image|logo|picture|poster|lyrics|get the music)/.test(type),
    )
    .flatMap(({ entity, type }) => {
      const address = textOf(entity.resource);
      return address === undefined ? [] : [{ address, own: /^official (?:homepage|site)$/.test(type) }];
    })
    .sort((one, other) => Number(other.own) - Number(one.own));
}

/** The names of genres and tags that somebody stands by, the most agreed first. */
export function genresOf(value: Json): string[] {
  const votes = (list: unknown) =>
    objects(list)
      .filter(({ count }) => typeof count !== 'number' || count > 0)
      .sort((one, other) => Number(other.count ?? 0) - Number(one.count ?? 0))
      .flatMap(({ name }) => textOf(name) ?? []);
  return [...new Set([...votes(value.genres), ...votes(value.tags)])];
}
