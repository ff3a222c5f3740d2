/**
 * MusicBrainz (docs/spec/imports.md#sources): the JSON dumps (`mbdump/artist` and the other files of lines, gzipped or not) and the
 * answers of its API. Of artists, labels, shows and festivals only those of electronic music are taken, unless the
 * option `genres` is `all`; places, cities and genres follow the same word where they say one.
 */

import { dirname } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome, RecordResult } from '../adapter.ts';
import { isHttpUrl, redactUrl } from '../common/redact.ts';
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

/** Ids that are remembered of a run: there are fewer electronic artists than this. */
const maxElectronicIds = 1_000_000;

export const musicbrainz: Adapter = {
  async *read(context) {
    const genres = context.options.genres ?? 'electronic';
    if (genres !== 'electronic' && genres !== 'all')
      throw new Failure(`The option genres is "electronic" or "all", not "${genres}".`);
    const locations = await context.list(context.location);
    const run = new MusicBrainzRun(genres);
    await loadAreas(context, locations, run.areas);
    let end: ReadOutcome = { ended: locations.length === 0 ? 'whole' : 'unchanged' };
    for (const location of sortByKind(locations)) {
      try {
        const ended = yield* readFile(context, location, run);
        if (end.ended !== 'partial' && ended.ended !== 'unchanged') end = ended;
      } catch (failure) {
        if (!(failure instanceof Failure) || locations.length === 1) throw failure;
        context.reject(redactUrl(location), failure.message);
        end = { ended: 'partial', reason: failure.message };
      }
    }
    return end;
  },
};

/** Artists before what they play at, shows before the festivals they belong to. */
const readingOrder = ['genre', 'area', 'artist', 'label', 'place', 'event', 'series'];
const sortByKind = (locations: readonly string[]): string[] => {
  const rank = (location: string) => readingOrder.indexOf(detectKindOfFile(location) ?? '');
  return [...locations].sort((one, other) => rank(one) - rank(other));
};

/**
 * What contains what has to be known before places are read: from the files of areas in the folder, or beside the file.
 * Where there are none, places without a country of their own are reported.
 */
async function loadAreas(
  context: AdapterContext,
  locations: readonly string[],
  areas: AreaIndex,
): Promise<void> {
  const [only] = locations;
  const lone = locations.length === 1 && only !== undefined && only !== '-' && !isHttpUrl(only);
  const beside = lone ? await context.list(dirname(only)).catch(() => []) : locations;
  for (const location of beside.filter((each) => detectKindOfFile(each) === 'area')) {
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
  /** Artists and festivals of electronic music met in this run: who plays makes a show one of it. */
  readonly #electronicIds = new Set<string>();

  constructor(choice: GenreScope) {
    this.#scope = choice;
  }

  /**
   * Converts an entity to a feed record.
   * @returns null where the entity is outside of the scope
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
        // "[unknown]", "[no artist]", "Various Artists": names for nobody.
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

  /** Whether an entity is asked for: by its own genres and tags, or by whom it is about. */
  #isWanted(value: JsonObject, id: string | null, about: string[] = []): boolean {
    const electronic = genreNames(value).some(isElectronic);
    if (electronic && id !== null) this.#addElectronic(id);
    return this.#scope === 'all' || electronic || about.some((each) => this.#electronicIds.has(each));
  }

  #addElectronic(id: string | undefined): void {
    if (id !== undefined && this.#electronicIds.size < maxElectronicIds) this.#electronicIds.add(id);
  }
}

const isReadKind = (kind: NonNullable<Entity['kind']>): kind is (typeof entityKinds)[number] =>
  (entityKinds as readonly string[]).includes(kind);

/** The artists under contract to a label. */
const contractedArtistIds = (value: JsonObject): string[] =>
  parseRelations(value)
    .filter(({ target, type }) => target === 'artist' && type === 'recording contract')
    .flatMap(({ entity }) => nonEmptyText(entity.id) ?? []);
