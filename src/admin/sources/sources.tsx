/** /admin/sources: the sources with the result of their last run, and forms to add, read and remove one. */
import type { VNode } from 'preact';
import { Failure } from '../../failure.ts';
import { Button, ButtonLink, Confirm, DateTime, EmptyState, Notice, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { formatCount } from '../format.ts';
import { Checkbox, Crumb, DoneNotice, StaffForm } from '../parts.tsx';
import type { AdminRoute } from '../route.ts';
import { AddSourceForm, addSource } from './add-form.tsx';

const path = '/admin/sources';

export const sourceRoutes: readonly AdminRoute[] = [
  { method: 'GET', path, role: 'editor', handle: showSources },
  { method: 'GET', path: '/admin/sources/add', role: 'editor', handle: showAdd },
  { method: 'POST', path: '/admin/sources/add', role: 'editor', handle: add },
  { method: 'POST', path: '/admin/sources/read', role: 'editor', handle: read },
  { method: 'GET', path: '/admin/sources/remove', role: 'editor', handle: confirmRemove },
  { method: 'POST', path: '/admin/sources/remove', role: 'editor', handle: remove },
];

/** A source as the action `source.list` returns it. */
type SourceSummary = {
  name: string;
  type: string;
  scheduled: boolean;
  url: string | null;
  every: string | null;
  records: number;
  last_run_at: string | null;
  last_success_at: string | null;
  next_run_at: string | null;
  failures: number;
  last_error: string | null;
  rejected_count: number;
  rejected: { line: number; where?: string | null; reason: string }[];
};

const doneMessages: Record<string, string> = {
  added: 'The source is added and is being read. Reload this page to see its records.',
  started: 'The source is being read. Reload this page to see the result.',
  removed: 'The source is removed.',
};

async function showSources(visit: StaffRequest): Promise<void> {
  const sources = await runAction<SourceSummary[]>(visit, 'source.list', {});
  const children = (
    <>
      <h1>Sources</h1>
      <p class="lead">Calendars, pages and feeds that are read regularly into the catalogue.</p>
      <DoneNotice visit={visit} messages={doneMessages} />
      <div class="actions">
        <ButtonLink href={visit.path('/admin/sources/add')}>Add a source</ButtonLink>
      </div>
      <Section mark="A1" title="All sources" id="list">
        {sources.length === 0 ? (
          <EmptyState>No sources yet. Add the calendar of a club: its events appear at once.</EmptyState>
        ) : (
          <ul class="rows">
            {sources.map((source) => (
              <SourceRow key={source.name} visit={visit} source={source} />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
  visit.render(200, { title: 'Sources', section: path, children });
}

function SourceRow({ visit, source }: { visit: StaffRequest; source: SourceSummary }): VNode {
  const { name, scheduled, failures, rejected_count: rejected } = source;
  return (
    <li>
      <div class="what">
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          <span class="tags">
            {!scheduled && <span class="tag">not scheduled</span>}
            {failures > 0 && <span class="tag bad">failing</span>}
            {rejected > 0 && <span class="tag">{formatCount(rejected)} rejected</span>}
          </span>
        </p>
        {source.url !== null && (
          <p class="small">
            <bdi>{source.url}</bdi>
          </p>
        )}
        <p class="small soft">
          {source.type}, {formatCount(source.records)} {source.records === 1 ? 'record' : 'records'}
          <RunTimes source={source} />
        </p>
        <RunProblems source={source} />
      </div>
      {scheduled && (
        <div class="row-actions">
          <StaffForm visit={visit} action="/admin/sources/read">
            <input type="hidden" name="name" value={name} />
            <Button look="quiet" label={`Read now: ${name}`}>
              Read now
            </Button>
          </StaffForm>
          <ButtonLink
            look="quiet"
            href={visit.path(`/admin/sources/remove?name=${encodeURIComponent(name)}`)}
            label={`Remove ${name}`}
          >
            Remove
          </ButtonLink>
        </div>
      )}
    </li>
  );
}

function RunTimes({ source }: { source: SourceSummary }): VNode {
  const { last_success_at: last, next_run_at: next } = source;
  return (
    <>
      {last === null ? (
        source.scheduled && ', not read yet'
      ) : (
        <>
          , read <DateTime at={Date.parse(last)} time />
        </>
      )}
      {next !== null && (
        <>
          , next <DateTime at={Date.parse(next)} time />
        </>
      )}
    </>
  );
}

const maxShown = 20;

function RunProblems({ source }: { source: SourceSummary }): VNode {
  const { last_error: error, rejected, rejected_count: count } = source;
  return (
    <>
      {error !== null && <p class="error small">{error}</p>}
      {count > 0 && (
        <details class="small">
          <summary>Rejected in the last run</summary>
          <ul class="dashes">
            {rejected.slice(0, maxShown).map(({ line, where, reason }, index) => (
              <li key={index}>
                {where ?? `record ${line}`}: {reason}
              </li>
            ))}
          </ul>
          {count > maxShown && <p class="soft">and {formatCount(count - maxShown)} more</p>}
        </details>
      )}
    </>
  );
}

function showAdd(visit: StaffRequest): void {
  const children = (
    <>
      <Crumb href={visit.path(path)}>Sources</Crumb>
      <h1>Add a source</h1>
      <div class="actions-below">
        <AddSourceForm visit={visit} />
      </div>
    </>
  );
  visit.render(200, { title: 'Add a source', section: path, children });
}

async function add(visit: StaffRequest): Promise<void> {
  const { added, blocked } = await addSource(visit);
  if (blocked === null) return visit.redirect(`${path}?done=added`);
  const children = (
    <>
      <h1>The source is added, but cannot be read</h1>
      <Notice tone="bad">
        <bdi>{added.name}</bdi>: {blocked.advice}
      </Notice>
      <div class="actions">
        <ButtonLink look="quiet" href={visit.path(path)}>
          To the sources
        </ButtonLink>
      </div>
    </>
  );
  visit.render(200, { title: 'Source added', section: path, children });
}

async function read(visit: StaffRequest): Promise<void> {
  const name = visit.field('name');
  assertSource(visit, name);
  await runAction(visit, 'source.sync', { name });
  visit.redirect(`${path}?done=started`);
}

/** Throws a `Failure` if there is no scheduled source of this name, for example because another person removed it. */
function assertSource(visit: StaffRequest, name: string): void {
  if (!visit.deps.service.sources().some((source) => source.name === name))
    throw new Failure(`There is no source ${JSON.stringify(name)} any more.`);
}

function confirmRemove(visit: StaffRequest): void {
  const name = visit.query.get('name') ?? '';
  assertSource(visit, name);
  const children = (
    <>
      <h1>
        Remove <bdi>{name}</bdi>?
      </h1>
      <p class="lead">It is not read any more. Its records stay, unless you withdraw them.</p>
      <Confirm
        action={visit.path('/admin/sources/remove')}
        csrf={visit.session.csrf}
        verb="Remove source"
        back={visit.path(path)}
      >
        <input type="hidden" name="name" value={name} />
        <Checkbox
          name="withdraw"
          label="Withdraw its records: upcoming events without another source are cancelled"
        />
      </Confirm>
    </>
  );
  visit.render(200, { title: 'Remove a source', section: path, children });
}

async function remove(visit: StaffRequest): Promise<void> {
  const withdraw = visit.field('withdraw') === 'on';
  await runAction(visit, 'source.remove', { name: visit.field('name'), withdraw });
  visit.redirect(`${path}?done=removed`);
}
