/** /admin/source?name=…: one source, its settings and rules, its runs, and what it contributes. */
import type { VNode } from 'preact';
import type { ClosedVenueNotice, RulesPreview, ShownSource } from '../../contract/source-summaries.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { BoldName, ButtonLink, DateTime, Fact, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { ErrorSummary, type FormState } from '../inputs.tsx';
import { ActionForm, Crumb, DoneNotice, withQuery } from '../parts.tsx';
import { refusedStatus } from '../refusals.ts';
import { sourceName } from './failures.tsx';
import { Rejected, Runs } from './history.tsx';
import { StateTag } from './list.tsx';
import { type Progress, ProgressNotice, readingProgress } from './progress.tsx';
import { PreviewOfRules } from './rules-preview.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Rejected records on the page of the source; a page of their own has the others. */
const maxRejected = 5;

/** Shows a source with its state, runs and settings. */
export async function showSource(visit: StaffRequest): Promise<void> {
  const name = sourceName(visit);
  // Before the state: a run that it says has ended is in the state.
  const progress = readingProgress(visit, name);
  renderSource(visit, await runAction<ShownSource>(visit, 'source.show', { name }), { progress });
}

type Answer = {
  /** What the source does at present. */
  progress?: Progress | null;
  /** What the rules of the sent form keep and leave out. */
  preview?: RulesPreview;
  /** The settings as they were sent, which are not saved. */
  sent?: FormState;
};

/** Shows a source, after its form was sent with the result. */
export function renderSource(visit: StaffRequest, source: ShownSource, answer: Answer = {}): void {
  const { preview, sent, progress = null } = answer;
  const texts = visit.messages.consoleSources;
  const errors = sent?.errors ?? {};
  const isRefused = Object.keys(errors).length > 0;
  const children = (
    <>
      <Crumb href={visit.path('/admin/sources')}>{texts.list.title}</Crumb>
      <h1>
        <bdi>{source.name}</bdi>
      </h1>
      <DoneNotice query={visit.query} texts={texts.source.done} />
      {progress !== null && (
        <ProgressNotice visit={visit} path="/admin/source/progress" progress={progress} />
      )}
      <ErrorSummary title={texts.settings.refused} errors={errors} />
      {source.scheduled && sent === undefined && <Actions visit={visit} source={source} />}
      {preview !== undefined && (
        <Section title={texts.source.previewTitle} id="preview">
          <PreviewOfRules preview={preview} />
        </Section>
      )}
      {!isRefused && <Facts visit={visit} source={source} />}
      <Section title={texts.source.settings} id="settings">
        <SettingsForm visit={visit} source={source} sent={sent} />
      </Section>
      {!isRefused && <Removal visit={visit} name={source.name} />}
    </>
  );
  const status = isRefused ? refusedStatus : 200;
  const page = { section: '/admin/sources', connect: 'self' } as const;
  visit.render(status, { title: source.name, ...page, children });
}

function Actions({ visit, source }: { visit: StaffRequest; source: ShownSource }): VNode {
  const texts = useMessages().consoleSources.source;
  const form = (action: string, label: string, look?: 'quiet') => (
    <ActionForm
      visit={visit}
      action="/admin/source"
      fields={{ name: source.name, do: action }}
      label={label}
      look={look}
    />
  );
  return (
    <div class="actions">
      {form('run', texts.run)}
      {source.paused_at === null
        ? form('pause', texts.pause, 'quiet')
        : form('resume', texts.resume, 'quiet')}
    </div>
  );
}

