/** /admin/sources: all sources with their state. */
import type { VNode } from 'preact';
import { ButtonLink, DateTime, EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { DoneNotice, plural, withQuery } from '../parts.tsx';
import type { Source } from './types.ts';

const doneTexts: Record<string, string> = {
  removed: 'Removed from the schedule. Its records stay.',
  withdrawn:
    'Removed. Its records are withdrawn: upcoming events that no other source lists left the catalogue. You can bring them back.',
  purging: 'The source is being removed with its records. This takes a while; reload this page to see it go.',
};

export async function showSources(visit: StaffRequest): Promise<void> {
  const sources = await runAction<Source[]>(visit, 'source.list', {});
  const children = (
    <>
      <h1>Sources</h1>
      <DoneNotice query={visit.query} texts={doneTexts} />
      <div class="actions">
        <ButtonLink href={visit.path('/admin/sources/add')}>Add a source</ButtonLink>
      </div>
      <Section mark="A1" title={plural(sources.length, 'source')} id="all">
        {sources.length === 0 ? (
          <EmptyState>
            There are no sources. Add the address of a calendar, a feed or a page with events.
          </EmptyState>
        ) : (
          <ul class="rows">
            {sources.map((source) => (
              <SourceRow visit={visit} source={source} key={source.name} />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
  visit.render(200, { title: 'Sources', section: '/admin/sources', children });
}

/** The address of a source's page. */
export const sourcePath = (visit: StaffRequest, name: string, more: Record<string, string> = {}): string =>
  visit.path(withQuery('/admin/source', { name, ...more }));

function SourceRow({ visit, source }: { visit: StaffRequest; source: Source }): VNode {
  const { name, type, records, rejected_count, last_success_at, next_run_at, last_error, failures } = source;
  return (
    <li>
      <div class="what">
        <a href={sourcePath(visit, name)}>
          <strong>
            <bdi>{name}</bdi>
          </strong>
        </a>{' '}
        <StateTag source={source} />
        <div class="small soft">
          {type}, {plural(records, 'record')}
          {rejected_count > 0 && `, ${rejected_count.toLocaleString('en')} rejected`}
          {last_success_at !== null && (
            <>
              {' · last read '}
              <DateTime at={Date.parse(last_success_at)} time />
            </>
          )}
          {next_run_at !== null && (
            <>
              {' · next '}
              <DateTime at={Date.parse(next_run_at)} time />
            </>
          )}
        </div>
        {failures > 0 && last_error !== null && (
          <div class="small error">
            <bdi>{last_error}</bdi>
          </div>
        )}
      </div>
    </li>
  );
}

/** The state of a source in one or two words. */
export function StateTag({ source }: { source: Source }): VNode {
  const { scheduled, paused_at, failures, last_success_at } = source;
  const [look, text] = !scheduled
    ? ['soft', 'not scheduled']
    : paused_at !== null
      ? ['soft', 'paused']
      : failures > 0
        ? ['bad', failures === 1 ? 'failed' : `failed ${failures} times`]
        : last_success_at === null
          ? ['soft', 'not read yet']
          : ['good', 'ok'];
  return <span class={`tag ${look}`}>{text}</span>;
}
