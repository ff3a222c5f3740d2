/** /admin/audit: who changed what and when, with an undo where it is possible. */
import type { VNode } from 'preact';
import { undoableActions } from '../../contract/undo.ts';
import { Failure } from '../../failure.ts';
import { Button, DateTime, EmptyState } from '../../pages/parts.tsx';
import { SelectField } from '../../pages/select-field.tsx';
import type { AuditEntry } from '../../store/audit-log.ts';
import { actorOf, runAction, type StaffRequest } from '../admin-request.ts';
import { TextInput } from '../inputs.tsx';
import { DoneNotice, StaffForm, withQuery } from '../parts.tsx';
import type { AdminRoute } from '../route.ts';
import { describeAction, describeChanges, subjectPath } from './describe.ts';

const path = '/admin/audit';
const pageSize = 50;
/** Entries about these are for operators only. */
const operatorKinds = ['account', 'plan', 'setting'];

export const auditRoutes: readonly AdminRoute[] = [
  { method: 'GET', path, role: 'editor', handle: showAudit },
  { method: 'POST', path: '/admin/audit/*/undo', role: 'editor', handle: undo },
];

const subjects = [
  ['', 'Everything'],
  ['record.', 'Records'],
  ['pair.', 'Duplicates'],
  ['source.', 'Sources'],
  ['account.', 'Accounts'],
  ['setting.', 'Settings'],
] as const;

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

/** A person as the audit log names them: an email is an account, anything else a user of the terminal. */
const toActor = (text: string): string =>
  /^(?:account|terminal):/.test(text) ? text : `${text.includes('@') ? 'account' : 'terminal'}:${text}`;

/** The log has accounts by their ids: an email becomes the id of its account. */
async function toSubject(visit: StaffRequest, text: string): Promise<string> {
  if (!text.includes('@')) return text;
  const filter = { text, role: null, suspended: false, page: 1, pageSize: 25 };
  const { accounts } = await visit.deps.access.accounts.search(filter);
  return accounts.find(({ email }) => email === text.toLowerCase())?.id ?? text;
}

async function showAudit(visit: StaffRequest): Promise<void> {
  const filter = readFilter(visit);
  const subject = await toSubject(visit, filter.subject);
  const entries = visit.deps.service.auditEntries({
    ...(filter.action === '' ? {} : { action: filter.action }),
    ...(filter.actor === '' ? {} : { actor: toActor(filter.actor) }),
    ...(subject === '' ? {} : { subject }),
    ...(filter.before === null ? {} : { beforeId: filter.before }),
    excludedKinds: visit.hasRole('operator') ? [] : operatorKinds,
    limit: pageSize + 1,
  });
  const shown = entries.slice(0, pageSize);
  const hasMore = entries.length > pageSize;
  const emails = await emailsOf(visit, shown);
  const children = (
    <>
      <h1>Audit log</h1>
      <p class="lead">Every change that a person made here or in the terminal, newest first.</p>
      <DoneNotice query={visit.query} texts={{ undone: 'The change is undone.' }} />
      <FilterForm visit={visit} filter={filter} />
      {shown.length === 0 ? (
        <div class="actions">
          <EmptyState>No entry matches. The log begins with the first change that a person makes.</EmptyState>
        </div>
      ) : (
        <ol class="rows actions-below">
          {shown.map((entry) => (
            <EntryRow key={entry.id} visit={visit} entry={entry} name={emails.get(entry.subject)} />
          ))}
        </ol>
      )}
      <nav class="list-end" aria-label="Pages of the audit log">
        {filter.before !== null && (
          <a href={visit.path(withQuery(path, { ...filter, before: null }))}>Newest entries</a>
        )}
        {hasMore && (
          <a href={visit.path(withQuery(path, { ...filter, before: shown.at(-1)?.id ?? null }))}>
            Older entries
          </a>
        )}
      </nav>
    </>
  );
  visit.render(200, { title: 'Audit log', section: path, children });
}

function FilterForm({ visit, filter }: { visit: StaffRequest; filter: Filter }): VNode {
  const allowed = subjects.filter(
    ([value]) => visit.hasRole('operator') || !operatorKinds.includes(value.slice(0, -1)),
  );
  return (
    <form class="filters" method="get" action={visit.path(path)}>
      <SelectField name="action" label="About" options={allowed} value={filter.action} />
      <TextInput name="actor" label="By" maxLength={300} value={filter.actor} placeholder="ada@example.com" />
      <TextInput
        name="subject"
        label="Subject"
        maxLength={300}
        value={filter.subject}
        placeholder="ben-klock"
      />
      <Button look="quiet">Show</Button>
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

type EntryRowProps = {
  visit: StaffRequest;
  entry: AuditEntry;
  /** The name of the subject, if it is better than the one in the entry. */
  name: string | undefined;
};

function EntryRow({ visit, entry, name }: EntryRowProps): VNode {
  const subject = name ?? entry.subject;
  const changes = describeChanges(entry.details);
  // A deleted account has no page.
  const link = entry.subjectKind === 'account' && name === undefined ? null : subjectPath(entry);
  const role = undoableActions[entry.action];
  const mayUndo = role !== undefined && visit.hasRole(role) && entry.undoneBy === null;
  const [channel, person] = splitActor(entry.actor);
  return (
    <li class={entry.undoneBy === null ? undefined : 'past'}>
      <div class="what">
        <p>
          <strong>{describeAction(entry.action)}</strong>{' '}
          {link === null ? (
            <bdi>{subject}</bdi>
          ) : (
            <a href={visit.path(link)}>
              <bdi>{subject}</bdi>
            </a>
          )}{' '}
          {entry.undoneBy !== null && <span class="tag">undone by entry {entry.undoneBy}</span>}
        </p>
        <p class="small soft">
          <DateTime at={entry.createdTs} time />, <bdi>{person}</bdi>
          {channel === 'terminal' && ' in the terminal'}, entry {entry.id}
        </p>
        {changes.length > 0 && (
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
        )}
      </div>
      {mayUndo && (
        <StaffForm visit={visit} action={`${path}/${entry.id}/undo`}>
          <Button look="quiet" label={`Undo entry ${entry.id}: ${entry.action}`}>
            Undo
          </Button>
        </StaffForm>
      )}
    </li>
  );
}

const splitActor = (actor: string): [channel: string, name: string] => {
  const at = actor.indexOf(':');
  return [actor.slice(0, at), actor.slice(at + 1)];
};

/** Undoes an entry. Those of accounts are undone here, those of the catalogue in the action process. */
async function undo(visit: StaffRequest): Promise<void> {
  const id = Number(visit.ids[0]);
  const entry = Number.isSafeInteger(id) ? visit.deps.service.auditEntry(id) : undefined;
  const role = entry && undoableActions[entry.action];
  if (entry === undefined || role === undefined) throw new Failure('This entry cannot be undone.');
  if (!visit.hasRole(role)) throw new Failure(`An undo of this entry requires the role ${role}.`);
  if (entry.subjectKind === 'account') await visit.deps.access.accountUndo.undo(id, actorOf(visit));
  else await runAction(visit, 'record.undo', { auditId: id });
  visit.redirect(`${path}?done=undone`);
}
