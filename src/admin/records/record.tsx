/** /admin/records/ID: one record, its fields with their owners, its sources, what an editor can do, and its history. */

import type { VNode } from 'preact';
import type { StatementSummary } from '../../contract/record-details.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { BoldName, Button, EmptyState, QuietLink, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { formatDay, formatLocalTime } from '../format.ts';
import { ErrorSummary, FieldError, TextInput } from '../inputs.tsx';
import { ActionForm, DoneNotice, publicPath, StaffForm } from '../parts.tsx';
import { refusedStatus } from '../refusals.ts';
import { openedForm, type ShownForm } from './edit-form.ts';
import { FieldForm } from './fields.tsx';
import { History } from './history.tsx';
import type { ShownRecord } from './types.ts';

/** New records that are listed after a save. */
const maxCreated = 12;

/** Returns the record that the path names: an id, or `kind~slug`. */
export const recordOf = (visit: StaffRequest): string => (visit.ids[0] ?? '').replace('~', '/');

/**
 * Shows a record. @param form what was sent with a form of the page, and why it was refused; without an error, the form is
 * shown again with more rows
 */
export async function showRecordPage(visit: StaffRequest, form: ShownForm = openedForm): Promise<void> {
  const shown = await runAction<ShownRecord>(visit, 'record.show', { record: recordOf(visit) });
  const { record, removed } = shown;
  const { consoleEdit } = visit.messages;
  const words = consoleEdit.record;
  const isRefused = Object.keys(form.errors).length > 0;
  const children = (
    <>
      <p class="label">{consoleEdit.kinds[record.kind] ?? record.kind}</p>
      <h1>
        <bdi>{record.name || record.slug}</bdi>
      </h1>
      {form.values === null && <DoneNotice query={visit.query} texts={words.done} />}
      {form.values === null && <CreatedNotice visit={visit} created={shown.created} />}
      {shown.lacks_timezone && <p class="notice">{words.timezoneMissing}</p>}
      {isRefused && <ErrorSummary title={words.refused} errors={form.errors} />}
      {removed === null ? (
        <>
          <Address visit={visit} record={record} />
          <Forms visit={visit} shown={shown} form={form} />
        </>
      ) : (
        <RemovedNotice visit={visit} shown={shown} />
      )}
      <Section title={words.history} id="history">
        <History visit={visit} record={record} entries={shown.history} />
      </Section>
    </>
  );
  const title = record.name || record.slug;
  visit.render(isRefused ? refusedStatus : 200, {
    title,
    section: '/admin/records',
    children,
  });
}

type ShownProps = { visit: StaffRequest; shown: ShownRecord; form: ShownForm };

/** Everything that an editor can do with a record that is shown. */
function Forms({ visit, shown, form }: ShownProps): VNode {
  const { record } = shown;
  const words = visit.messages.consoleEdit.record;
  return (
    <>
      <Section title={words.fields} id="fields">
        <FieldForm visit={visit} shown={shown} form={form} />
      </Section>
      <Section title={words.sources} id="sources">
        <Statements visit={visit} statements={shown.explanation?.statements ?? []} />
      </Section>
      <Section title={words.remove} id="remove">
        <RemoveForm visit={visit} shown={shown} form={form} />
      </Section>
      {!['edition', 'episode'].includes(record.kind) && (
        <Section title={words.merge} id="merge">
          <MergeForm visit={visit} shown={shown} form={form} />
        </Section>
      )}
      {record.kind === 'artist' && (
        <Section title={words.privacy} id="forget">
          <p>{words.privacyText}</p>
          <div>
            <QuietLink href={visit.path(`/admin/records/${record.id}/forget`)}>{words.forget}</QuietLink>
          </div>
        </Section>
      )}
    </>
  );
}

/** After a save, the records that exist because it names them: among them are typing errors. */
function CreatedNotice({ visit, created }: { visit: StaffRequest; created: RecordSummary[] }): VNode | null {
  if (!['saved', 'added'].includes(visit.query.get('done') ?? '') || created.length === 0) return null;
  const { record: words, kinds } = visit.messages.consoleEdit;
  const names = created.slice(0, maxCreated);
  return (
    <div class="notice" role="status">
      <p>{words.created(created.length)}</p>
      <ul>
        {names.map(({ id, kind, name }) => (
          <li key={id}>
            <a href={visit.path(recordPath(id))}>{name}</a> · {kinds[kind] ?? kind}
          </li>
        ))}
        {created.length > maxCreated && <li>…</li>}
      </ul>
    </div>
  );
}

function Address({ visit, record }: { visit: StaffRequest; record: RecordSummary }): VNode {
  const path = publicPath(record.kind, record.slug);
  return (
    <p class="lead">
      <code>{record.id}</code>
      {path !== null && (
        <>
          {' · '}
          <a href={visit.deps.baseUrl + path}>{visit.messages.consoleEdit.record.publicPage}</a>
        </>
      )}
    </p>
  );
}

