/** /admin/records/ID/confirm: what a merge does, before it is done. */
import { Failure } from '../../failure.ts';
import { ButtonLink, CsrfField, Fact } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Check } from '../inputs.tsx';
import { recordOf } from './record.tsx';
import type { ShownRecord } from './types.ts';

export async function confirmChange(visit: StaffRequest): Promise<void> {
  const text = (visit.query.get('other') ?? '').trim();
  if (text === '') throw new Failure('Name the record that is merged into this one.', 2);
  const { record } = await runAction<ShownRecord>(visit, 'record.show', { record: recordOf(visit) });
  const { record: other } = await runAction<ShownRecord>(visit, 'record.show', { record: text });
  const path = `/admin/records/${record.id}`;
  const children = (
    <>
      <h1 class="ask">
        Merge <bdi>{other.name}</bdi> into <bdi>{record.name}</bdi>?
      </h1>
      <dl class="facts actions-below">
        <Fact term="Stays">
          <bdi>{record.name}</bdi> <code>{`${record.kind}/${record.slug}`}</code>
        </Fact>
        <Fact term="Is merged into it">
          <bdi>{other.name}</bdi> <code>{`${other.kind}/${other.slug}`}</code>
        </Fact>
      </dl>
      <p class="lead">
        Its events, sources and names move to the record that stays, and its address leads there. Later
        imports keep the two together. You can undo it in the history of the record.
      </p>
      <form class="actions-below" method="post" action={visit.path(path)}>
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="do" value="merge" />
        <input type="hidden" name="other" value={other.id} />
        <Check name="force" label="Also if somebody decided that the two are different" checked={false} />
        <div class="inline actions-below">
          <button type="submit">Merge</button>
          <ButtonLink look="quiet" href={visit.path(path)}>
            Keep both
          </ButtonLink>
        </div>
      </form>
    </>
  );
  visit.render(200, { title: 'Merge', section: '/admin/records', children });
}
