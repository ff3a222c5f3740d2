/** /admin/records/ID/confirm: what a merge does, before it is done. */
import type { RecordSummary } from '../../contract/review-items.ts';
import { Failure } from '../../failure.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { Fact, QuietLink } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Check, ErrorSummary, type FormState } from '../inputs.tsx';
import { StaffForm } from '../parts.tsx';
import { refusedStatus } from '../refusals.ts';
import { recordOf, showRecordPage } from './record.tsx';
import type { ShownRecord } from './types.ts';

/** Finds the record that is merged into another one; null if there is none. */
async function findOther(visit: StaffRequest, text: string): Promise<RecordSummary | null> {
  try {
    return (await runAction<ShownRecord>(visit, 'record.show', { record: text })).record;
  } catch (failure) {
    if (failure instanceof Failure && failure.details.isMissing === true) return null;
    throw failure;
  }
}

/**
 * Shows which record a merge keeps and which it removes. Without another record to merge with, the page of the record says why.
 * @param form what was sent from this page, and why it was refused
 */
export async function confirmChange(visit: StaffRequest, form: FormState | null = null): Promise<void> {
  const { merge: words, record: recordWords } = visit.messages.consoleEdit;
  const values = form?.values ?? visit.query;
  const text = (values.get('other') ?? '').trim().slice(0, 300);
  const { record } = await runAction<ShownRecord>(visit, 'record.show', { record: recordOf(visit) });
  const other = text === '' ? null : await findOther(visit, text);
  if (other === null) {
    const errors = { other: text === '' ? words.missing : words.notFound };
    return await showRecordPage(visit, { values, errors });
  }
  if (other.id === record.id)
    return await showRecordPage(visit, form ?? { values, errors: { other: words.itself } });
  const path = `/admin/records/${record.id}`;
  const name = (one: RecordSummary) => <bdi>{one.name}</bdi>;
  const children = (
    <>
      <h1 class="ask">
        <Filled text={words.title} parts={{ other: name(other), record: name(record) }} />
      </h1>
      {form !== null && <ErrorSummary title={recordWords.refused} errors={form.errors} />}
      <dl class="facts actions-below">
        <Fact term={words.stays}>
          {name(record)} <code>{`${record.kind}/${record.slug}`}</code>
        </Fact>
        <Fact term={words.merged}>
          {name(other)} <code>{`${other.kind}/${other.slug}`}</code>
        </Fact>
      </dl>
      <p class="lead">{words.lead}</p>
      <StaffForm visit={visit} action={path} look="actions-below" fields={{ do: 'merge', other: other.id }}>
        <Check name="force" label={words.force} checked={values.get('force') === '1'} />
        <div class="inline actions-below">
          <button type="submit">{words.merge}</button>
          <QuietLink href={visit.path(path)}>{words.keep}</QuietLink>
        </div>
      </StaffForm>
    </>
  );
  const status = form === null ? 200 : refusedStatus;
  visit.render(status, { title: words.short, section: '/admin/records', children });
}