/** The parts of the page that a run changes. The script of the page replaces them after a run. */
function Facts({ visit, source }: { visit: StaffRequest; source: ShownSource }): VNode {
  const texts = useMessages().consoleSources.source;
  const page = (path: string): string => visit.path(withQuery(path, { name: source.name }));
  const { rejections } = source;
  return (
    <div id="live" data-live>
      {source.failures > 0 && source.last_error !== null && (
        <div class="notice bad actions-below">
          <bdi lang="en">{source.last_error}</bdi>
        </div>
      )}
      <Section title={texts.state} id="state">
        <State visit={visit} source={source} heldPath={page('/admin/source/held')} />
      </Section>
      {source.closed_venues.events > 0 && <ClosedVenueList visit={visit} closed={source.closed_venues} />}
      <Section title={texts.runs} id="runs">
        <Runs runs={source.runs} isScheduled={source.scheduled} />
        {source.runs.length > 0 && (
          <p>
            <a href={page('/admin/source/runs')}>{texts.allRuns}</a>
          </p>
        )}
      </Section>
      {rejections !== null && rejections.rejected_count > 0 && (
        <Section title={texts.rejected} id="rejected">
          <Rejected rejected={rejections.rejected.slice(0, maxRejected)} />
          <p>
            <a href={page('/admin/source/rejected')}>{texts.allRejected}</a>
          </p>
        </Section>
      )}
    </div>
  );
}

/** The closed venues at which the source lists later events, with the way to their records. */
function ClosedVenueList({ visit, closed }: { visit: StaffRequest; closed: ClosedVenueNotice }): VNode {
  const { consoleSources, formats } = useMessages();
  const { source: texts, counts } = consoleSources;
  const { events, venues, venue_count } = closed;
  return (
    <Section title={counts.atClosedVenues(events)} id="closed-venues">
      <p>{texts.closedVenues}</p>
      <ul class="rows">
        {venues.map(({ id, name, city, closed_at, events: count, next_date }) => (
          <li key={id}>
            <div class="what">
              <a href={visit.path(`/admin/records/${id}`)}>
                <BoldName>{name}</BoldName>
              </a>
              <div class="small soft">
                {city !== null && <bdi>{city} · </bdi>}
                {texts.closedSince(formats.partialDate(closed_at))} · {counts.events(count)},{' '}
                <time datetime={next_date}>{formats.shortDate(next_date)}</time>
              </div>
            </div>
          </li>
        ))}
      </ul>
      {venue_count > venues.length && <p class="small soft">{counts.shown(venues.length, venue_count)}</p>}
    </Section>
  );
}

type StateProps = { visit: StaffRequest; source: ShownSource; heldPath: string };

function State({ visit, source, heldPath }: StateProps): VNode {
  const { source: texts, counts, add } = useMessages().consoleSources;
  const { contribution: of, held, usual_records } = source;
  const isRunning = visit.deps.service.sourceProgress(source.name)?.isRunning === true;
  const time = (at: string | null, none: string) =>
    at === null ? none : <DateTime at={Date.parse(at)} time />;
  return (
    <dl class="facts">
      <Fact term={texts.state}>
        <StateTag source={source} isRunning={isRunning} />
      </Fact>
      <Fact term={texts.type}>{add.types[source.type] ?? source.type}</Fact>
      {source.url !== null && (
        <Fact term={texts.address}>
          <bdi>{source.url}</bdi>
        </Fact>
      )}
      {source.scheduled ? (
        <Fact term={texts.lastSuccess}>{time(source.last_success_at, texts.never)}</Fact>
      ) : (
        <Fact term={texts.lastImport}>{time(source.last_run_at, texts.never)}</Fact>
      )}
      <Fact term={texts.nextRun}>{time(source.next_run_at, texts.none)}</Fact>
      <Fact term={texts.records}>
        {counts.listed(source.records)}
        {usual_records !== null && `; ${counts.usual(usual_records)}`}
      </Fact>
      <Fact term={texts.contribution}>
        {`${counts.only(of.only)}, ${counts.shared(of.shared)}`}
        {!of.is_complete && ` ${counts.ofFirst(of.records)}`}
      </Fact>
      {held.waiting + held.rejected > 0 && (
        <Fact term={texts.held}>
          <a href={heldPath}>
            {held.waiting > 0 ? counts.waiting(held.waiting) : counts.rejected(held.rejected)}
          </a>
        </Fact>
      )}
    </dl>
  );
}

function Removal({ visit, name }: { visit: StaffRequest; name: string }): VNode {
  const texts = useMessages().consoleSources.source;
  return (
    <Section title={texts.remove} id="remove">
      <p>{texts.removeText}</p>
      <div>
        <ButtonLink look="quiet" href={visit.path(withQuery('/admin/source/remove', { name }))}>
          {texts.removeLink}
        </ButtonLink>
      </div>
    </Section>
  );
}
