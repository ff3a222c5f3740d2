/** /admin/source/remove: three ways to remove a source, with what each removes. */
import type { VNode } from 'preact';
import type { PurgeForecast, ShownSource } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import { QuietLink, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Check, ErrorSummary, type FormState } from '../inputs.tsx';
import { ActionForm, withQuery } from '../parts.tsx';
import { refusedStatus, translatedCode } from '../refusals.ts';
import { assertSource, sourceName } from './failures.tsx';
import { sourcePath } from './list.tsx';

/** Shows the ways to remove a source. */
export async function confirmRemoval(visit: StaffRequest): Promise<void> {
  await renderRemoval(visit, {});
}

/** Shows the ways to remove a source, with the effect of each. @param errors of the form that was sent */
async function renderRemoval(visit: StaffRequest, errors: FormState['errors']): Promise<void> {
  const name = sourceName(visit);
  const source = await runAction<ShownSource>(visit, 'source.show', { name });
  const purge = await runAction<PurgeForecast>(visit, 'source.purge-preview', { name });
  const { remove, counts } = visit.messages.consoleSources;
  const isRunning = visit.deps.service.runningSources().includes(name);
  const children = (
    <>
      <h1 class="ask">
        <Filled text={remove.ask} parts={{ name: <bdi>{name}</bdi> }} />
      </h1>
      <ErrorSummary title={remove.refused} errors={errors} />
      {isRunning && (
        <div class="notice actions-below" role="status">
          {remove.running}
        </div>
      )}
      {source.scheduled && (
        <Section title={remove.keep} id="keep">
          <p>{remove.keepText(counts.listed(source.records))}</p>
          <WayForm visit={visit} name={name} way="keep" label={remove.keepButton} />
        </Section>
      )}
      {source.scheduled && (
        <Section title={remove.withdraw} id="withdraw">
          <p>{remove.withdrawText}</p>
          <WayForm visit={visit} name={name} way="withdraw" label={remove.withdrawButton} />
        </Section>
      )}
      <Section title={remove.purge} id="purge">
        <PurgeText source={source} purge={purge} />
        <WayForm visit={visit} name={name} way="purge" label={remove.purgeButton}>
          <Check name="sure" label={remove.sure} checked={false} required error={errors.sure} />
        </WayForm>
      </Section>
      <div class="actions">
        <QuietLink href={sourcePath(visit, name)}>{remove.back}</QuietLink>
      </div>
    </>
  );
  const status = Object.keys(errors).length === 0 ? 200 : refusedStatus;
  visit.render(status, { title: remove.title(name), section: '/admin/sources', children });
}

type WayProps = { visit: StaffRequest; name: string; way: string; label: string; children?: VNode };

const WayForm = ({ visit, name, way, label, children }: WayProps): VNode => (
  <ActionForm
    visit={visit}
    action="/admin/source/remove"
    fields={{ name, way }}
    label={label}
    look={way === 'purge' ? 'danger' : 'quiet'}
  >
    {children}
  </ActionForm>
);

/** What the removal with all records deletes, what leaves the catalogue, and what stays. */
function PurgeText({ source, purge }: { source: ShownSource; purge: PurgeForecast }): VNode {
  const { remove, counts, kindCount } = useMessages().consoleSources;
  const unlisted = purge.source_records - source.records;
  const deletions = [counts.listed(source.records), ...(unlisted > 0 ? [counts.unlisted(unlisted)] : [])];
  const inWords = (byKind: Readonly<Record<string, number>>): string =>
    Object.entries(byKind)
      .flatMap(([kind, count]) => (count === 0 ? [] : [kindCount(kind, count)]))
      .join(', ');
  const [leave, stay, hidden] = [inWords(purge.removed), inWords(purge.kept), inWords(purge.hidden)];
  return (
    <>
      <p>{remove.deleted(deletions.join(', '))}</p>
      <p>
        {leave === '' ? remove.noneLeaves : <Filled text={remove.leave} parts={{ counts: <b>{leave}</b> }} />}
      </p>
      <p>{stay === '' ? remove.noOthers : remove.others(stay)}</p>
      {hidden !== '' && <p>{remove.hidden(hidden)}</p>}
      <p>
        <b>{remove.final}</b>
      </p>
    </>
  );
}

/**
 * Removes a source in the way that the form names: `keep` ends the schedule, `withdraw` also ends its listings, `purge` deletes
 * all that it brought in, once `sure` is checked. Throws a `Failure` for another way.
 */
export async function removeSource(visit: StaffRequest): Promise<void> {
  const [name, way] = [sourceName(visit), visit.field('way')];
  const { remove, errors } = visit.messages.consoleSources;
  if (way === 'purge') {
    if (visit.field('sure') !== '1') return await renderRemoval(visit, { sure: errors.sure ?? '' });
    assertSource(visit, name);
    await runAction(visit, 'source.purge', { name });
    return visit.redirect(withQuery('/admin/sources', { done: 'purging', purge: name }));
  }
  if (way !== 'keep' && way !== 'withdraw') throw new Failure(remove.noWay, 2, { code: translatedCode });
  await runAction(visit, 'source.remove', { name, withdraw: way === 'withdraw' });
  visit.redirect(withQuery('/admin/sources', { done: way === 'keep' ? 'removed' : 'withdrawn' }));
}
