/** /admin: the state of the service on one page. */
import type { VNode } from 'preact';
import { formatBytes } from '../../format-bytes.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import { BoldName, ButtonLink, DateTime, EmptyState, Fact, QuietLink, Section } from '../../pages/parts.tsx';
import { callerOf, type StaffRequest } from '../admin-request.ts';
import { withQuery } from '../parts.tsx';
import type { AdminRoute } from '../route.ts';
import type {
  BackupOverview,
  ExportOverview,
  HourCount,
  ServiceFacts,
  SourceOverview,
} from '../service-reader.ts';
import { isFailing, Problems } from './problems.tsx';
import { RequestChart } from './request-chart.tsx';

export const overviewRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin', role: 'editor', handle: showOverview },
];

async function showOverview(visit: StaffRequest): Promise<void> {
  const { service } = visit.deps;
  const [hours, pairs, backups, facts] = await Promise.all([
    service.requests(),
    service.openPairs(callerOf(visit)),
    service.backups(),
    service.facts(),
  ]);
  const sources = service.sources();
  const { events, samples } = service.catalogue();
  const { hasForgottenTraces } = facts;
  const { consoleOverview: texts } = visit.messages;
  const children = (
    <>
      <h1>{texts.title}</h1>
      <Problems {...{ visit, backups, sources, samples, hasForgottenTraces }} />
      <Numbers {...{ visit, hours, pairs, events, sources }} />
      <Section title={texts.requests} id="requests">
        <RequestChart hours={hours} />
      </Section>
      <Section title={texts.sources} id="sources">
        <SourceState visit={visit} sources={sources} lastSyncedTs={facts.lastSyncedTs} />
      </Section>
      <Section title={texts.service} id="service">
        <ServiceState visit={visit} facts={facts} backups={backups} />
      </Section>
    </>
  );
  visit.render(200, { title: texts.title, section: '/admin', children });
}

type NumbersProps = {
  visit: StaffRequest;
  hours: readonly HourCount[];
  pairs: number;
  events: number;
  sources: readonly SourceOverview[];
};

/** The figures that show at a glance whether an editor or operator has to act. */
function Numbers({ visit, hours, pairs, events, sources }: NumbersProps): VNode {
  const { figures } = useMessages().consoleOverview;
  const failing = sources.filter(isFailing).length;
  const errors = hours.reduce((sum, hour) => sum + hour.errors, 0);
  return (
    <dl class="numbers">
      <Figure label={figures.events} count={events} />
      <Figure label={figures.pairs} count={pairs} href={visit.path('/admin/review')} />
      <Figure label={figures.sources} count={sources.length} href={visit.path('/admin/sources')} />
      <Figure label={figures.failing} count={failing} isBad={failing > 0} />
      <Figure label={figures.errors} count={errors} isBad={errors > 0} />
    </dl>
  );
}

function Figure(props: { label: string; count: number; href?: string; isBad?: boolean }): VNode {
  return (
    <div class={props.isBad ? 'bad' : undefined}>
      <dt>{props.href === undefined ? props.label : <a href={props.href}>{props.label}</a>}</dt>
      <dd>{useMessages().formats.number(props.count)}</dd>
    </div>
  );
}

const maxSourcesShown = 8;

type SourceStateProps = {
  visit: StaffRequest;
  sources: readonly SourceOverview[];
  /** When a source was last read, in ms since 1970; null: never. */
  lastSyncedTs: number | null;
};

/** The sources: failing ones first, then those that are read next. */
function SourceState({ visit, sources, lastSyncedTs }: SourceStateProps): VNode {
  const texts = useMessages().consoleOverview;
  if (sources.length === 0) {
    return (
      <>
        <EmptyState>{texts.noSource}</EmptyState>
        <div>
          <ButtonLink href={visit.path('/admin/sources/add')}>{texts.addSource}</ButtonLink>
        </div>
      </>
    );
  }
  const first = sources.toSorted((a, b) => b.failures - a.failures || a.nextTs - b.nextTs);
  return (
    <>
      <p class="soft">
        {lastSyncedTs === null ? (
          texts.nothingRead
        ) : (
          <Filled text={texts.lastRead} parts={{ date: <DateTime at={lastSyncedTs} time /> }} />
        )}
      </p>
      <ul class="rows">
        {first.slice(0, maxSourcesShown).map((source) => (
          <SourceRow visit={visit} source={source} key={source.name} />
        ))}
      </ul>
      <p>
        <a href={visit.path('/admin/sources')}>{texts.allSources}</a>
      </p>
    </>
  );
}

