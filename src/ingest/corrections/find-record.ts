/** What an operator named: an id, kind/slug, a page's address, or a slug alone where it is of one record. */
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
const kindByFolder: Record<string, FeedKind> = Object.fromEntries(
  feedKinds.map((kind) => [kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`, kind]),
);

/** The record that a text names; throws a `Failure` that says what to do where none or several are meant. */
export function findRecord(names: RecordFinder, text: string): RecordIdentity {
  const given = text.trim();
  const found = byPageUrl(names, given) ?? names.byPublicId(given) ?? byPath(names, given.split('/'));
  if (found) return found;
  const all = given.includes('/')
    ? []
    : feedKinds.map((kind) => names.bySlug(kind, given)).filter((one) => one !== null);
  if (all.length === 1) return all[0] as RecordIdentity;
  const shown = JSON.stringify(given);
  if (all.length > 1) {
    const ways = all.map(({ kind, slug }) => `${kind}/${slug}`).join(', ');
    throw new Failure(`${shown} is the slug of several records. Name one of ${ways}.`);
  }
  throw new Failure(
    `There is no record ${shown}. Name one by its id (evt_…), as kind/slug (artist/ben-klock), or by the address of its page; \`cratebase search NAME\` finds it.`,
  );
}

function byPageUrl(names: RecordFinder, text: string): RecordIdentity | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const parts = new URL(text).pathname.split('/').filter(Boolean).map(decodePart);
  // The API's addresses name records as well.
  while (parts.length > 2 && !((parts[0] as string) in kindByFolder)) parts.shift();
  return byPath(names, parts);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function byPath(names: RecordFinder, [folder = '', slug = '', ...rest]: string[]): RecordIdentity | null {
  const kind = kindByFolder[folder] ?? feedKinds.find((one) => one === folder);
  if (kind === undefined || slug === '') return null;
  if (kind === 'festival' && rest[0] === 'editions' && rest[1]) return names.edition(slug, rest[1]);
  if (kind === 'edition' && rest[0]) return names.edition(slug, rest.join('/'));
  return rest.length === 0 ? names.bySlug(kind, slug) : null;
}
