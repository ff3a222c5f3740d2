/** /admin: the state of the service on one page. */
import type { VNode } from 'preact';
import { ButtonLink, DateTime, EmptyState, Fact, Notice, Section } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { formatBytes, formatCount } from '../format.ts';
import type { AdminRoute } from '../route.ts';
import type { HourCount, SourceOverview } from '../service-reader.ts';
import { RequestChart } from './request-chart.tsx';

export const overviewRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin', role: 'editor', handle: showOverview },
];

async function showOverview(visit: StaffRequest): Promise<void> {
  const hours = await visit.deps.service.requests();
  const children = (
    <>
      <h1>Overview</h1>
      <Problems visit={visit} />
      <Numbers visit={visit} hours={hours} />
      <Section mark="A1" title="Requests" id="requests">
        <RequestChart hours={hours} />
      </Section>
      <Section mark="A2" title="Sources" id="sources">
        <SourceState visit={visit} />
      </Section>
      <Section mark="B1" title="Service" id="service">
        <ServiceState visit={visit} />
      </Section>
    </>
  );
  visit.render(200, { title: 'Overview', section: '/admin', children });
}

/** The figures that show at a glance whether somebody has to act. */
function Numbers({ visit, hours }: { visit: StaffRequest; hours: readonly HourCount[] }): VNode {
  const { service } = visit.deps;
  const sources = service.sources();
  const failing = sources.filter(isFailing).length;
  const errors = hours.reduce((sum, hour) => sum + hour.errors, 0);
  const { events } = service.catalogue();
  return (
    <dl class="numbers">
      <Figure label="Events" count={events} />
      <Figure label="Possible duplicates" count={service.openDecisions()} />
      <Figure label="Sources" count={sources.length} href={visit.path('/admin/sources')} />
      <Figure label="Sources failing" count={failing} isBad={failing > 0} />
      <Figure label="Errors in 24 hours" count={errors} isBad={errors > 0} />
    </dl>
  );
}

function Figure(props: { label: string; count: number; href?: string; isBad?: boolean }): VNode {
  return (
    <div class={props.isBad ? 'bad' : undefined}>
      <dt>{props.href === undefined ? props.label : <a href={props.href}>{props.label}</a>}</dt>
      <dd>{formatCount(props.count)}</dd>
    </div>
  );
}

const isFailing = ({ failures }: SourceOverview): boolean => failures > 0;

/** Everything that somebody has to act on; one line if there is nothing. */
function Problems({ visit }: { visit: StaffRequest }): VNode {
  const { service } = visit.deps;
  const { problem } = service.file();
  const failing = service.sources().filter(isFailing);
  const names = failing.slice(0, 5).map(({ name }) => name);
  const more = failing.length > names.length ? ` and ${failing.length - names.length} more` : '';
  return (
    <div class="actions flow">
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {failing.length > 0 && (
        <Notice tone="bad">
          {failing.length === 1 ? 'A source fails: ' : `${failing.length} sources fail: `}
          <bdi>{names.join(', ') + more}</bdi>
        </Notice>
      )}
      {problem === null && failing.length === 0 && (
        <Notice tone="good">The service and its sources work.</Notice>
      )}
    </div>
  );
}

const maxSourcesShown = 8;

/** The sources: failing ones first, then those that are read next. */
function SourceState({ visit }: { visit: StaffRequest }): VNode {
  const { service } = visit.deps;
  const sources = service.sources().sort((a, b) => b.failures - a.failures || a.nextTs - b.nextTs);
  const { lastSyncedTs } = service.facts();
  if (sources.length === 0) {
    return (
      <>
        <EmptyState>No source is read regularly yet.</EmptyState>
        <div>
          <ButtonLink href={visit.path('/admin/sources/add')}>Add a source</ButtonLink>
        </div>
      </>
    );
  }
  return (
    <>
      <p class="soft">
        {lastSyncedTs === null ? (
          'No source was read yet.'
        ) : (
          <>
            Last read: <DateTime at={lastSyncedTs} time />
          </>
        )}
      </p>
      <ul class="rows">
        {sources.slice(0, maxSourcesShown).map((source) => (
          <li key={source.name}>
            <div class="what">
              <p>
                <strong>
                  <bdi>{source.name}</bdi>
                </strong>{' '}
                {isFailing(source) && <span class="tag bad">failed {formatCount(source.failures)}×</span>}
              </p>
              <p class="small soft">
                {source.lastSuccessTs === null ? 'not read yet' : <DateTime at={source.lastSuccessTs} time />}
                , next <DateTime at={source.nextTs} time />
                {source.rejected > 0 && `, ${formatCount(source.rejected)} ${source.rejected === 1 ? 'record' : 'records'} rejected`}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p>
        <a href={visit.path('/admin/sources')}>All sources</a>
      </p>
    </>
  );
}

function ServiceState({ visit }: { visit: StaffRequest }): VNode {
  const { service } = visit.deps;
  const facts = service.facts();
  const file = service.file();
  return (
    <>
      <dl class="facts">
        <Fact term="Version">{facts.version}</Fact>
        <Fact term="Revision">{formatCount(facts.revision)}</Fact>
        <Fact term="Data file">
          <bdi>{file.path}</bdi>
          {file.bytes !== null && `, ${formatBytes(file.bytes)}`}
        </Fact>
        <Fact term="Write-ahead log">{formatBytes(file.logBytes)}</Fact>
        {file.freeBytes !== null && <Fact term="Free disk space">{formatBytes(file.freeBytes)}</Fact>}
        <Fact term="SQLite, schema">
          {facts.sqlite}, {facts.schema}
        </Fact>
        <Fact term="Accounts, keys">
          {formatCount(facts.accounts)}, {formatCount(facts.keys)}
        </Fact>
      </dl>
      <div>
        <ButtonLink look="quiet" href={`${visit.deps.baseUrl}/stats`}>
          Statistics of the catalogue
        </ButtonLink>
      </div>
    </>
  );
}