function SourceRow({ visit, source }: { visit: StaffRequest; source: SourceOverview }): VNode {
  const texts = useMessages().consoleOverview;
  const { name, lastSuccessTs, nextTs, rejected, failures } = source;
  const next = <DateTime at={nextTs} time />;
  return (
    <li>
      <div class="what">
        <p>
          <a href={visit.path(withQuery('/admin/source', { name }))}>
            <BoldName>{name}</BoldName>
          </a>{' '}
          {isFailing(source) && <span class="tag bad">{texts.failed(failures)}</span>}
        </p>
        <p class="small soft">
          {lastSuccessTs === null ? (
            <Filled text={texts.notRead} parts={{ next }} />
          ) : (
            <Filled text={texts.read} parts={{ date: <DateTime at={lastSuccessTs} time />, next }} />
          )}
          {rejected > 0 && `, ${texts.rejected(rejected)}`}
        </p>
      </div>
    </li>
  );
}

type ServiceStateProps = { visit: StaffRequest; facts: ServiceFacts; backups: BackupOverview | null };

function ServiceState({ visit, facts, backups }: ServiceStateProps): VNode {
  const { consoleOverview: texts, formats } = useMessages();
  const { number } = formats;
  const file = visit.deps.service.file();
  return (
    <>
      <dl class="facts">
        <Fact term={texts.facts.version}>{facts.version}</Fact>
        <Fact term={texts.facts.revision}>{number(facts.revision)}</Fact>
        <Fact term={texts.facts.file}>
          <bdi>{file.path}</bdi>
          {file.bytes !== null && `, ${formatBytes(file.bytes, texts.locale)}`}
        </Fact>
        {file.checkedTs !== null && (
          <Fact term={texts.facts.checked}>
            <DateTime at={file.checkedTs} time />
          </Fact>
        )}
        <Fact term={texts.facts.log}>{formatBytes(file.logBytes, texts.locale)}</Fact>
        {file.freeBytes !== null && (
          <Fact term={texts.facts.free}>{formatBytes(file.freeBytes, texts.locale)}</Fact>
        )}
        <Fact term={texts.facts.backups}>
          <Backups backups={backups} />
        </Fact>
        <Fact term={texts.facts.exports}>
          <Exports exports={visit.deps.service.exports()} />
        </Fact>
        <Fact term={texts.facts.sqlite}>
          {facts.sqlite}, {facts.schema}
        </Fact>
        <Fact term={texts.facts.accounts}>
          {number(facts.accounts)}, {number(facts.keys)}
        </Fact>
      </dl>
      <div>
        <QuietLink href={`${visit.deps.baseUrl}/stats`}>{texts.statistics}</QuietLink>
      </div>
    </>
  );
}

function Backups({ backups }: { backups: BackupOverview | null }): VNode {
  const texts = useMessages().consoleOverview;
  if (backups === null)
    return <Filled text={texts.noBackups} parts={{ command: <code>serve --backup-dir DIR</code> }} />;
  const { lastSuccessTs, bytes, copies, failures, folder } = backups;
  return (
    <>
      {lastSuccessTs === null ? texts.noSuccess : <DateTime at={lastSuccessTs} time />}
      {bytes !== null && `, ${formatBytes(bytes, texts.locale)}`}
      {failures > 0 && (
        <>
          {' '}
          <span class="tag bad">{texts.failed(failures)}</span>
        </>
      )}
      <br />
      <Filled text={texts.copies(copies)} parts={{ folder: <bdi>{folder}</bdi> }} />
    </>
  );
}

function Exports({ exports }: { exports: ExportOverview | null }): VNode {
  const texts = useMessages().consoleOverview;
  if (exports === null)
    return <Filled text={texts.noBackups} parts={{ command: <code>serve --export-dir DIR</code> }} />;
  const { last, failures, folder } = exports;
  return (
    <>
      {last === null ? texts.noSuccess : <DateTime at={last.endedTs} time />}
      {last !== null && `, ${formatBytes(last.bytes, texts.locale)}`}
      {failures > 0 && (
        <>
          {' '}
          <span class="tag bad">{texts.failed(failures)}</span>
        </>
      )}
      <br />
      {last !== null && (
        <Filled
          text={texts.exportFacts(last.revision, last.records)}
          parts={{ folder: <bdi>{folder}</bdi> }}
        />
      )}
    </>
  );
}
