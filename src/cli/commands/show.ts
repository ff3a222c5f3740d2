/** `show`: prints one record, without a server. */
import type { Command } from 'commander';
import type { App } from '../../app.ts';
import type { Kind } from '../../contract/fields.ts';
import { Failure } from '../../failure.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { describeRecord, type RecordList, type RecordLists } from '../output/record.ts';
import { kinds, parseKind } from '../record-kinds.ts';
import { resolveBaseUrl } from '../running-service.ts';

/** Adds `show` to the program. */
export function addShow(program: Command): void {
  const command = program
    .command('show')
    .argument('<kind>', `${kinds.join(', ')}; or KIND/SLUG`)
    .argument('[slug]', 'slug from `search`; for an edition FESTIVAL/EDITION')
    .description(
      'Show one record with its line-up, tickets or tracks, and the first entries of related lists.',
    );
  addExamples(command, [
    ['cratebase show artist ben-klock', ''],
    ['cratebase show artist/ben-klock', 'the same'],
    ['cratebase show edition tomorrowland/2024 --json', ''],
  ]);
  command.action(async (...words: [string, string | undefined]) => {
    const [kindText, slug] = splitRecord(...words);
    const kind = parseKind(kindText);
    const [name, edition] = splitSlug(kind, slug);
    const { record, lists } = await withApp(command, { readOnly: true }, (app) => {
      const base = resolveBaseUrl(command, app);
      return {
        record: app.record(kind, name, edition, base),
        lists: readLists(app, kind, name, edition, base),
      };
    });
    const whole = Object.entries(lists).filter(([title]) => fullLists.has(title));
    const members = Object.fromEntries(whole.map(([title, { data }]) => [title, data]));
    printResult(command, { ...record, ...members }, () => describeRecord(record, lists));
  });
}

/** The kind and slug; other commands write and take them as KIND/SLUG. Throws a `Failure` without a slug. */
function splitRecord(kind: string, slug: string | undefined): [string, string] {
  if (slug !== undefined) return [kind, slug];
  const at = kind.indexOf('/');
  if (at < 1 || at === kind.length - 1)
    throw new Failure('Name a record by kind and slug: cratebase show artist ben-klock', 2);
  return [kind.slice(0, at), kind.slice(at + 1)];
}

/** Splits the slug of an edition (FESTIVAL/EDITION); throws a `Failure` if a part is missing. */
function splitSlug(kind: Kind, slug: string): [string, string] {
  if (kind !== 'edition') return [slug, ''];
  const at = slug.indexOf('/');
  if (at < 1 || at === slug.length - 1) {
    throw new Failure('Name an edition by festival and edition: cratebase show edition tomorrowland/2024', 2);
  }
  return [slug.slice(0, at), slug.slice(at + 1)];
}

/** Lists that are part of their record: they are shown in full, also in JSON. */
const fullLists = new Set(['lineup', 'tickets', 'tracklist']);
const maxFullListEntries = 100_000;
/** Entries shown of the other lists. */
const previewEntries = 10;

/** The API operations of a record's lists, by the name of the list. */
const listOperations: { [K in Kind]?: Readonly<Record<string, Parameters<App['list']>[0]>> } = {
  event: { lineup: 'listEventLineup', tickets: 'listEventTickets' },
  edition: { lineup: 'listEditionLineup', tickets: 'listEditionTickets' },
  artist: { genres: 'listArtistGenres', events: 'listArtistEvents' },
  venue: { events: 'listVenueEvents' },
  festival: { editions: 'listFestivalEditions' },
  city: { events: 'listCityEvents' },
  label: { roster: 'listLabelArtists', events: 'listLabelEvents' },
  genre: { events: 'listEvents' },
  podcast: { episodes: 'listPodcastEpisodes' },
  episode: { tracklist: 'listTracks' },
};

function readLists(app: App, kind: Kind, slug: string, edition: string, base: string): RecordLists {
  const now = { instant: app.clock.now() };
  const readList = ([title, operation]: [string, Parameters<App['list']>[0]]): [string, RecordList] => {
    const filters =
      operation === 'listEvents'
        ? { genre: slug, from: now }
        : operation === 'listCityEvents'
          ? { from: now }
          : {};
    const limit = fullLists.has(title) ? maxFullListEntries : previewEntries;
    return [title, app.list(operation, base, { slug, edition, filters, limit })];
  };
  return Object.fromEntries(Object.entries(listOperations[kind] ?? {}).map(readList));
}
