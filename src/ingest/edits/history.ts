/** The history of a record: what people did with it, and how it changed, in one list. */
import type Database from 'better-sqlite3';
import { formatUtc } from '../../clock.ts';
import { type AuditEntry, AuditLog } from '../../store/audit-log.ts';
import { type Change, ChangeLog } from '../../store/records/change-log.ts';
import { CreationTimes } from '../../store/records/creation-times.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import { MergeStore } from '../../store/resolution/merge-store.ts';
import { correctionActions } from '../corrections/correction-log.ts';

/** What a person did (with `id`, for an undo), or a change that an import made (without). */
export type HistoryEntry = {
  id: number | null;
  /** Null for changes by imports: the change log has revisions only. */
  at: string | null;
  revision: number | null;
  actor: string | null;
  /** `record.edit`, `record.merge` …; of an import `created`, `updated`, `cancelled`, `withdrawn`, `merged` … */
  action: string;
  /** The fields that changed. */
  fields: string[];
  /** The values of the fields before and after; empty for a change by an import. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string | null;
  details: Record<string, unknown>;
  undone_by: number | null;
};

/** The latest entries of a record and of the records that were merged into it, newest first. */
export function readHistory(
  sqlite: Database.Database,
  record: RecordIdentity,
  limit: number,
): HistoryEntry[] {
  const ids = [record.id, ...new MergeStore(sqlite).mergedInto(record.id).map(({ id }) => id)];
  const audited = auditEntries(sqlite, record, [...new Set(ids)], limit).map(toHistory);
  // A record that left another one continues its former id, which has its slug.
  const log = new ChangeLog(sqlite)
    .forRecord(record.id)
    .filter(({ what, slug }) => what !== 'merged' || slug !== record.slug);
  fillRevisions(audited, log);
  const revisions = new Set(audited.flatMap(({ id, revision }) => (id === null ? [] : [revision])));
  const changes = log
    // A person's change is in the audit log with its values.
    .filter(({ revision, what }) => what === 'created' || !revisions.has(revision))
    .map(
      ({ revision, what, fields, slug }): HistoryEntry => ({
        id: null,
        at: null,
        revision,
        actor: null,
        action: what,
        fields,
        before: {},
        after: {},
        reason: null,
        details: slug === null ? {} : { slug },
        undone_by: null,
      }),
    );
  const all = [...audited, ...changes.reverse()];
  return all
    .map((entry, at) => ({ entry, at }))
    .sort(
      (a, b) =>
        (b.entry.revision ?? 0) - (a.entry.revision ?? 0) ||
        // A record is created before anything else happens to it, also in one revision.
        Number(a.entry.action === 'created') - Number(b.entry.action === 'created') ||
        a.at - b.at,
    )
    .slice(0, limit)
    .map(({ entry }) => entry);
}

/** The entries about these records, and about others that concern this one, newest first. */
function auditEntries(
  sqlite: Database.Database,
  record: RecordIdentity,
  ids: readonly number[],
  limit: number,
): AuditEntry[] {
  const log = new AuditLog(sqlite);
  const own = ids.flatMap((recordId) => log.list({ recordId, limit }));
  const id = publicId(record.kind, record.id);
  const decided = log
    .list({ action: 'record.never-merge', subjectKind: record.kind, limit: 1_000 })
    .filter(({ details }) => (details.other as { id?: string } | undefined)?.id === id);
  const entries = new Map(
    [...own, ...decided, ...originOf(log, sqlite, record)].map((entry) => [entry.id, entry]),
  );
  return [...entries.values()].sort((a, b) => b.id - a.id).slice(0, limit);
}

/** How a record left another one: the split, or the undone merge with its undo. Empty for other records. */
function originOf(log: AuditLog, sqlite: Database.Database, record: RecordIdentity): AuditEntry[] {
  const createdTs = new CreationTimes(sqlite).of(record.id);
  if (createdTs === null) return [];
  const id = publicId(record.kind, record.id);
  return log
    .between(record.kind, createdTs, createdTs + maxCorrectionMs)
    .filter(({ action, details }) => originActions.has(action) && isPart(details.parts, id))
    .flatMap((entry) => {
      const undone = typeof entry.details.undone === 'number' ? log.find(entry.details.undone) : undefined;
      return undone === undefined ? [entry] : [entry, undone];
    });
}

const originActions: ReadonlySet<string> = new Set([correctionActions.split, correctionActions.undo]);
/** A correction writes its entry at most this long after the records that it made. */
const maxCorrectionMs = 60_000;

const isPart = (parts: unknown, id: string): boolean =>
  Array.isArray(parts) && parts.some((part: { id?: string }) => part.id === id);

function toHistory({ id, createdTs, actor, action, details, undoneBy }: AuditEntry): HistoryEntry {
  const { before, after, reason, revision, edits_before, edits_after, ...rest } = details as {
    before?: Record<string, unknown>;
    after?: Record<string, unknown>;
    reason?: string;
    revision?: number;
  } & Record<string, unknown>;
  const isByField = edits_after !== undefined;
  return {
    id,
    at: formatUtc(createdTs),
    revision: typeof revision === 'number' ? revision : null,
    actor,
    action,
    fields: isByField ? Object.keys(after ?? {}) : [],
    before: isByField ? (before ?? {}) : {},
    after: isByField ? (after ?? {}) : {},
    reason: typeof reason === 'string' ? reason : null,
    details: rest,
    undone_by: undoneBy,
  };
}

/**
 * Places entries without a revision: a merge at its row of the change log, others directly after the entry before them.
 * @param entries newest first
 */
function fillRevisions(entries: HistoryEntry[], log: readonly Change[]): void {
  const merges = log.filter(({ what }) => what === 'merged');
  let last = log.find(({ what }) => what === 'created')?.revision ?? 0;
  for (const entry of entries.toReversed()) {
    const { slug } = (entry.details.other ?? {}) as { slug?: string };
    const at =
      entry.action === 'record.merge' && entry.revision === null
        ? merges.findIndex((change) => change.slug === slug && change.revision >= last)
        : -1;
    entry.revision ??= at < 0 ? last : (merges.splice(at, 1)[0]?.revision ?? last);
    last = Math.max(last, entry.revision);
  }
}
