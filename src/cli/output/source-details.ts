/** Shows one source with its rules, its runs, and records of previews and reviews. */
import type {
  HeldRecord,
  RulesPreview,
  RulesSummary,
  SourceDetails,
  SourceRunSummary,
} from '../../contract/source-summaries.ts';
import { plural } from '../../plural.ts';
import { describeClosedVenues } from './closed-venues.ts';
import { formatMinute } from './import-report.ts';
import { formatFields, formatTable } from './terminal.ts';

/** Returns everything about a source. */
export function describeSource(source: SourceDetails): string {
  const { contribution, held } = source;
  const about = contribution.is_complete ? '' : 'of the first ';
  const fields: [string, string | number | null][] = [
    ['name', source.name],
    ['type', source.type],
    ['state', stateOf(source)],
    ['url', source.url],
    ['every', source.every],
    ['trust', source.trust],
    ['clock', source.clock],
    ['complete', source.complete ? 'yes' : 'no'],
    [
      'options',
      Object.entries(source.options)
        .map((pair) => pair.join('='))
        .join(', ') || null,
    ],
    ...ruleFields(source.rules),
    ['records', source.records],
    ['usually listed', source.usual_records],
    [
      'only here',
      `${contribution.only} ${about}${about === '' ? `of ${contribution.records}` : contribution.records}`,
    ],
    ['held', held.waiting + held.rejected === 0 ? null : `${held.waiting} wait, ${held.rejected} rejected`],
    ['last success', formatMinute(source.last_success_at)],
    ['next run', formatMinute(source.next_run_at)],
    ['last error', source.last_error],
  ];
  const details = formatFields(fields.filter(([, value]) => value !== null));
  const closedVenues = describeClosedVenues(source.closed_venues).join('\n');
  const runs = source.runs.length === 0 ? '' : formatRuns(source.runs);
  return [details, closedVenues, runs].filter((part) => part !== '').join('\n\n');
}

function stateOf({ scheduled, paused_at, failures, last_success_at }: SourceDetails): string {
  if (!scheduled) return 'not scheduled';
  if (paused_at !== null) return `paused since ${formatMinute(paused_at)}`;
  if (failures > 0) return failures === 1 ? 'failed' : `failed ${failures} times`;
  return last_success_at === null ? 'not read yet' : 'ok';
}

/** The rules that are set. */
function ruleFields(rules: RulesSummary): [string, string | null][] {
  const list = (texts: readonly string[]) => (texts.length === 0 ? null : texts.join(', '));
  return [
    ['include', list(rules.include)],
    ['exclude', list(rules.exclude)],
    ['default city', rules.default_city],
    ['default country', rules.default_country],
    ['default timezone', rules.default_timezone],
    ['default genres', list(rules.default_genres)],
    ['hold', rules.hold ? 'new records wait for approval' : null],
    ['license', rules.license],
    ['attribution', list([rules.attribution, rules.attribution_url].filter((text) => text !== null))],
    ['max age', rules.max_age],
    ['keep past', rules.keep_past ? 'yes' : null],
    ['on missing', rules.on_missing],
  ];
}

/** Returns runs as a table. */
export const formatRuns = (runs: readonly SourceRunSummary[]): string =>
  formatTable(
    ['STARTED (UTC)', 'OUTCOME', 'RECORDS', 'REJECTED', 'SKIPPED', 'ERROR'],
    runs.map((run) => [
      formatMinute(run.started_at),
      run.outcome,
      run.records,
      run.rejected,
      run.skipped,
      run.error,
    ]),
  );

/** Returns what rules keep and drop, with the first records of each side. */
export function describePreviewedRecords(preview: RulesPreview): string {
  const { records, other_records, kept_count, dropped_count, kept, dropped } = preview;
  const row = (record: RulesPreview['kept'][number]) => [
    record.external_id,
    record.kind,
    record.start_at,
    record.name,
    record.venue,
    record.city,
  ];
  const titles = ['ID', 'KIND', 'START', 'NAME', 'VENUE', 'CITY'];
  const table = (title: string, count: number, rows: string) =>
    rows === '' ? [] : [`${title} ${count.toLocaleString('en')}:`, rows];
  const other =
    other_records === 0 ? '' : `, and ${plural(other_records, 'other record')} that patterns never drop`;
  return [
    ...table('kept', kept_count, kept.length === 0 ? '' : formatTable(titles, kept.map(row))),
    ...table(
      'dropped',
      dropped_count,
      dropped.length === 0
        ? ''
        : formatTable(
            [...titles, 'WHY'],
            dropped.map((one) => [...row(one), one.reason]),
          ),
    ),
    `${plural(records, 'listing')}: ${kept_count} kept, ${dropped_count} dropped${other}`,
  ].join('\n');
}

/** Returns held records as a table. */
export const formatHeld = (records: readonly HeldRecord[]): string =>
  formatTable(
    ['ID', 'KIND', 'START', 'NAME', 'VENUE', 'CITY'],
    records.map(({ external_id, kind, start_at, name, venue, city }) => [
      external_id,
      kind,
      start_at,
      name,
      venue,
      city,
    ]),
  );
