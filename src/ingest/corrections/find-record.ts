/** Finds the record that an operator names by id, kind/slug, page URL, or a unique slug. */
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { RecordFinder, RecordIdentity } from '../../store/records/record-finder.ts';

const feedKinds: readonly FeedKind[] = [
  'event',
  'artist',
  'venue',
  'festival',
  'label',
  'city',
  'genre',
  'podcast',
  'edition',
  'episode',
];
const kindByFolder: ReadonlyMap<string, FeedKind> = new Map(
  feedKinds.map((kind) => [kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`, kind]),
);

/** Returns the named record. Throws a `Failure` with advice if there are none or several. */
export function findRecord(names: RecordFinder, text: string): RecordIdentity {
  const input = text.trim();
  const all = findAll(names, input);
  if (all.length === 1) return all[0] as RecordIdentity;
  const quoted = JSON.stringify(input);
  if (all.length > 1) {
    const ways = all.map(({ kind, slug }) => `${kind}/${slug}`).join(', ');
    throw new Failure(`${quoted} is the slug of several records. Name one of ${ways}.`, 1, {
      code: 'record_ambiguous',
      value: ways,
    });
  }
  const [removed] = findAll(names.withRemoved(), input);
  if (removed !== undefined)
    throw new Failure(
      `The record ${quoted} is not in the catalogue any more: ${describeRemoval(names, removed)}`,
      1,
      { isMissing: true, code: 'record_missing' },
    );
  throw new Failure(
    `There is no record ${quoted}. Name one by its id (evt_…), as kind/slug (artist/ben-klock), or by the address of its page; \`cratebase search NAME\` finds it.`,
    1,
    { isMissing: true, code: 'record_missing' },
  );
}

/** Says why a record is not shown, and how it comes back: `artist/x is hidden. Bring it back with …`. */
export function describeRemoval(names: RecordFinder, record: RecordIdentity): string {
  const removal = names.removalOf(record.id);
  const name = `${record.kind}/${record.slug}`;
  if (removal === null) return `${name} is shown.`;
  if (removal.state === 'forgotten') return 'it is forgotten for good.';
  if (removal.by.startsWith('source:')) return `no source lists ${name} any more. It returns with a listing.`;
  const command = removal.state === 'hidden' ? 'unhide' : 'undelete';
  const reason = removal.reason === null ? '' : ` (${removal.reason})`;
  return `${name} is ${removal.state}${reason}. Bring it back with \`cratebase ${command} ${name}\`.`;
}

/** The records that a text may name; several only for a slug without a kind. */
function findAll(names: RecordFinder, input: string): RecordIdentity[] {
  const record = byPageUrl(names, input) ?? names.byPublicId(input) ?? byPath(names, input.split('/'));
  if (record) return [record];
  if (input.includes('/')) return [];
  return feedKinds.map((kind) => names.bySlug(kind, input)).filter((one) => one !== null);
}

function byPageUrl(names: RecordFinder, text: string): RecordIdentity | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const parts = new URL(text).pathname.split('/').filter(Boolean).map(decodePart);
  // A page of the console: an id, or `artist~ben-klock`.
  if (parts[0] === 'admin' && parts[1] === 'records') return byConsolePath(names, parts[2] ?? '');
  // URLs of the API name records as well.
  while (parts.length > 2 && !kindByFolder.has(parts[0] ?? '')) parts.shift();
  return byPath(names, parts);
}

const byConsolePath = (names: RecordFinder, name: string): RecordIdentity | null =>
  names.byPublicId(name) ?? byPath(names, name.split('~'));

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function byPath(names: RecordFinder, [folder = '', slug = '', ...rest]: string[]): RecordIdentity | null {
  const kind = kindByFolder.get(folder) ?? feedKinds.find((one) => one === folder);
  if (kind === undefined || slug === '') return null;
  if (kind === 'festival' && rest[0] === 'editions' && rest[1]) return names.edition(slug, rest[1]);
  if (kind === 'edition' && rest[0]) return names.edition(slug, rest.join('/'));
  return rest.length === 0 ? names.bySlug(kind, slug) : null;
}
