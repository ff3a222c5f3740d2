/** /admin/source/runs and /admin/source/rejected: all stored runs of a source, and what its last run rejected. */
import type { VNode } from 'preact';
import { DateTime, EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Crumb, plural } from '../parts.tsx';
import { sourcePath } from './list.tsx';
import type { Rejections, Run } from './types.ts';

/** A table of runs, the newest first. */
export function Runs({ runs }: { runs: readonly Run[] }): VNode {
  if (runs.length === 0) return <EmptyState>It was not read yet.</EmptyState>;
  return (
    <section class="scroll runs" aria-label="Table of runs" tabindex={0}>
      <table>
        <caption class="hidden">Runs, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Started</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Records
            </th>
            <th scope="col" class="number">
              Rejected
            </th>
            <th scope="col">Error</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <DateTime at={Date.parse(run.started_at)} time />
              </th>
              <td>{run.outcome}</td>
              <td class="number">{run.records.toLocaleString('en')}</td>
              <td class="number">{run.rejected.toLocaleString('en')}</td>
              <td>
                <bdi>{run.error ?? ''}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A list of rejected records with the reasons. */
export function Rejected({ rejected }: { rejected: Rejections['rejected'] }): VNode {
  return (
    <ul class="rows">
      {rejected.map(({ where, line, reason }, at) => (
        <li key={at}>
          <div class="what">
            <code>{where ?? `record ${line}`}</code>
            <div class="small">
              <bdi>{reason}</bdi>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

export async function showRuns(visit: StaffRequest): Promise<void> {
  const name = visit.query.get('name') ?? '';
  const runs = await runAction<Run[]>(visit, 'source.runs', { name });
  const children = (
    <>
      <Crumb href={sourcePath(visit, name)}>
        <bdi>{name}</bdi>
      </Crumb>
      <h1>Runs</h1>
      <Section mark="A1" title={plural(runs.length, 'run')} id="runs">
        <Runs runs={runs} />
        {runs.length > 0 && <p class="small soft">The last 100 runs are kept.</p>}
      </Section>
    </>
  );
  visit.render(200, { title: `Runs of ${name}`, section: '/admin/sources', children });
}

export async function showRejected(visit: StaffRequest): Promise<void> {
  const name = visit.query.get('name') ?? '';
  const { rejected, rejected_count: count } = await runAction<Rejections>(visit, 'source.rejected', { name });
  const more = count - rejected.length;
  const children = (
    <>
      <Crumb href={sourcePath(visit, name)}>
        <bdi>{name}</bdi>
      </Crumb>
      <h1>Rejected records</h1>
      <p class="lead">They stay listed until the source is read again without the mistake.</p>
      <Section mark="A1" title={plural(count, 'record')} id="rejected">
        {count === 0 ? <EmptyState>No record was rejected.</EmptyState> : <Rejected rejected={rejected} />}
        {more > 0 && <p class="small soft">{`${more.toLocaleString('en')} more`}</p>}
      </Section>
    </>
  );
  visit.render(200, { title: `Rejected records of ${name}`, section: '/admin/sources', children });
}
