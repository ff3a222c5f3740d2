/** Shows what an address was recognized as: its next events, what they match, and what was tried before. */
import type { RecognizedResult } from '../commands/add-address.ts';
import { formatTable, plural } from './terminal.ts';

/** Records that are shown; --json has more. */
const maxShown = 5;

/** Describes what was found, with its next records as they would appear. */
export function describeRecognized(result: RecognizedResult): string {
  const { found, preview, tried, requests } = result;
  if (found === null || preview === null) return '';
  const count = preview.records + preview.other_records;
  const size = `${plural(count, 'record')}${preview.is_complete ? '' : ' at its beginning'}`;
  return [
    `${preview.url} is ${found.label} (type ${found.type}${optionText(found.options)}): ${size}, ${plural(requests, 'request')}`,
    ...tried.map(({ what, outcome }) => `tried before: ${what}: ${outcome}`),
    '',
    recordTable(result),
    '',
    ...summaryLines(result),
  ].join('\n');
}

const optionText = (options: readonly string[]): string => options.map((option) => `, ${option}`).join('');

/** The next events, or the first records of another kind. */
function recordTable(result: RecognizedResult): string {
  const { preview, changes, matches } = result;
  const listings = preview?.kept ?? [];
  const shown = listings.toSorted(compareStarts).slice(0, maxShown);
  if (shown.length > 0) {
    const rows = shown.map((listing) => {
      const match = matches.find(
        ({ kind, external_id }) => kind === listing.kind && external_id === listing.external_id,
      );
      const start = listing.start_at?.slice(0, 16).replace('T', ' ') ?? null;
      return [start, listing.name, listing.venue, listing.city, match?.slug ?? 'new'];
    });
    return formatTable(['START', 'NAME', 'VENUE', 'CITY', 'MATCHES'], rows);
  }
  const other = changes
    .slice(0, maxShown)
    .map(({ what, kind, name }) => [kind, name, what === 'created' ? 'new' : what]);
  return formatTable(['KIND', 'NAME', 'WOULD BE'], other);
}

const compareStarts = (a: { start_at: string | null }, b: { start_at: string | null }): number =>
  (a.start_at ?? '9').localeCompare(b.start_at ?? '9');

/** What of the records the catalogue has, what was rejected, and what the source does not state. */
function summaryLines({ found, preview, matches }: RecognizedResult): string[] {
  if (found === null || preview === null) return [];
  const counts = new Map<string, number>();
  for (const { kind } of matches) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const known = [...counts].map(([kind, count]) => plural(count, kind, pluralOf(kind))).join(', ');
  const withoutCity = preview.kept.filter(({ city }) => city === null).length;
  const [rejected] = preview.rejected;
  return [
    known === '' ? 'The catalogue has none of these records yet.' : `The catalogue has already: ${known}.`,
    ...(rejected === undefined
      ? []
      : [
          `${plural(preview.rejected_count, 'record')} rejected, such as ${rejected.where}: ${rejected.reason}`,
        ]),
    ...(withoutCity === 0
      ? []
      : [
          `${plural(withoutCity, 'event')} without a city: add --option city=CITY country=CODE${found.type === 'jsonld' || found.type === 'ical' ? ' venue=NAME' : ''}.`,
        ]),
    ...(found.license === null ? [] : [`Licence of the records: ${found.license} (${found.attribution}).`]),
    ...(preview.stopped === null ? [] : ['The source lists more. This preview read only its beginning.']),
  ];
}

const pluralOf = (kind: string): string => (kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`);

/** Says what was tried at an address without a result, and what else to try. */
export function describeNotFound(url: string, tried: RecognizedResult['tried']): string {
  return [
    `${url} lists no events that can be read.`,
    ...tried.map(({ what, url: where, outcome }) => `  tried ${what} (${where}): ${outcome}`),
    'Try the page of its programme, the address behind "Add to calendar" or "Subscribe", or the page of one event.',
    'If you know the format, name it with --type. Without a readable source, write the events into a file: see `cratebase import --help`.',
  ].join('\n');
}
