/** Artists of one name in a line-up: what tells them apart, and the choice between them. */
import { Failure } from '../../failure.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import type { Namesake } from '../../store/namesakes.ts';
import { runAction, type StaffRequest } from '../admin-request.ts';
import type { FormState } from '../inputs.tsx';
import { refusedForm, translatedCode } from '../refusals.ts';
import type { ShownForm, Suggestions } from './edit-form.ts';
import { type RowType, sentRows } from './rows.ts';

/** Names that the action looks up at once. */
const maxNames = 100;

/** A name in a form that several artists have. */
class AmbiguousArtist extends Failure {
  readonly suggestions: Readonly<Record<string, Suggestions>>;

  constructor(message: string, input: string, suggestions: Suggestions) {
    super(message, 2, { field: input, code: translatedCode });
    this.suggestions = { [input]: suggestions };
  }
}

/** What tells an artist apart: country, genres, number of events. */
export const describeArtist = ({ country, genres, events }: Namesake, { consoleRecords }: Messages): string =>
  [country, genres.join(', '), consoleRecords.rows.events(events)].filter(Boolean).join(' · ');

/** The artists as a browser suggests them, by what an editor writes for each: `artist/nina-2`. */
export const suggestionsOf = (artists: readonly Namesake[], messages: Messages): Suggestions =>
  artists.map((one) => [`artist/${one.slug}`, `${one.name} · ${describeArtist(one, messages)}`] as const);

/**
 * Throws a `Failure` that lists the artists, for a name in the rows of a form that several have. A row that keeps its
 * record, or names one as `artist/nina-2`, is no such name.
 * @param types the fields of the form by their names
 */
export async function assertOneArtistEach(
  visit: StaffRequest,
  types: Readonly<Record<string, RowType>>,
): Promise<void> {
  const newEntries = Object.entries(types).flatMap(([field, type]) => newNames(visit.form, field, type));
  if (newEntries.length === 0) return;
  const artistsOf = await readNamesakes(visit, [...new Set(newEntries.map(({ name }) => name))]);
  const first = newEntries.find(({ name }) => artistsOf.has(name));
  if (first === undefined) return;
  const { input, name } = first;
  const artists = artistsOf.get(name) as Namesake[];
  const list = artists.map((one) => `artist/${one.slug} (${describeArtist(one, visit.messages)})`).join('; ');
  const text = visit.messages.consoleRecords.rows.ambiguous(name, artists.length, list);
  throw new AmbiguousArtist(text, input, suggestionsOf(artists, visit.messages));
}

/** Returns the artists of each name that several have. */
async function readNamesakes(
  visit: StaffRequest,
  names: readonly string[],
): Promise<ReadonlyMap<string, Namesake[]>> {
  const artistsOf = new Map<string, Namesake[]>();
  for (let from = 0; from < names.length; from += maxNames) {
    const batch = { names: names.slice(from, from + maxNames) };
    const namesakes = await runAction<{ name: string; artists: Namesake[] }[]>(
      visit,
      'record.namesakes',
      batch,
    );
    for (const { name, artists } of namesakes) artistsOf.set(name, artists);
  }
  return artistsOf;
}

/** The names in rows that name no record yet, with their inputs. */
function newNames(form: URLSearchParams, field: string, type: RowType): { input: string; name: string }[] {
  if (type !== 'acts' && type !== 'artists') return [];
  const nameOf = shownNames(form.get(`was.${field}`) ?? '');
  return (sentRows(form, field, type) ?? []).flatMap(({ name = '', record = '' }, at) => {
    const isKept = record !== '' && nameOf.get(record) === name;
    if (name === '' || isKept || /^artists?\/[a-z0-9-]+$/.test(name)) return [];
    return [{ input: `${field}.${at}.name`, name }];
  });
}

/** The names that the form showed, by `artist/SLUG`. A form that was tampered with showed none. */
function shownNames(was: string): Map<string, string> {
  try {
    const entries: unknown = JSON.parse(was || '[]');
    const acts = (Array.isArray(entries) ? entries : []) as { external_id?: string; name: string }[];
    return new Map(acts.map(({ external_id, name }) => [`artist/${external_id}`, name]));
  } catch {
    return new Map();
  }
}

/** Returns the state of a refused form (`refusals.ts`), with the artists to choose from if that was the reason. */
export const refusedRecordForm = (
  visit: StaffRequest,
  failure: unknown,
  inputOf?: (field: string) => string | null,
): ShownForm & FormState => ({
  ...refusedForm(visit, failure, inputOf),
  ...(failure instanceof AmbiguousArtist ? { suggestions: failure.suggestions } : {}),
});
