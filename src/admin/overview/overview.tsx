/** /admin: the state of the service on one page. */
import type { VNode } from 'preact';
import { ButtonLink, DateTime, Fact, Notice, Section } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { formatBytes, formatCount } from '../format.ts';
import type { AdminRoute } from '../route.ts';
import type { SourceOverview } from '../service-reader.ts';

export const overviewRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin', role: 'editor', handle: showOverview },
];

function showOverview(visit: StaffRequest): void {
  const children = (
    <>
      <h1>Overview</h1>
      <Problems visit={visit} />
      <Section mark="A1" title="Catalogue" id="catalogue">
        <CatalogueState visit={visit} />
      </Section>
      <Section mark="A2" title="Service" id="service">
        <ServiceState visit={visit} />
      </Section>
    </>
  );
  visit.render(200, { title: 'Overview', section: '/admin', children });
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

function CatalogueState({ visit }: { visit: StaffRequest }): VNode {
  const { service } = visit.deps;
  const facts = service.facts();
  const sources = service.sources();
  const next = sources.reduce<SourceOverview | null>(
    (soonest, source) => (soonest === null || source.nextTs < soonest.nextTs ? source : soonest),
    null,
  );
  return (
    <dl class="facts">
      <Fact term="Revision">{formatCount(facts.revision)}</Fact>
      <Fact term="Sources">
        {formatCount(sources.length)}
        {sources.some(isFailing) && `, ${sources.filter(isFailing).length} failing`}
      </Fact>
      <Fact term="Last read">
        {facts.lastSyncedTs === null ? 'never' : <DateTime at={facts.lastSyncedTs} time />}
      </Fact>
      <Fact term="Next">
        {next === null ? (
          'no source is scheduled'
        ) : (
          <>
            <bdi>{next.name}</bdi>, <DateTime at={next.nextTs} time />
          </>
        )}
      </Fact>
      <Fact term="Possible duplicates">{formatCount(service.openDecisions())}</Fact>
    </dl>
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
