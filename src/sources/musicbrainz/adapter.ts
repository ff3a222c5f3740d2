/**
 * MusicBrainz (docs/spec/imports.md#sources): the JSON dumps (`mbdump/artist` and the other files of lines, gzipped or not) and the
 * answers of its API. Of artists, labels, shows and festivals only those of electronic music are taken, unless the
 * option `genres` is `all`; places, cities and genres follow the same word where they say one.
 */
import { dirname } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from '../adapter.ts';
import { redactUrl } from '../common/redact.ts';
import { AreaIndex } from './areas.ts';
import { isElectronic } from './electronic-genres.ts';
import {
  detectKindOfFile,
  type Entity,
  entityKinds,
  genreNames,
  type JsonObject,
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
  const lone = locations.length === 1 && only !== undefined && only !== '-' && !/^https?:/i.test(only);
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
    const record = run.toRecord(next.value);
    if (typeof record === 'string') context.reject(describeEntity(next.value), record);
    else if (record !== null) {
      context.setRecordLocation?.(describeEntity(next.value));
      yield record;
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

  /** A record; a sentence where there should be one and is not; null for what is not asked for. */
  toRecord({ kind, value }: Entity): FeedRecord | string | null {
    if (kind === null)
      return 'is nothing that could be told: it says neither what it is nor what it is about';
    if (!isReadKind(kind)) return `is a ${kind}: ${entityKinds.join(', ')} are read`;
    const id = nonEmptyText(value.id);
    const name = nonEmptyText(value.name);
    if (id === undefined || id.length > 100) return 'has no id';
    if (name === undefined || name.length > 1_000) return 'has no name';
    switch (kind) {
      case 'artist':
        // "[unknown]", "[no artist]", "Various Artists": names for nobody.
        if (/^\[.*\]$/.test(name) || name === 'Various Artists') return null;
        return this.#isWanted(value, id) ? toArtist(value, id, name, this.areas, this.#scope) : null;
      case 'label':
        if (/^\[.*\]$/.test(name) || nonLabelType.test(nonEmptyText(value.type) ?? '')) return null;
        return this.#isWanted(value, null, contractedArtistIds(value))
          ? toLabel(value, id, name, this.areas)
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
        return this.#scope === 'all' || this.#electronicIds.has(id) || this.#isWanted(value, null)
          ? toSeriesRecord(value, id, name)
          : null;
      case 'genre':
        return this.#scope === 'all' || isElectronic(name) ? toGenre(value, id, name) : null;
    }
  }

  #toEvent(value: JsonObject, id: string, name: string): FeedRecord | string | null {
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
