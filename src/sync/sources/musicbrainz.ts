/**
 * MusicBrainz (docs/spec/imports.md#sources): the JSON dumps (`mbdump/artist` and the other files of lines, gzipped or not) and the
 * answers of its API. Of artists, labels, shows and festivals only those of electronic music are taken, unless the
 * option `genres` is `all`; places, cities and genres follow the same word where they say one.
 */
import { dirname } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord } from './adapter.ts';
import { Areas } from './musicbrainz-areas.ts';
import {
  type Entity,
  genresOf,
  type Json,
  kindOfFile,
  kinds,
  relationsOf,
  textOf,
} from './musicbrainz-entity.ts';
import { eventOf, performersOf, seriesOf } from './musicbrainz-events.ts';
import { isElectronic } from './musicbrainz-genres.ts';
import { readEntities } from './musicbrainz-read.ts';
import {
  artistOf,
  type Choice,
  cityOf,
  genreOf,
  labelOf,
  noLabel,
  noVenue,
  venueOf,
} from './musicbrainz-records.ts';
import { shown } from './shown.ts';

/** Ids that are remembered of a run: there are fewer electronic artists than this. */
const mostRemembered = 1_000_000;

export const musicbrainz: Adapter = {
  async *read(context) {
    const genres = context.options.genres ?? 'electronic';
    if (genres !== 'electronic' && genres !== 'all')
      throw new Failure(`The option genres is "electronic" or "all", not "${genres}".`);
    const locations = await context.list(context.location);
    const run = new Run(genres);
    await learnAreas(context, locations, run.areas);
    let end: AdapterEnd = { ended: locations.length === 0 ? 'whole' : 'unchanged' };
    for (const location of inOrder(locations)) {
      try {
        const ended = yield* readFile(context, location, run);
        if (end.ended !== 'partial' && ended.ended !== 'unchanged') end = ended;
      } catch (failure) {
        if (!(failure instanceof Failure) || locations.length === 1) throw failure;
        context.reject(shown(location), failure.message);
        end = { ended: 'partial', reason: failure.message };
      }
    }
    return end;
  },
};

/** Artists before what they play at, shows before the festivals they belong to. */
const order = ['genre', 'area', 'artist', 'label', 'place', 'event', 'series'];
const inOrder = (locations: readonly string[]): string[] => {
  const rank = (location: string) => order.indexOf(kindOfFile(location) ?? '');
  return [...locations].sort((one, other) => rank(one) - rank(other));
};

/**
 * What contains what has to be known before places are read: from the files of areas in the folder, or beside the file.
 * Where there are none, places without a country of their own are reported.
 */
async function learnAreas(
  context: AdapterContext,
  locations: readonly string[],
  areas: Areas,
): Promise<void> {
  const [only] = locations;
  const lone = locations.length === 1 && only !== undefined && only !== '-' && !/^https?:/i.test(only);
  const beside = lone ? await context.list(dirname(only)).catch(() => []) : locations;
  for (const location of beside.filter((each) => kindOfFile(each) === 'area')) {
    try {
      for await (const { kind, value } of readEntities(context, location, true))
        if (kind === 'area') areas.learn(value);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
    }
  }
}

async function* readFile(
  context: AdapterContext,
  location: string,
  run: Run,
): AsyncGenerator<FeedRecord, AdapterEnd> {
  const entities = readEntities(context, location);
  let next = await entities.next();
  for (; !next.done; next = await entities.next()) {
    const record = run.record(next.value);
    if (typeof record === 'string') context.reject(whereOf(next.value), record);
    else if (record !== null) {
      context.at?.(whereOf(next.value));
      yield record;
    }
  }
  return next.value;
}

const whereOf = ({ value, where, kind }: Entity): string => {
  const name = textOf(value.name) ?? textOf(value.title);
  return `${where}${name === undefined ? '' : ` (${kind ?? 'entity'} ${name.slice(0, 80)})`}`;
};

class Run {
  readonly areas = new Areas();
  readonly #choice: Choice;
  /** Artists and festivals of electronic music met in this run: who plays makes a show one of it. */
  readonly #electronic = new Set<string>();

  constructor(choice: Choice) {
    this.#choice = choice;
  }

  /** A record; a sentence where there should be one and is not; null for what is not asked for. */
  record({ kind, value }: Entity): FeedRecord | string | null {
    if (kind === null)
      return 'is nothing that could be told: it says neither what it is nor what it is about';
    if (!isKept(kind)) return `is a ${kind}: ${kinds.join(', ')} are read`;
    const id = textOf(value.id);
    const name = textOf(value.name);
    if (id === undefined || id.length > 100) return 'has no id';
    if (name === undefined || name.length > 1_000) return 'has no name';
    switch (kind) {
      case 'artist':
        // "[unknown]", "[no artist]", "Various Artists": names for nobody.
        if (/^\[.*\]$/.test(name) || name === 'Various Artists') return null;
        return this.#wanted(value, id) ? artistOf(value, id, name, this.areas, this.#choice) : null;
      case 'label':
        if (/^\[.*\]$/.test(name) || noLabel.test(textOf(value.type) ?? '')) return null;
        return this.#wanted(value, null, artistIds(value)) ? labelOf(value, id, name, this.areas) : null;
      case 'place':
        return noVenue.test(textOf(value.type) ?? '') ? null : venueOf(value, id, name, this.areas);
      case 'area':
        this.areas.learn(value);
        return cityOf(value, id, name, this.areas);
      case 'event':
        return this.#event(value, id, name);
      case 'series':
        return this.#choice === 'all' || this.#electronic.has(id) || this.#wanted(value, null)
          ? seriesOf(value, id, name)
          : null;
      case 'genre':
        return this.#choice === 'all' || isElectronic(name) ? genreOf(value, id, name) : null;
    }
  }

  #event(value: Json, id: string, name: string): FeedRecord | string | null {
    const relations = relationsOf(value);
    const players = performersOf(relations).flatMap(({ entity }) => textOf(entity.id) ?? []);
    if (!this.#wanted(value, null, players)) return null;
    for (const { target, entity } of relations) if (target === 'series') this.#remember(textOf(entity.id));
    return eventOf(value, id, name, this.areas);
  }

  /** Whether an entity is asked for: by its own genres and tags, or by whom it is about. */
  #wanted(value: Json, id: string | null, about: string[] = []): boolean {
    const electronic = genresOf(value).some(isElectronic);
    if (electronic && id !== null) this.#remember(id);
    return this.#choice === 'all' || electronic || about.some((each) => this.#electronic.has(each));
  }

  #remember(id: string | undefined): void {
    if (id !== undefined && this.#electronic.size < mostRemembered) this.#electronic.add(id);
  }
}

const isKept = (kind: NonNullable<Entity['kind']>): kind is (typeof kinds)[number] =>
  (kinds as readonly string[]).includes(kind);

/** The artists under contract to a label. */
const artistIds = (value: Json): string[] =>
  relationsOf(value)
    .filter(({ target, type }) => target === 'artist' && type === 'recording contract')
    .flatMap(({ entity }) => textOf(entity.id) ?? []);