const recordPath = (id: string): string => `/admin/records/${id}`;

function RemovedNotice({ visit, shown }: { visit: StaffRequest; shown: ShownRecord }): VNode {
  const { state, reason, removed_by, removed_at, id } = shown.removed as NonNullable<ShownRecord['removed']>;
  const { record: words, states } = visit.messages.consoleEdit;
  const verb = state === 'hidden' ? 'unhide' : 'restore';
  return (
    <div class="actions-below flow">
      <div class="notice bad" role="status">
        {words.removed(states[state], removed_by.replace(/^\w+:/, ''), formatDay(visit.messages, removed_at))}
        {reason !== null && words.reasonIs + reason}
      </div>
      {state !== 'forgotten' && (
        <ActionForm
          visit={visit}
          action={recordPath(id)}
          fields={{ do: verb }}
          label={state === 'hidden' ? words.showAgain : words.restore}
        />
      )}
    </div>
  );
}

function Statements(props: { visit: StaffRequest; statements: readonly StatementSummary[] }): VNode {
  const { visit, statements } = props;
  const words = visit.messages.consoleEdit.record;
  if (statements.length === 0) return <EmptyState>{words.noSources}</EmptyState>;
  return (
    <ul class="rows">
      {statements.map(({ source, external_id, name, start_at, place, url, withdrawn }) => (
        <li key={`${source}:${external_id}`}>
          <div class="what">
            <BoldName>{source}</BoldName> <code>{external_id}</code>{' '}
            {withdrawn && <span class="tag soft">{words.unlisted}</span>}
            <div class="small soft">
              <bdi>
                {[name, start_at && formatLocalTime(visit.messages, start_at), place]
                  .filter((part) => part !== null)
                  .join(' · ')}
              </bdi>
              {url !== null && /^https?:/i.test(url) && (
                <>
                  {' · '}
                  <a href={url} rel="noreferrer nofollow">
                    {words.page}
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

function RemoveForm({ visit, shown, form }: ShownProps): VNode {
  const words = visit.messages.consoleEdit.record;
  return (
    <StaffForm visit={visit} action={recordPath(shown.record.id)} look="stack">
      <TextInput
        name="reason"
        label={words.reason}
        hint={words.reasonHint}
        value={form.values?.get('reason') ?? ''}
        error={form.errors.reason}
        maxLength={500}
      />
      <div class="inline">
        <button type="submit" class="quiet" name="do" value="hide">
          {words.hide}
        </button>
        <button type="submit" class="danger" name="do" value="delete">
          {words.delete}
        </button>
      </div>
      <p class="small soft">{words.removeText}</p>
    </StaffForm>
  );
}

function MergeForm({ visit, shown, form }: ShownProps): VNode {
  const { record, explanation } = shown;
  const words = visit.messages.consoleEdit.record;
  const near = (explanation?.near ?? []).slice(0, 5);
  const parts = explanation?.statements ?? [];
  return (
    <div class="flow">
      <form class="line" method="get" action={visit.path(`/admin/records/${record.id}/confirm`)}>
        <input type="hidden" name="do" value="merge" />
        <TextInput
          name="other"
          label={words.mergeOther}
          hint={<Filled text={words.mergeHint} parts={{ path: <code>{`${record.kind}/…`}</code> }} />}
          value={form.values?.get('other') ?? ''}
          error={form.errors.other}
          required
        />
        <Button look="quiet">{words.continue}</Button>
      </form>
      {near.length > 0 && (
        <p class="small">
          {words.similar}
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
      {parts.length > 1 && <SplitForm visit={visit} shown={shown} form={form} />}
    </div>
  );
}

function SplitForm({ visit, shown, form }: ShownProps): VNode {
  const words = visit.messages.consoleEdit.record;
  const error = form.errors.part;
  const selection = form.values?.getAll('part') ?? [];
  return (
    <StaffForm visit={visit} action={recordPath(shown.record.id)} look="stack">
      <fieldset class="field" id="field-part" tabindex={-1} aria-describedby={error && 'field-part-error'}>
        <legend>{words.splitTitle}</legend>
        {(shown.explanation?.statements ?? []).map(({ source, external_id, name }) => {
          const value = `${source}:${external_id}`;
          return (
            <label class="check" key={value}>
              <input type="checkbox" name="part" value={value} checked={selection.includes(value)} />
              <span>
                <bdi>{`${source}: ${name ?? external_id}`}</bdi>
              </span>
            </label>
          );
        })}
        <FieldError id="field-part" error={error} />
      </fieldset>
      <div>
        <button type="submit" class="quiet" name="do" value="split">
          {words.split}
        </button>
      </div>
    </StaffForm>
  );
}
