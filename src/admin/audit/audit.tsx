/** /admin/audit: who changed what and when, with an undo where it is possible. */
import type { VNode } from 'preact';
import { toActor } from '../../contract/roles.ts';
import { accountSubjects, undoableActions } from '../../contract/undo.ts';
import { Failure } from '../../failure.ts';
import { Button, DateTime, EmptyState } from '../../pages/parts.tsx';
import { SelectField } from '../../pages/select-field.tsx';
import type { AuditEntry } from '../../store/audit-log.ts';
import { actorOf, runAction, type StaffRequest } from '../admin-request.ts';
import { ErrorSummary, TextInput } from '../inputs.tsx';
import { DoneNotice, StaffForm, withQuery } from '../parts.tsx';
import { refusedForm, refusedStatus } from '../refusals.ts';
import type { AdminRoute } from '../route.ts';
import { describeAction, describeChanges, type ShownChange, subjectPath } from './describe.ts';

const path = '/admin/audit';
const pageSize = 50;
/** Entries about these are for operators only. */
const operatorKinds: readonly string[] = [...accountSubjects, 'setting'];

export const auditRoutes: readonly AdminRoute[] = [
  { method: 'GET', path, role: 'editor', handle: showAudit },
  { method: 'POST', path: '/admin/audit/*/undo', role: 'editor', handle: undo },
];

/** The beginnings of actions that the filter offers. */
const subjects = ['', 'record.', 'review.', 'source.', 'account.', 'key.', 'plan.', 'setting.'] as const;

type Filter = { action: string; actor: string; subject: string; before: number | null };

function readFilter({ query }: StaffRequest): Filter {
  const before = Number.parseInt(query.get('before') ?? '', 10);
  return {
    action: (query.get('action') ?? '').slice(0, 60),
    actor: (query.get('actor') ?? '').trim().slice(0, 300),
    subject: (query.get('subject') ?? '').trim().slice(0, 300),
    before: before > 0 ? before : null,
  };
}

/** The log has accounts by their ids: an email becomes the id of its account. */
async function toSubject(visit: StaffRequest, text: string): Promise<string> {
  if (!text.includes('@')) return text;
  const filter = { text, role: null, suspended: false, page: 1, pageSize: 25 };
  const { accounts } = await visit.deps.access.accounts.search(filter);
  return accounts.find(({ email }) => email === text.toLowerCase())?.id ?? text;
}

/** Shows the entries that match the filter, newest first. @param problem why an undo was refused */
async function showAudit(visit: StaffRequest, problem: string | null = null): Promise<void> {
  const filter = readFilter(visit);
  const subject = await toSubject(visit, filter.subject);
  const entries = await visit.deps.service.auditEntries({
    ...(filter.action === '' ? {} : { action: filter.action }),
    ...(filter.actor === '' ? {} : { actor: toActor(filter.actor) }),
    ...(subject === '' ? {} : { subject }),
    ...(filter.before === null ? {} : { beforeId: filter.before }),
    excludedKinds: visit.hasRole('operator') ? [] : operatorKinds,
    limit: pageSize + 1,
  });
  const page = entries.slice(0, pageSize);
  const hasMore = entries.length > pageSize;
  const emails = await emailsOf(visit, page);
  const onlyOperator = await findOnlyOperator(visit);
  const words = visit.messages.consoleRecords.audit;
  const children = (
    <>
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      {problem === null ? (
        <DoneNotice query={visit.query} texts={{ undone: words.undone }} />
      ) : (
        <ErrorSummary title={visit.messages.consoleEdit.forget.refused} errors={{ '': problem }} />
      )}
      <FilterForm visit={visit} filter={filter} />
      {page.length === 0 ? (
        <div class="actions">
          <EmptyState>{words.none}</EmptyState>
        </div>
      ) : (
        <ol class="rows actions-below">
          {page.map((entry) => (
            <EntryRow
              key={entry.id}
              visit={visit}
              entry={entry}
              name={emails.get(entry.subject)}
              onlyOperator={onlyOperator}
            />
          ))}
        </ol>
      )}
      <nav class="list-end" aria-label={words.pages}>
        {filter.before !== null && (
          <a href={visit.path(withQuery(path, { ...filter, before: null }))}>{words.newest}</a>
        )}
        {hasMore && (
          <a href={visit.path(withQuery(path, { ...filter, before: page.at(-1)?.id ?? null }))}>
            {words.older}
          </a>
        )}
      </nav>
    </>
  );
  const status = problem === null ? 200 : refusedStatus;
  visit.render(status, { title: words.title, section: path, children });
}

function FilterForm({ visit, filter }: { visit: StaffRequest; filter: Filter }): VNode {
  const words = visit.messages.consoleRecords.audit;
  const offered = subjects.filter(
    (value) => visit.hasRole('operator') || !operatorKinds.includes(value.slice(0, -1)),
  );
  return (
    <form class="filters" method="get" action={visit.path(path)}>
      <SelectField
        name="action"
        label={words.about}
        options={offered.map((value) => [value, words.kinds[value]] as const)}
        value={filter.action}
      />
      <TextInput
        name="actor"
        label={words.by}
        maxLength={300}
        value={filter.actor}
        placeholder="ada@example.com"
      />
      <TextInput
        name="subject"
        label={words.subject}
        maxLength={300}
        value={filter.subject}
        placeholder="ben-klock"
      />
      <Button look="quiet">{words.show}</Button>
    </form>
  );
}

