/** /admin/records/ID: one record, its fields with their owners, its sources, what an editor can do, and its history. */
import type { VNode } from 'preact';
import { ButtonLink, CsrfField, DateTime, EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { ActionForm, TextInput } from '../inputs.tsx';
import { DoneNotice, publicPath } from '../parts.tsx';
import { FieldForm } from './fields.tsx';
import type { HistoryEntry, RecordSummary, ShownRecord, Statement } from './types.ts';
import { toShortText } from './values.ts';

const doneTexts: Record<string, string> = {
  saved: 'Saved. Your values stand above every source until you reset them.',
  unchanged: 'Nothing was changed.',
  reset: 'Reset. The sources decide again.',
  hide: 'Hidden. It is gone from lists, search, pages, agents, exports and counts.',
  delete: 'Deleted. Later imports do not bring it back.',
  unhide: 'Shown again.',
  restore: 'Restored.',
  merge: 'Merged. The other record leads here.',
  split: 'Split.',
  undo: 'Undone.',
  added: 'Added.',
};

/** Returns the record that the path names: an id, or `kind~slug`. */
export const recordOf = (visit: StaffRequest): string => (visit.ids[0] ?? '').replace('~', '/');

export async function showRecordPage(visit: StaffRequest): Promise<void> {
  const shown = await runAction<ShownRecord>(visit, 'record.show', { record: recordOf(visit) });
  const { record, removed } = shown;
  const children = (
    <>
      <p class="label">{record.kind}</p>
      <h1>
        <bdi>{record.name || record.slug}</bdi>
      </h1>
      <DoneNotice query={visit.query} texts={doneTexts} />
      {removed === null ? (
        <Address visit={visit} record={record} />
      ) : (
        <RemovedNotice visit={visit} shown={shown} />
      )}
      {removed === null && (
        <>
          <Section mark="A1" title="Fields" id="fields">
            <FieldForm visit={visit} shown={shown} />
          </Section>
          <Section mark="A2" title="Sources" id="sources">
            <Statements statements={shown.explanation?.statements ?? []} />
          </Section>
          <Section mark="B1" title="Hide or delete" id="remove">
            <RemoveForm visit={visit} record={record} />
          </Section>
          {!['edition', 'episode'].includes(record.kind) && (
            <Section mark="B2" title="Merge and split" id="merge">
              <MergeForm visit={visit} shown={shown} />
            </Section>
          )}
          {record.kind === 'artist' && (
            <Section mark="B3" title="Privacy request" id="forget">
              <p>Erase for good what is known of the artist, if the artist asks for it.</p>
              <div>
                <ButtonLink look="quiet" href={visit.path(`/admin/records/${record.id}/forget`)}>
                  Forget …
                </ButtonLink>
              </div>
            </Section>
          )}
        </>
      )}
      <Section mark="C1" title="History" id="history">
        <History visit={visit} record={record} entries={shown.history} />
      </Section>
    </>
  );
  visit.render(200, { title: record.name || record.slug, section: '/admin/records', children });
}

function Address({ visit, record }: { visit: StaffRequest; record: RecordSummary }): VNode {
  const path = publicPath(record.kind, record.slug);
  return (
    <p class="lead">
      <code>{record.id}</code>
      {path !== null && (
        <>
          {' · '}
          <a href={visit.deps.baseUrl + path}>public page</a>
        </>
      )}
    </p>
  );
}

const recordPath = (visit: StaffRequest, id: string): string => visit.path(`/admin/records/${id}`);

function RemovedNotice({ visit, shown }: { visit: StaffRequest; shown: ShownRecord }): VNode {
  const { state, reason, removed_by, removed_at, id } = shown.removed as NonNullable<ShownRecord['removed']>;
  const verb = state === 'hidden' ? 'unhide' : 'restore';
  return (
    <div class="actions-below flow">
      <div class="notice bad" role="status">
        {`This record is ${state}, by ${removed_by.replace(/^\w+:/, '')} on ${removed_at.slice(0, 10)}. `}
        {reason !== null && <>Reason: {reason}</>}
      </div>
      {state !== 'forgotten' && (
        <ActionForm
          action={recordPath(visit, id)}
          csrf={visit.session.csrf}
          fields={{ do: verb }}
          label={state === 'hidden' ? 'Show it again' : 'Restore it'}
        />
      )}
    </div>
  );
}

function Statements({ statements }: { statements: readonly Statement[] }): VNode {
  if (statements.length === 0)
    return <EmptyState>No source describes this record. Others mention it by its name.</EmptyState>;
  return (
    <ul class="rows">
      {statements.map(({ source, external_id, name, start_at, place, url, withdrawn }) => (
        <li key={`${source}:${external_id}`}>
          <div class="what">
            <strong>
              <bdi>{source}</bdi>
            </strong>{' '}
            <code>{external_id}</code> {withdrawn && <span class="tag soft">no longer listed</span>}
            <div class="small soft">
              <bdi>{[name, start_at, place].filter((part) => part !== null).join(' · ')}</bdi>
              {url !== null && /^https?:/i.test(url) && (
                <>
                  {' · '}
                  <a href={url} rel="noreferrer nofollow">
                    page
                  </a>
                </>
              )}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

function RemoveForm({ visit, record }: { visit: StaffRequest; record: RecordSummary }): VNode {
  return (
    <form class="stack" method="post" action={recordPath(visit, record.id)}>
      <CsrfField token={visit.session.csrf} />
      <TextInput name="reason" label="Reason" hint="For the history; may be empty" maxLength={500} />
      <div class="inline">
        <button type="submit" class="quiet" name="do" value="hide">
          Hide
        </button>
        <button type="submit" class="danger" name="do" value="delete">
          Delete
        </button>
      </div>
      <p class="small soft">
        Both take it out of everything that visitors and programs see, and later imports do not bring it back.
        Both can be undone here.
      </p>
    </form>
  );
}

function MergeForm({ visit, shown }: { visit: StaffRequest; shown: ShownRecord }): VNode {
  const { record, explanation } = shown;
  const near = (explanation?.near ?? []).slice(0, 5);
  const parts = explanation?.statements ?? [];
  return (
    <div class="flow">
      <form class="line" method="get" action={visit.path(`/admin/records/${record.id}/confirm`)}>
        <input type="hidden" name="do" value="merge" />
        <TextInput
          name="other"
          label="Merge another record into this one"
          hint={`Its id, or ${record.kind}/slug, or the address of its page`}
          required
        />
        <button type="submit" class="quiet">
          Continue
        </button>
      </form>
      {near.length > 0 && (
        <p class="small">
          Similar:{' '}
          {near.map((one, at) => (
            <span key={one.record.id}>
              {at > 0 && ', '}
              <a href={visit.path(`/admin/records/${one.record.id}`)}>
                <bdi>{one.record.name}</bdi>
              </a>{' '}
              <code>{one.record.id}</code>
            </span>
          ))}
        </p>
      )}
      {parts.length > 1 && (
        <form class="stack" method="post" action={recordPath(visit, record.id)}>
          <CsrfField token={visit.session.csrf} />
          <fieldset class="field">
            <legend>Split: these source records become a record of their own</legend>
            {parts.map(({ source, external_id, name }) => (
              <label class="check" key={`${source}:${external_id}`}>
                <input type="checkbox" name="part" value={`${source}:${external_id}`} />
                <span>
                  <bdi>{`${source}: ${name ?? external_id}`}</bdi>
                </span>
              </label>
            ))}
          </fieldset>
          <div>
            <button type="submit" class="quiet" name="do" value="split">
              Split
            </button>
          </div>
        </form>
      )}
    </div>
  );
}

const actionTexts: Record<string, string> = {
  'record.edit': 'edited',
  'record.reset': 'reset',
  'record.add': 'added',
  'record.forget': 'forgotten',
  'record.hide': 'hidden',
  'record.delete': 'deleted',
  'record.restore': 'restored',
  'record.merge': 'merged',
  'record.never-merge': 'kept separate',
  'record.split': 'split',
  'record.undo': 'undone',
  'review.later': 'put off in the review',
};
/** Entries that cannot be undone: an undo itself, and what was forgotten. */
const finalActions = new Set(['record.undo', 'record.forget']);

function History(props: {
  visit: StaffRequest;
  record: RecordSummary;
  entries: readonly HistoryEntry[];
}): VNode {
  const { visit, record, entries } = props;
  if (entries.length === 0) return <EmptyState>No changes are recorded.</EmptyState>;
  return (
    <ul class="rows">
      {entries.map((entry, at) => (
        <li key={entry.id ?? `change-${at}`} class={entry.undone_by === null ? undefined : 'past'}>
          <div class="what">
            <strong>{actionTexts[entry.action] ?? entry.action}</strong>
            {(entry.fields ?? []).length > 0 && `: ${(entry.fields ?? []).join(', ')}`}
            <div class="small soft">
              <Origin entry={entry} />
              {entry.undone_by !== null && ' · undone'}
            </div>
            <Values entry={entry} />
          </div>
          {entry.id !== null && entry.undone_by === null && !finalActions.has(entry.action) && (
            <ActionForm
              action={recordPath(visit, record.id)}
              csrf={visit.session.csrf}
              fields={{ do: 'undo', entry: String(entry.id) }}
              label="Undo"
              look="quiet"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Origin({ entry }: { entry: HistoryEntry }): VNode {
  return (
    <>
      {entry.actor === null
        ? 'by an import'
        : entry.actor.replace(/^account:/, '').replace(/^terminal:(.*)$/, '$1, in the terminal')}
      {entry.at !== null && (
        <>
          {' · '}
          <DateTime at={Date.parse(entry.at)} time />
        </>
      )}
      {entry.at === null && entry.revision != null && ` · revision ${entry.revision}`}
    </>
  );
}

function Values({ entry }: { entry: HistoryEntry }): VNode | null {
  const { before = {}, after = {} } = entry;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) return null;
  return (
    <ul class="small">
      {names.map((name) => (
        <li key={name}>
          {name}: <bdi>{toShortText(before[name])}</bdi> → <bdi>{toShortText(after[name])}</bdi>
        </li>
      ))}
    </ul>
  );
}
