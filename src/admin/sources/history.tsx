/** /admin/source/runs and /admin/source/rejected: all stored runs of a source, and what its last run rejected. */
import type { VNode } from 'preact';
import type { SourceRunSummary, StoredRejections } from '../../contract/source-summaries.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { DateTime, EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Crumb } from '../parts.tsx';
import { sourceName } from './failures.tsx';
import { sourcePath } from './list.tsx';

type RunsProps = { runs: readonly SourceRunSummary[]; isScheduled?: boolean };

/**
 * A table of runs, the newest first.
 * @param isScheduled false for a source whose files are imported by hand, which has no runs
 */
export function Runs({ runs, isScheduled = true }: RunsProps): VNode {
  const messages = useMessages();
  const { number } = messages.formats;
  const { runs: texts } = messages.consoleSources;
  if (runs.length === 0) return <EmptyState>{isScheduled ? texts.empty : texts.byHand}</EmptyState>;
  return (
    <section class="scroll runs" aria-label={texts.table} tabindex={0}>
      <table>
        <caption class="hidden">{texts.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.started}</th>
            <th scope="col">{texts.result}</th>
            <th scope="col" class="number">
              {texts.listed}
            </th>
            <th scope="col" class="number">
              {texts.rejected}
            </th>
            <th scope="col">{texts.error}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <DateTime at={Date.parse(run.started_at)} time />
              </th>
              <td>{texts.outcomes[run.outcome] ?? run.outcome}</td>
              <td class="number">{number(run.records)}</td>
              <td class="number">{number(run.rejected)}</td>
              <td>
                <bdi lang="en">{run.error ?? ''}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A list of rejected records with the reasons. */
export function Rejected({ rejected }: { rejected: StoredRejections['rejected'] }): VNode {
  const texts = useMessages().consoleSources.rejected;
  return (
    <ul class="rows">
      {rejected.map(({ where, line, reason }, at) => (
        <li key={at}>
          <div class="what">
            <code>{where ?? texts.record(line)}</code>
            <div class="small">
              <bdi lang="en">{reason}</bdi>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The link back to the source, and the heading. */
const Head = ({ visit, name, heading }: { visit: StaffRequest; name: string; heading: string }): VNode => (
  <>
    <Crumb href={sourcePath(visit, name)}>
      <bdi>{name}</bdi>
    </Crumb>
    <h1>{heading}</h1>
  </>
);

/** Shows all stored runs of a source. */
export async function showRuns(visit: StaffRequest): Promise<void> {
  const name = sourceName(visit);
  const runs = await runAction<SourceRunSummary[]>(visit, 'source.runs', { name });
  const { runs: texts, counts } = visit.messages.consoleSources;
  const children = (
    <>
      <Head visit={visit} name={name} heading={texts.heading} />
      <Section title={counts.runs(runs.length)} id="runs">
        <Runs runs={runs} />
        {runs.length > 0 && <p class="small soft">{texts.kept}</p>}
      </Section>
    </>
  );
  visit.render(200, { title: texts.title(name), section: '/admin/sources', children });
}

/** Shows the stored records that the last run of a source rejected, and how many there were. */
export async function showRejected(visit: StaffRequest): Promise<void> {
  const name = sourceName(visit);
  const { rejected, rejected_count: count } = await runAction<StoredRejections>(visit, 'source.rejected', {
    name,
  });
  const { rejected: texts, counts } = visit.messages.consoleSources;
  const children = (
    <>
      <Head visit={visit} name={name} heading={texts.heading} />
      <p class="lead">{texts.lead}</p>
      <Section title={counts.records(count)} id="rejected">
        {count === 0 ? <EmptyState>{texts.empty}</EmptyState> : <Rejected rejected={rejected} />}
        {count > rejected.length && <p class="small soft">{counts.shown(rejected.length, count)}</p>}
      </Section>
    </>
  );
  visit.render(200, { title: texts.title(name), section: '/admin/sources', children });
}
