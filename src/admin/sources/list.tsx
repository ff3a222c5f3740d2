/** /admin/sources: all sources with their state. */
import type { VNode } from 'preact';
import type { ListedSource } from '../../contract/source-summaries.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import { BoldName, ButtonLink, DateTime, EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { DoneNotice, withQuery } from '../parts.tsx';
import { Pager, readFrom } from './pager.tsx';
import { listProgress, ProgressNotice } from './progress.tsx';

/** Sources on a page: rendering more of them at once would hold up requests. */
const pageSize = 100;

/** Shows a page of the sources, and what is being read or removed. */
export async function showSources(visit: StaffRequest): Promise<void> {
  // Before the list: a source that it says is removed must not be in the list.
  const progress = listProgress(visit);
  const runningNames = new Set(visit.deps.service.runningSources());
  const sources = await runAction<ListedSource[]>(visit, 'source.list', {});
  const { list, counts } = visit.messages.consoleSources;
  const requestedFrom = readFrom(visit.query.get('from'));
  const from = requestedFrom < sources.length ? requestedFrom : 0;
  const page = sources.slice(from, from + pageSize);
  const children = (
    <>
      <h1>{list.title}</h1>
      {progress === null ? (
        <DoneNotice query={visit.query} texts={list.done} />
      ) : (
        <ProgressNotice visit={visit} path="/admin/sources/progress" progress={progress} />
      )}
      <div class="actions">
        <ButtonLink href={visit.path('/admin/sources/add')}>{list.add}</ButtonLink>
      </div>
      <div id="live" data-live>
        <Section title={counts.sources(sources.length)} id="all">
          {sources.length === 0 ? (
            <EmptyState>{list.empty}</EmptyState>
          ) : (
            <ul class="rows">
              {page.map((source) => (
                <SourceRow
                  visit={visit}
                  source={source}
                  isRunning={runningNames.has(source.name)}
                  key={source.name}
                />
              ))}
            </ul>
          )}
          <Pager
            {...{ visit, path: '/admin/sources', query: {}, from, pageSize }}
            shown={page.length}
            all={sources.length}
          />
        </Section>
      </div>
    </>
  );
  const title = list.title;
  visit.render(200, { title, section: '/admin/sources', connect: 'self', children });
}

/** The address of a source's page. */
export const sourcePath = (visit: StaffRequest, name: string, more: Record<string, string> = {}): string =>
  visit.path(withQuery('/admin/source', { name, ...more }));

function SourceRow(props: { visit: StaffRequest; source: ListedSource; isRunning: boolean }): VNode {
  const { visit, source, isRunning } = props;
  const { list, counts } = useMessages().consoleSources;
  const {
    name,
    type,
    records,
    rejected_count,
    scheduled,
    last_run_at,
    last_success_at,
    next_run_at,
    last_error,
    failures,
    closed_venues,
  } = source;
  return (
    <li>
      <div class="what">
        <a href={sourcePath(visit, name)}>
          <BoldName>{name}</BoldName>
        </a>{' '}
        <StateTag source={source} isRunning={isRunning} />
        <div class="small soft">
          {type}, {counts.listed(records)}
          {rejected_count > 0 && `, ${counts.rejected(rejected_count)}`}
          {closed_venues.events > 0 && `, ${counts.atClosedVenues(closed_venues.events)}`}
          <When text={list.lastRead} at={scheduled ? last_success_at : last_run_at} />
          <When text={list.next} at={next_run_at} />
        </div>
        {failures > 0 && last_error !== null && (
          <div class="small error">
            <bdi lang="en">{last_error}</bdi>
          </div>
        )}
      </div>
    </li>
  );
}

/** A text with a time, after a dot. */
function When({ text, at }: { text: string; at: string | null }): VNode | null {
  if (at === null) return null;
  return (
    <>
      {' · '}
      <Filled text={text} parts={{ date: <DateTime at={Date.parse(at)} time /> }} />
    </>
  );
}

/** The state of a source in one or two words. */
export function StateTag({ source, isRunning }: { source: ListedSource; isRunning: boolean }): VNode {
  const { states } = useMessages().consoleSources;
  const { scheduled, paused_at, failures, last_success_at } = source;
  const [look, text] = isRunning
    ? ['soft', states.reading]
    : !scheduled
      ? ['soft', states.unscheduled]
      : paused_at !== null
        ? ['soft', states.paused]
        : failures > 0
          ? ['bad', states.failed(failures)]
          : last_success_at === null
            ? ['soft', states.fresh]
            : ['good', states.ok];
  return <span class={`tag ${look}`}>{text}</span>;
}
