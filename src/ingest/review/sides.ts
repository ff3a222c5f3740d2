/** One record of a doubtful pair as an editor compares it, and what a merge of the two would give. */

import type { FeedKind } from '../../contract/feed.ts';
import type { MergeForecast, RecordSummary, ReviewSide } from '../../contract/review-items.ts';
import { type ContentMembers, parseMembers } from '../../store/resolution/record-content.ts';
import { parseStatement, type SourceStatementRow } from '../../store/resolution/source-records.ts';
import { titleOwner } from '../records/event-titles.ts';
import { type SourceRecord, sortByTrust, toSourceRecord } from '../records/survivorship.ts';

/** A record as the API shows it. */
export type ShownRecord = Record<string, unknown>;

/** Describes a record from its shown form and its source records. */
export function toSide(
  summary: RecordSummary,
  record: ShownRecord,
  statements: readonly SourceStatementRow[],
  counts: Record<string, number>,
): ReviewSide {
  const venue = record.venue as
    | { name?: string | null; city?: string | null; country?: string | null }
    | undefined;
  const location = record.location as { address?: string | null } | undefined;
  return {
    ...summary,
    start_at: text(record.start_at),
    end_at: text(record.end_at),
    status: text(record.status),
    venue: text(venue?.name) ?? text(location?.address),
    city: text(venue?.city) ?? text((record.city as { name?: string } | null)?.name ?? record.city),
    country: text(venue?.country) ?? text(record.country),
    lineup: names(record.lineup),
    genres: names(record.genres),
    aliases: (record.aliases as string[] | undefined) ?? [],
    links: [
      ...[text(record.website)].filter((url) => url !== null),
      ...((record.links as { url: string }[] | undefined) ?? []).map(({ url }) => url),
    ].filter((url, at, all) => all.indexOf(url) === at),
    external_ids: Object.entries((record.external_ids as Record<string, string | null> | undefined) ?? {})
      .filter(([, id]) => id !== null)
      .map(([service, id]) => `${service}:${id}`),
    counts,
    sources: statements.map(({ source_name, external_id, withdrawn_ts, content }) => {
      const statement = parseMembers(content);
      return {
        source: source_name,
        external_id,
        name: statement.name ?? null,
        url: statement.url ?? statement.website ?? null,
        withdrawn: withdrawn_ts !== null,
      };
    }),
  };
}

/** Tells what a merge of `b` into `a` would give, without merging. */
export function forecastMerge(
  a: ReviewSide,
  b: ReviewSide,
  statements: readonly SourceStatementRow[],
): MergeForecast {
  const owner = nameOwner(a.kind as FeedKind, statements.filter(isCurrent(statements)));
  return {
    stays: toSummary(a),
    merged: toSummary(b),
    name: (owner?.statement as ContentMembers | undefined)?.name ?? a.name,
    name_from: owner?.sourceName ?? null,
    conflicts: findConflicts(a, b),
  };
}

/** The source record that provides the name of a record; undefined if none states one. */
function nameOwner(kind: FeedKind, rows: readonly SourceStatementRow[]): SourceRecord<FeedKind> | undefined {
  const namedRecords = sortByTrust(rows.map((row) => toSourceRecord(parseStatement(row)))).filter(
    ({ statement }) => typeof (statement as ContentMembers).name === 'string',
  );
  return kind === 'event' && namedRecords.length > 0
    ? titleOwner(namedRecords as SourceRecord<'event'>[])
    : namedRecords[0];
}

const toSummary = ({ id, kind, slug, name }: RecordSummary): RecordSummary => ({ id, kind, slug, name });

/** Withdrawn source records count only if there are no others. */
const isCurrent = (all: readonly SourceStatementRow[]): ((row: SourceStatementRow) => boolean) =>
  all.some(({ withdrawn_ts }) => withdrawn_ts === null)
    ? ({ withdrawn_ts }) => withdrawn_ts === null
    : () => true;

const compared: Partial<Record<FeedKind, readonly ('date' | 'venue' | 'city' | 'country')[]>> = {
  event: ['date', 'venue', 'city'],
  venue: ['city', 'country'],
  artist: ['country'],
  label: ['country'],
  festival: ['city', 'country'],
};

function findConflicts(a: ReviewSide, b: ReviewSide): MergeForecast['conflicts'] {
  const textOf = (side: ReviewSide, what: 'date' | 'venue' | 'city' | 'country') =>
    what === 'date' ? (side.start_at?.slice(0, 10) ?? null) : side[what];
  return (compared[a.kind] ?? []).flatMap((what) => {
    const [stays, merged] = [textOf(a, what), textOf(b, what)];
    return stays === null || merged === null || stays === merged ? [] : [{ what, stays, merged }];
  });
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const names = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((entry: { name: string }) => entry.name) : [];
