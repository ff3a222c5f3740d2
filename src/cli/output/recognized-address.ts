/** Shows what an address was recognized as: its next events, what they match, and what was tried before. */
import type { Attempt, RecognizedSource } from '../../app.ts';
import type { PreviewedEvents, ShorterLineup, SourcePreview } from '../../contract/source-summaries.ts';
import { plural } from '../../plural.ts';
import { shellQuote, singleQuote } from '../../shell-quote.ts';
import { countOfKind } from '../record-kinds.ts';
import type { DryRunPreview } from './import-report.ts';
import { formatTable } from './terminal.ts';

/** What kind of source an address is, its next events, and which of them the catalogue has already. */
export type RecognizedResult = DryRunPreview &
  PreviewedEvents & {
    shorter_lineups: ShorterLineup[];
    found: RecognizedSource | null;
    preview: SourcePreview | null;
    tried: Attempt[];
    requests: number;
  };

/** Records that are shown; --json has more. */
const maxShown = 5;

/** Describes what was found, with its next records as they would appear. */
export function describeRecognized(result: RecognizedResult): string {
  const { found, preview, tried, requests } = result;
  if (found === null || preview === null) return '';
  // The same words as in the console (pages/messages/console-sources-en.ts, counts).
  const other = preview.other_records === 0 ? '' : `, ${plural(preview.other_records, 'other record')}`;
  const size = `${listedKinds(preview)}${other}${preview.is_complete ? '' : ' so far'}`;
  return [
    `${preview.url} is ${found.label} (type ${found.type}${optionText(found.options)}): ${size}, ${plural(requests, 'request')}`,
    ...tried.map(({ what, outcome }) => `tried before: ${what}: ${outcome}`),
    '',
    ...(result.areOver ? [overLine(preview), ''] : []),
    ...(isEmpty(preview) ? [emptyLine(found)] : [recordTable(result), '']),
    ...summaryLines(result),
  ].join('\n');
}

/** Whether the source was read as a whole, and lists no record, not even a wrong one. */
const isEmpty = ({ kept_count, other_records, rejected_count, is_complete }: SourcePreview): boolean =>
  is_complete && kept_count + other_records + rejected_count === 0;

/** Says that there is nothing to show, and why. */
const emptyLine = ({ type, options }: { type: string; options: readonly string[] }): string =>
  type === 'musicbrainz' && !options.includes('genres=all')
    ? 'None of its records has a genre of electronic music. To take them all, add --option genres=all.'
    : 'It lists nothing now. Added, it is read regularly; what it lists later is imported then.';

/** Says that the events are over, and of which ones that is known. */
const overLine = (preview: SourcePreview): string =>
  preview.is_complete
    ? 'None of its events is to come. These were the latest:'
    : `The first ${plural(preview.kinds.event ?? preview.kept_count, 'event')} of this source ${preview.kinds.event === 1 ? 'is' : 'are'} over. The rest is read when the source is added. The latest of those read:`;

/** "12 events, 1 festival edition". */
function listedKinds({ kinds }: SourcePreview): string {
  const parts = Object.entries(kinds).map(([kind, count]) => plural(count, kindNames[kind] ?? kind));
  return parts.length === 0 ? plural(0, 'event') : parts.join(', ');
}

const kindNames: Readonly<Record<string, string>> = { edition: 'festival edition' };

const optionText = (options: readonly string[]): string => options.map((option) => `, ${option}`).join('');

/** The next events as they would appear and the festival editions, or the first records of another kind. */
function recordTable(result: RecognizedResult): string {
  const { records, changes } = result;
  const editions = editionTable(result);
  if (records.length > 0) {
    const rows = records.map(({ start_at, name, venue, city, artists, slug, is_known }) => {
      return [
        formatStart(start_at),
        name,
        venue,
        city,
        artists.join(', '),
        is_known ? `joins ${slug}` : 'new',
      ];
    });
    const events = formatTable(['START', 'NAME', 'VENUE', 'CITY', 'ARTISTS', 'MATCHES'], rows);
    return editions === '' ? events : `${editions}\n\n${events}`;
  }
  if (editions !== '') return editions;
  const other = changes
    .slice(0, maxShown)
    .map(({ what, kind, name }) => [kind, name, what === 'created' ? 'new' : what]);
  return formatTable(['KIND', 'NAME', 'WOULD BE'], other);
}

/** A start as the listings show it. Midnight in UTC is a date without a known time. */
const formatStart = (startAt: string): string =>
  startAt
    .replace(/T00:00:00Z$/, '')
    .slice(0, 16)
    .replace('T', ' ');

