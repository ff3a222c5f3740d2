/** /admin/records/ID/forget: what forgetting an artist does, and the choice about the name, before it is done. */
import { Failure } from '../../failure.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { Button, QuietLink, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Check, ErrorSummary, FieldError, type FormState } from '../inputs.tsx';
import { StaffForm } from '../parts.tsx';
import { refusedForm, refusedStatus } from '../refusals.ts';
import { recordOf, showRecordPage } from './record.tsx';
import type { ShownRecord } from './types.ts';

type ForgetReport = { id: string; slug: string | null; changed_records: number; is_file_rewritten: boolean };

/**
 * Shows what forgetting an artist does, with the choice about the name. For another record, its page says why it cannot be.
 * @param form what was sent, and why it was refused
 */
export async function confirmForget(visit: StaffRequest, form: FormState | null = null): Promise<void> {
  const words = visit.messages.consoleEdit.forget;
  const { record, removed } = await runAction<ShownRecord>(visit, 'record.show', { record: recordOf(visit) });
  if (record.kind !== 'artist' || removed !== null)
    return await showRecordPage(visit, { values: visit.query, errors: { '': words.notArtist } });
  const path = `/admin/records/${record.id}`;
  const children = (
    <>
      <h1 class="ask">
        <Filled text={words.ask} parts={{ name: <bdi>{record.name}</bdi> }} />
      </h1>
      {form !== null && <ErrorSummary title={words.refused} errors={form.errors} />}
      <p class="lead">
        <b>{words.final}</b> {words.lead}
      </p>
      <StaffForm visit={visit} action={path} look="stack actions-below" fields={{ do: 'forget' }}>
        <fieldset class="field" id="field-name" tabindex={-1}>
          <legend>{words.stageName}</legend>
          <label class="check">
            <input
              type="radio"
              name="name"
              value="keep"
              required
              checked={form?.values.get('name') === 'keep'}
            />
            <span>{words.keepName}</span>
          </label>
          <label class="check">
            <input
              type="radio"
              name="name"
              value="remove"
              required
              checked={form?.values.get('name') === 'remove'}
            />
            <span>{words.removeName}</span>
          </label>
          <FieldError id="field-name" error={form?.errors.name} />
        </fieldset>
        <Check
          name="sure"
          label={words.sure}
          checked={form?.values.get('sure') === '1'}
          error={form?.errors.sure}
        />
        <div class="inline">
          <Button look="danger">{words.forget}</Button>
          <QuietLink href={visit.path(path)}>{words.keep}</QuietLink>
        </div>
      </StaffForm>
    </>
  );
  const status = form === null ? 200 : refusedStatus;
  visit.render(status, { title: words.title, section: '/admin/records', children });
}

/** Forgets an artist, and says what is left to do: backups, and unused parts of the data file. */
export async function forgetArtist(visit: StaffRequest): Promise<void> {
  const name = visit.field('name');
  const errors = {
    ...(name === 'keep' || name === 'remove' ? {} : { name: visit.messages.consoleEdit.forget.nameMissing }),
    ...(visit.field('sure') === '1' ? {} : { sure: visit.messages.consoleEdit.forget.sureMissing }),
  };
  if (Object.keys(errors).length > 0) return await confirmForget(visit, { values: visit.form, errors });
  let report: ForgetReport;
  try {
    report = await runAction<ForgetReport>(visit, 'record.forget', { record: recordOf(visit), name });
  } catch (failure) {
    if (failure instanceof Failure && failure.details.isMissing === true) throw failure;
    return await confirmForget(
      visit,
      refusedForm(visit, failure, () => null),
    );
  }
  const { consoleEdit, formats } = visit.messages;
  const words = consoleEdit.forget;
  const children = (
    <>
      <h1>{words.done}</h1>
      <p class="lead">
        {report.slug === null ? words.doneAll : words.doneKept}{' '}
        {report.changed_records > 0 && words.changed(formats.number(report.changed_records))}
      </p>
      <Section title={words.left} id="left">
        <ul>
          <li>{words.backups}</li>
          {!report.is_file_rewritten && (
            <li>
              <Filled text={words.sweep} parts={{ command: <code>cratebase forget --sweep</code> }} />
            </li>
          )}
        </ul>
      </Section>
      <div class="actions">
        <QuietLink href={visit.path('/admin/records')}>{words.toRecords}</QuietLink>
      </div>
    </>
  );
  visit.render(200, { title: words.done, section: '/admin/records', children });
}
