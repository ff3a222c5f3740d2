/** The history of a record: who changed what and when, with an undo. */
import type { VNode } from 'preact';
import type { RecordSummary } from '../../contract/review-items.ts';
import { DateTime, EmptyState } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { ActionForm } from '../parts.tsx';
import { labelOf } from './fields.tsx';
import type { HistoryEntry } from './types.ts';
import { toShortText } from './values.ts';

/** Entries that cannot be undone: an undo itself, and what was forgotten. */
const finalActions = new Set(['record.undo', 'record.forget']);

/** The entries of a history, newest first. */
export function History(props: {
  visit: StaffRequest;
  record: RecordSummary;
  entries: readonly HistoryEntry[];
}): VNode {
  const { visit, record, entries } = props;
  const { consoleEdit } = visit.messages;
  const words = consoleEdit.record;
  if (entries.length === 0) return <EmptyState>{words.noHistory}</EmptyState>;
  return (
    <ul class="rows">
      {entries.map((entry, at) => (
        <li key={entry.id ?? `change-${at}`} class={entry.undone_by === null ? undefined : 'past'}>
          <div class="what">
            <strong>{consoleEdit.history[entry.action] ?? entry.action}</strong>
            {(entry.fields ?? []).length > 0 &&
              `: ${(entry.fields ?? []).map((name) => labelOf(visit.messages, name)).join(', ')}`}
            <div class="small soft">
              <Origin visit={visit} entry={entry} />
              {entry.undone_by !== null && words.undone}
            </div>
            <Values visit={visit} entry={entry} />
          </div>
          {entry.id !== null && entry.undone_by === null && !finalActions.has(entry.action) && (
            <ActionForm
              visit={visit}
              action={`/admin/records/${record.id}`}
              fields={{ do: 'undo', entry: String(entry.id) }}
              label={words.undo}
              look="quiet"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

type EntryProps = { visit: StaffRequest; entry: HistoryEntry };

function Origin({ visit, entry }: EntryProps): VNode {
  const words = visit.messages.consoleEdit.record;
  return (
    <>
      {entry.actor === null
        ? words.byImport
        : entry.actor.startsWith('terminal:')
          ? words.inTerminal(entry.actor.slice('terminal:'.length))
          : entry.actor.replace(/^account:/, '')}
      {entry.at !== null && (
        <>
          {' · '}
          <DateTime at={Date.parse(entry.at)} time />
        </>
      )}
      {entry.at === null && entry.revision != null && words.revision(entry.revision)}
    </>
  );
}

function Values({ visit, entry }: EntryProps): VNode | null {
  const { none } = visit.messages.consoleEdit.form;
  const { before = {}, after = {} } = entry;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) return null;
  return (
    <ul class="small">
      {names.map((name) => (
        <li key={name}>
          {labelOf(visit.messages, name)}: <bdi>{toShortText(before[name], none)}</bdi> →{' '}
          <bdi>{toShortText(after[name], none)}</bdi>
        </li>
      ))}
    </ul>
  );
}
