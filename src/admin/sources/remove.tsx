/** /admin/source/remove: three ways to remove a source, with what each removes. */
import type { VNode } from 'preact';
import { Failure } from '../../failure.ts';
import { ButtonLink, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { ActionForm, Check } from '../inputs.tsx';
import { withQuery } from '../parts.tsx';
import { sourcePath } from './list.tsx';
import type { PurgePreview, SourceDetails } from './types.ts';

export async function confirmRemoval(visit: StaffRequest): Promise<void> {
  const name = visit.query.get('name') ?? '';
  const source = await runAction<SourceDetails>(visit, 'source.show', { name });
  const purge = await runAction<PurgePreview>(visit, 'source.purge-preview', { name });
  const form = (way: string, label: string, look: 'quiet' | 'danger', children?: VNode) => (
    <ActionForm
      action={visit.path('/admin/source/remove')}
      csrf={visit.session.csrf}
      fields={{ name, way }}
      label={label}
      look={look}
    >
      {children}
    </ActionForm>
  );
  const children = (
    <>
      <h1 class="ask">
        Remove <bdi>{name}</bdi>?
      </h1>
      {source.scheduled && (
        <Section mark="A1" title="Keep its records" id="keep">
          <p>It is not read any more. What it brought stays as it is.</p>
          {form('keep', 'Remove from the schedule', 'quiet')}
        </Section>
      )}
      {source.scheduled && (
        <Section mark="A2" title="Withdraw its records" id="withdraw">
          <p>Upcoming events that no other source lists leave the catalogue. You can bring them back.</p>
          {form('withdraw', 'Remove and withdraw', 'quiet')}
        </Section>
      )}
      <Section mark="B1" title="Remove with all it brought" id="purge">
        <p>
          {`Its ${purge.source_records.toLocaleString('en')} source records are deleted. Records that no other source has go: `}
          <b>{countsText(purge.removed)}</b>
          {`. ${keptText(purge.kept)}`}
        </p>
        <p>
          <b>This cannot be undone.</b>
        </p>
        {form(
          'purge',
          'Remove with its records',
          'danger',
          <Check name="sure" label="Delete these records for good" checked={false} required />,
        )}
      </Section>
      <div class="actions">
        <ButtonLink look="quiet" href={sourcePath(visit, name)}>
          Keep the source
        </ButtonLink>
      </div>
    </>
  );
  visit.render(200, { title: `Remove ${name}`, section: '/admin/sources', children });
}

/** Counts by kind in words: `915 events, 2 venues`. */
function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? kind : pluralOf(kind)}`],
  );
  return parts.join(', ') || 'none';
}

/** What other sources keep, as a sentence. */
function keptText(counts: Readonly<Record<string, number>>): string {
  const kept = countsText(counts);
  return kept === 'none' ? 'No record of another source is affected.' : `Others stay: ${kept}.`;
}

const pluralOf = (kind: string): string => (kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`);

export async function removeSource(visit: StaffRequest): Promise<void> {
  const [name, way] = [visit.field('name'), visit.field('way')];
  if (way === 'purge') {
    if (visit.field('sure') !== '1')
      throw new Failure(
        'Tick “Delete these records for good” to remove the source with its records. Nothing was changed.',
        2,
      );
    await runAction(visit, 'source.purge', { name });
    return visit.redirect(withQuery('/admin/sources', { done: 'purging' }));
  }
  if (way !== 'keep' && way !== 'withdraw') throw new Failure('Choose what happens to its records.', 2);
  await runAction(visit, 'source.remove', { name, withdraw: way === 'withdraw' });
  visit.redirect(withQuery('/admin/sources', { done: way === 'keep' ? 'removed' : 'withdrawn' }));
}