/** The festival editions with their days, acts and timed sets; empty without editions. */
function editionTable({ preview, matches }: RecognizedResult): string {
  const slugs = new Map(
    matches.flatMap((one) => (one.kind === 'edition' ? [[one.external_id, one.slug]] : [])),
  );
  const rows = (preview?.kept ?? [])
    .filter(({ kind }) => kind === 'edition')
    .slice(0, maxShown)
    .map(({ external_id, start_at, end_at, name, venue, city, acts, sets }) => [
      start_at?.slice(0, 10) ?? null,
      end_at?.slice(0, 10) ?? null,
      ...[name, venue, city, acts, sets],
      slugs.has(external_id) ? `joins ${slugs.get(external_id)}` : 'new',
    ]);
  if (rows.length === 0) return '';
  return formatTable(
    ['FIRST DAY', 'LAST DAY', 'FESTIVAL EDITION', 'VENUE', 'CITY', 'ACTS', 'TIMED SETS', 'MATCHES'],
    rows,
  );
}

/** The lines below the records: matches in the catalogue, rejected records, and missing values. */
function summaryLines(result: RecognizedResult): string[] {
  const { found, preview, matches } = result;
  if (found === null || preview === null) return [];
  const counts = new Map<string, number>();
  for (const { kind } of matches) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const matchText = [...counts].map(([kind, count]) => countOfKind(count, kind)).join(', ');
  const [rejected] = preview.rejected;
  return [
    ...(isEmpty(preview)
      ? []
      : [
          matchText === ''
            ? 'The catalogue has none of these records yet.'
            : `The catalogue has already: ${matchText}.`,
        ]),
    ...(rejected === undefined
      ? []
      : [
          `${plural(preview.rejected_count, 'record')} rejected, such as ${rejected.where}: ${rejected.reason}`,
        ]),
    ...placeLines(result, found, preview),
    ...lineupLines(result),
    ...(found.license === null ? [] : [`Licence of the records: ${found.license} (${found.attribution}).`]),
    ...(preview.stopped === null ? [] : ['The source lists more. This preview read only its beginning.']),
  ];
}

/** What to add if events state no city or no time zone. */
function placeLines(
  { without_city, without_zone }: RecognizedResult,
  { name, place_options }: RecognizedSource,
  preview: SourcePreview,
): string[] {
  const count = `${preview.is_complete ? '' : 'Of the events read, '}${plural(without_city, 'event')}`;
  const venue = place_options.includes('venue') ? ' venue=NAME' : '';
  const source = shellQuote(name);
  const city = place_options.includes('city')
    ? `add --option city=CITY country=CODE${venue}`
    : `after adding it, run \`cratebase sources set ${source} --default-city CITY --default-country CODE\``;
  const zone = place_options.includes('timezone')
    ? 'add --option timezone=AREA/CITY, such as Europe/Berlin'
    : `after adding it, run \`cratebase sources set ${source} --default-timezone AREA/CITY\``;
  return [
    ...(without_city === 0 ? [] : [`${count} without a city: ${city}.`]),
    ...(without_zone === 0
      ? []
      : [
          `${plural(without_zone, 'event')} with a clock time of an unknown time zone, so only the date is shown: ${without_city > 0 ? 'name the city as above, or ' : ''}${zone}.`,
        ]),
  ];
}

/** Names the events whose line-up the source would replace by a shorter one, and how to keep their acts. */
function lineupLines({ shorter_lineups: events }: RecognizedResult): string[] {
  const [first] = events;
  if (first === undefined) return [];
  const [act = ''] = first.missing;
  return [
    `${plural(events.length, 'event')} would lose acts: the line-up that this source states replaces the one read from a description or title.`,
    ...events.slice(0, maxShown).map(({ name, date, missing }) => `  ${date} ${name}: ${missing.join(', ')}`),
    ...(events.length > maxShown ? [`  … and ${events.length - maxShown} more (see --json)`] : []),
    `To keep an act whatever sources state, add it: cratebase edit event/${first.slug} ${singleQuote(`artist+=${act}`)}`,
  ];
}

/** Says what was tried at an address without a result. */
export const describeTried = (url: string, tried: RecognizedResult['tried']): string =>
  [
    `${url} lists no events that can be read.`,
    ...tried.map(({ what, url: where, outcome }) => `  ${what} (${where}): ${outcome}`),
  ].join('\n');

/** What else to try. */
export const notFoundAdvice =
  'Nothing was added. Try the page of the programme, the address behind "Subscribe" or "Add to calendar", or the page of one event. If the page links to pages of events, add --type jsonld: it reads each of them, or with --option match=/TEXT/ those with this text in their address. If you know another format, name it with --type. Without a readable source, write the events into a table: see `cratebase import --help`.';
