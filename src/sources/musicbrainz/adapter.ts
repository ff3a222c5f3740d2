/**
 * Reads MusicBrainz (docs/spec/imports.md#sources): the JSON dumps (`mbdump/artist` and similar files of lines, gzipped
 * or not) and responses of its API. Artists, labels, events and festivals are imported only if they are electronic
 * music, unless the option `genres` is `all`. The option also filters genres.
 */

import { dirname } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome, RecordResult } from '../adapter.ts';
import { readEach } from '../common/read-each.ts';
import { isHttpUrl } from '../common/redact.ts';
import type { JsonObject } from '../common/values.ts';
import { AreaIndex } from './areas.ts';
import { isElectronic } from './electronic-genres.ts';
import {
  detectKindOfFile,
  type Entity,
  entityKinds,
  genreNames,
  nonEmptyText,
  parseRelations,
} from './entity.ts';
import { performerRelations, toEventOrEdition, toSeriesRecord } from './events.ts';
import { readEntities } from './read-entities.ts';
import {
  type GenreScope,
  nonLabelType,
  nonVenueType,
  toArtist,
  toCity,
  toGenre,
  toLabel,
  toVenue,
} from './records.ts';

/** Max artist and series ids that are kept during a run, above the number of electronic artists. */
const maxElectronicIds = 1_000_000;

export const musicbrainz: Adapter = {
  async *read(context) {
    const genres = context.options.genres ?? 'electronic';
    if (genres !== 'electronic' && genres !== 'all')
      throw new Failure(`The option genres is "electronic" or "all", not "${genres}".`);
    const locations = await context.list(context.location);
    const run = new MusicBrainzRun(genres);
    await loadAreas(context, locations, run.areas);
    return yield* readEach(context, sortByKind(locations), (file) => readFile(context, file, run));
  },
};

/** Artists come before their events, and events before their festivals. */
const readingOrder = ['genre', 'area', 'artist', 'label', 'place', 'event', 'series'];
const sortByKind = (locations: readonly string[]): string[] => {
  const rank = (location: string) => readingOrder.indexOf(detectKindOfFile(location) ?? '');
  return [...locations].sort((one, other) => rank(one) - rank(other));
};

/**
 * Loads the areas before places are read: from the files of areas in the folder, or beside a single file. Without them,
 * places without a country are rejected.
 */
async function loadAreas(
  context: AdapterContext,
  locations: readonly string[],
  areas: AreaIndex,
): Promise<void> {
  const [first] = locations;
  const isSingleFile = locations.length === 1 && first !== undefined && first !== '-' && !isHttpUrl(first);
  const candidates = isSingleFile ? await context.list(dirname(first)).catch(() => []) : locations;
  for (const location of candidates.filter((each) => detectKindOfFile(each) === 'area')) {
    try {
      for await (const { kind, value } of readEntities(context, location, true))
        if (kind === 'area') areas.add(value);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
    }
  }
}

async function* readFile(
  context: AdapterContext,
  location: string,
  run: MusicBrainzRun,
): AsyncGenerator<FeedRecord, ReadOutcome> {
  const entities = readEntities(context, location);
  let next = await entities.next();
  for (; !next.done; next = await entities.next()) {
    const result = run.toRecord(next.value);
    if (result === null) continue;
    const where = describeEntity(next.value);
    if ('rejected' in result) context.reject(where, result.rejected);
    else {
      context.setRecordLocation?.(where);
      yield result.record;
    }
  }
  return next.value;
}

const describeEntity = ({ value, where, kind }: Entity): string => {
  const name = nonEmptyText(value.name) ?? nonEmptyText(value.title);
  return `${where}${name === undefined ? '' : ` (${kind ?? 'entity'} ${name.slice(0, 80)})`}`;
};

class MusicBrainzRun {
  readonly areas = new AreaIndex();
  readonly #scope: GenreScope;
  /** Ids of electronic artists and festivals of this run. An event with such an artist is electronic. */
  readonly #electronicIds = new Set<string>();

  constructor(scope: GenreScope) {
    this.#scope = scope;
  }

  /**
   * Converts an entity to a feed record.
   * @returns null if the entity is outside of the scope
   */
  toRecord({ kind, value }: Entity): RecordResult | null {
    if (kind === null) return { rejected: 'has no type that is known' };
    if (!isReadKind(kind)) return { rejected: `is a ${kind}: only ${entityKinds.join(', ')} are imported` };
    const id = nonEmptyText(value.id);
    const name = nonEmptyText(value.name);
    if (id === undefined || id.length > 100) return { rejected: 'has no id' };
    if (name === undefined || name.length > 1_000) return { rejected: 'has no name' };
    switch (kind) {
      case 'artist':
        // Placeholders for unknown artists: "[unknown]", "[no artist]", "Various Artists".
        if (/^\[.*\]$/.test(name) || name === 'Various Artists') return null;
        return this.#isWanted(value, id)
          ? { record: toArtist(value, id, name, this.areas, this.#scope) }
          : null;
      case 'label':
        if (/^\[.*\]$/.test(name) || nonLabelType.test(nonEmptyText(value.type) ?? '')) return null;
        return this.#isWanted(value, null, contractedArtistIds(value))
          ? { record: toLabel(value, id, name, this.areas) }
          : null;
      case 'place':
        return nonVenueType.test(nonEmptyText(value.type) ?? '')
          ? null
          : toVenue(value, id, name, this.areas);
      case 'area':
        this.areas.add(value);
        return toCity(value, id, name, this.areas);
      case 'event':
        return this.#toEvent(value, id, name);
      case 'series':
        if (this.#scope !== 'all' && !this.#electronicIds.has(id) && !this.#isWanted(value, null))
          return null;
        return toSeriesRecord(value, id, name);
      case 'genre':
        return this.#scope === 'all' || isElectronic(name) ? { record: toGenre(value, id, name) } : null;
    }
  }

  #toEvent(value: JsonObject, id: string, name: string): RecordResult | null {
    const relations = parseRelations(value);
    const players = performerRelations(relations).flatMap(({ entity }) => nonEmptyText(entity.id) ?? []);
    if (!this.#isWanted(value, null, players)) return null;
    for (const { target, entity } of relations)
      if (target === 'series') this.#addElectronic(nonEmptyText(entity.id));
    return toEventOrEdition(value, id, name, this.areas);
  }

  /** Whether an entity is in scope: by its own genres and tags, or by a related artist. */
  #isWanted(value: JsonObject, id: string | null, relatedIds: string[] = []): boolean {
    const electronic = genreNames(value).some(isElectronic);
    if (electronic && id !== null) this.#addElectronic(id);
    return this.#scope === 'all' || electronic || relatedIds.some((each) => this.#electronicIds.has(each));
  }

  #addElectronic(id: string | undefined): void {
    if (id !== undefined && this.#electronicIds.size < maxElectronicIds) this.#electronicIds.add(id);
  }
}

const isReadKind = (kind: NonNullable<Entity['kind']>): kind is (typeof entityKinds)[number] =>
  (entityKinds as readonly string[]).includes(kind);

/** Returns the ids of artists under contract to a label. */
const contractedArtistIds = (value: JsonObject): string[] =>
  parseRelations(value)
    .filter(({ target, type }) => target === 'artist' && type === 'recording contract')
    .flatMap(({ entity }) => nonEmptyText(entity.id) ?? []);