/** Returns the emails of the accounts that entries are about, by their ids. Deleted accounts have none. */
async function emailsOf(visit: StaffRequest, entries: readonly AuditEntry[]): Promise<Map<string, string>> {
  const emails = new Map<string, string>();
  for (const { subjectKind, subject } of entries) {
    if (subjectKind !== 'account' || emails.has(subject)) continue;
    const email = await visit.deps.access.accounts.emailOf(subject);
    if (email !== undefined) emails.set(subject, email);
  }
  return emails;
}

/** Returns the id of the only operator that can sign in; null if there are more. */
async function findOnlyOperator(visit: StaffRequest): Promise<string | null> {
  if (!visit.hasRole('operator')) return null;
  const filter = { text: '', role: 'operator', suspended: false, page: 1, pageSize: 25 } as const;
  const { accounts } = await visit.deps.access.accounts.search(filter);
  const active = accounts.filter(({ suspended_at }) => suspended_at === null);
  return active.length === 1 ? (active[0]?.id ?? null) : null;
}

/** Whether the undo of an entry takes the role operator from an account, or suspends it. */
function takesOperator({ action, details }: AuditEntry): boolean {
  const before = (details.before ?? {}) as { role?: unknown };
  return action === 'account.unsuspend' || (action === 'account.set-role' && before.role !== 'operator');
}

type EntryRowProps = {
  visit: StaffRequest;
  entry: AuditEntry;
  /** The name of the subject, if it is better than the one in the entry. */
  name: string | undefined;
  /** The id of the account without which there is no operator. */
  onlyOperator: string | null;
};

function EntryRow({ visit, entry, name, onlyOperator }: EntryRowProps): VNode {
  const subject = name ?? entry.subject;
  const { audit: words, actions } = visit.messages.consoleRecords;
  const shownSubject = entry.subjectKind === 'setting' ? (words.settings[subject] ?? subject) : subject;
  const { changes, defaults } = describeChanges(entry.details, visit.messages);
  // A deleted account has no page.
  const link = entry.subjectKind === 'account' && name === undefined ? null : subjectPath(entry);
  const role = undoableActions[entry.action];
  const mayUndo =
    role !== undefined &&
    visit.hasRole(role) &&
    entry.undoneBy === null &&
    !(entry.subject === onlyOperator && takesOperator(entry));
  const [channel, person] = splitActor(entry.actor);
  return (
    <li class={entry.undoneBy === null ? undefined : 'past'}>
      <div class="what">
        <p>
          <strong>{describeAction(entry.action, actions)}</strong>{' '}
          {link === null ? (
            <bdi>{shownSubject}</bdi>
          ) : (
            <a href={visit.path(link)}>
              <bdi>{shownSubject}</bdi>
            </a>
          )}{' '}
          {entry.undoneBy !== null && <span class="tag">{words.undoneBy(entry.undoneBy)}</span>}
        </p>
        <p class="small soft">
          <DateTime at={entry.createdTs} time />, <bdi>{person}</bdi>
          {channel === 'terminal' && words.inTerminal}
          {words.entry(entry.id)}
        </p>
        <Changes changes={changes} />
        {defaults.length > 0 && (
          <details>
            <summary>{words.details(defaults.length)}</summary>
            <Changes changes={defaults} />
          </details>
        )}
      </div>
      {mayUndo && (
        <StaffForm visit={visit} action={`${path}/${entry.id}/undo`}>
          <Button look="quiet" label={words.undoLabel(entry.id)}>
            {words.undo}
          </Button>
        </StaffForm>
      )}
    </li>
  );
}

function Changes({ changes }: { changes: readonly ShownChange[] }): VNode | null {
  if (changes.length === 0) return null;
  return (
    <dl class="changes">
      {changes.map(({ name, text }) => (
        <>
          <dt>{name}</dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </>
      ))}
    </dl>
  );
}

const splitActor = (actor: string): [channel: string, name: string] => {
  const at = actor.indexOf(':');
  return [actor.slice(0, at), actor.slice(at + 1)];
};

/** Undoes an entry. Those of accounts are undone here, those of the catalogue in the action process. */
async function undo(visit: StaffRequest): Promise<void> {
  const id = Number(visit.ids[0]);
  const entry = Number.isSafeInteger(id) ? await visit.deps.service.auditEntry(id) : undefined;
  const role = entry && undoableActions[entry.action];
  if (entry === undefined)
    throw new Failure(`There is no entry ${visit.ids[0]} in the audit log.`, 1, {
      isMissing: true,
      code: 'entry_missing',
      value: visit.ids[0] ?? '',
    });
  try {
    if (role === undefined)
      throw new Failure('This entry cannot be undone.', 1, { code: 'not_undoable', value: id });
    if (!visit.hasRole(role))
      throw new Failure(`An undo of this entry requires the role ${role}.`, 1, { code: 'role_required' });
    if (entry.subjectKind === 'account') await visit.deps.access.accountUndo.undo(id, actorOf(visit));
    else await runAction(visit, 'record.undo', { auditId: id });
  } catch (failure) {
    return await showAudit(visit, refusedForm(visit, failure, () => null).errors[''] ?? '');
  }
  visit.redirect(`${path}?done=undone`);
}
