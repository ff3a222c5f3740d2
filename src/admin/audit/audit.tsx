/** /admin/audit: who changed what and when, with an undo where it is possible. */
import type { VNode } from 'preact';
import { undoableActions } from '../../contract/undo.ts';
import { Failure } from '../../failure.ts';
import { Button, DateTime, EmptyState } from '../../pages/parts.tsx';
import type { AuditEntry } from '../../store/audit-log.ts';
import { actorOf, runAction, type StaffRequest } from '../admin-request.tsx';
import { DoneNotice, Select, StaffForm, TextField, withQuery } from '../parts.tsx';
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
  { value: '', label: 'Everything' },
  { value: 'record.', label: 'Records' },
  { value: 'pair.', label: 'Duplicates' },
  { value: 'source.', label: 'Sources' },
  { value: 'account.', label: 'Accounts' },
  { value: 'setting.', label: 'Settings' },
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

function showAudit(visit: StaffRequest): void {
  const filter = readFilter(visit);
  const entries = visit.deps.service.auditEntries({
    ...(filter.action === '' ? {} : { action: filter.action }),
    ...(filter.actor === '' ? {} : { actor: toActor(filter.actor) }),
    ...(filter.subject === '' ? {} : { subject: filter.subject }),
    ...(filter.before === null ? {} : { beforeId: filter.before }),
    excludedKinds: visit.hasRole('operator') ? [] : operatorKinds,
    limit: pageSize + 1,
  });
  const shown = entries.slice(0, pageSize);
  const hasMore = entries.length > pageSize;
  const children = (
    <>
      <h1>Audit log</h1>
      <p class="lead">Every change that a person made here or in the terminal, newest first.</p>
      <DoneNotice visit={visit} messages={{ undone: 'The change is undone.' }} />
      <FilterForm visit={visit} filter={filter} />
      {shown.length === 0 ? (
        <div class="actions">
          <EmptyState>No entry matches. The log begins with the first change that a person makes.</EmptyState>
        </div>
      ) : (
        <ol class="rows actions-below">
          {shown.map((entry) => (
            <EntryRow key={entry.id} visit={visit} entry={entry} />
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
    ({ value }) => visit.hasRole('operator') || !operatorKinds.includes(value.slice(0, -1)),
  );
  return (
    <form class="filters" method="get" action={visit.path(path)}>
      <Select name="action" label="About" options={allowed} value={filter.action} />
      <TextField name="actor" label="By" value={filter.actor} placeholder="ada@example.com" />
      <TextField name="subject" label="Subject" value={filter.subject} placeholder="ben-klock" />
      <Button look="quiet">Show</Button>
    </form>
  );
}

function EntryRow({ visit, entry }: { visit: StaffRequest; entry: AuditEntry }): VNode {
  const changes = describeChanges(entry.details);
  const link = subjectPath(entry);
  const role = undoableActions[entry.action];
  const mayUndo = role !== undefined && visit.hasRole(role) && entry.undoneBy === null;
  const [channel, name] = splitActor(entry.actor);
  return (
    <li class={entry.undoneBy === null ? undefined : 'past'}>
      <div class="what">
        <p>
          <strong>{describeAction(entry.action)}</strong>{' '}
          {link === null ? <bdi>{entry.subject}</bdi> : <a href={visit.path(link)}>{entry.subject}</a>}{' '}
          {entry.undoneBy !== null && <span class="tag">undone by entry {entry.undoneBy}</span>}
        </p>
        <p class="small soft">
          <DateTime at={entry.createdTs} time />, <bdi>{name}</bdi>
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
  else await runAction(visit, 'audit.undo', { id });
  visit.redirect(`${path}?done=undone`);
}
