/** The forms of a record's page: edit, reset, hide, delete, unhide, restore, merge, split, undo. */
import type { RecordSummary } from '../../contract/review-items.ts';
import { Failure } from '../../failure.ts';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { withQuery } from '../parts.tsx';
import { translatedCode } from '../refusals.ts';
import { confirmChange } from './confirm.tsx';
import { inputOfField, readChanges } from './edit-form.ts';
import { forgetArtist } from './forget.tsx';
import { assertOneArtistEach, refusedRecordForm } from './namesakes.ts';
import { recordOf, showRecordPage } from './record.tsx';
import type { RowType } from './rows.ts';
import type { ShownRecord } from './types.ts';

/** Makes a change. Returns the code of its message (`record.tsx`), and the record to show if it is another one. */
type Handler = (visit: StaffRequest, record: string) => Promise<{ done: string; show?: string }>;

const removal =
  (verb: 'hide' | 'delete' | 'unhide' | 'restore'): Handler =>
  async (visit, record) => {
    const reason = visit.field('reason').trim() || null;
    const { record: summary } = await runAction<{ record: RecordSummary }>(visit, `record.${verb}`, {
      record,
      reason,
    });
    return { done: verb, show: summary.id };
  };

/** The failure of a choice that is missing. Its message is in the language of the visit. */
const missingChoice = (field: string, text: string): Failure =>
  new Failure(text, 2, { field, code: translatedCode });

const handlers: Record<string, Handler> = {
  edit,
  hide: removal('hide'),
  delete: removal('delete'),
  unhide: removal('unhide'),
  restore: removal('restore'),
  async reset(visit, record) {
    const fields = visit.form.getAll('field');
    if (fields.length === 0) throw missingChoice('reset', visit.messages.consoleEdit.form.resetMissing);
    await runAction(visit, 'record.reset', { record, fields });
    return { done: 'reset' };
  },
  async merge(visit, record) {
    const force = visit.field('force') === '1';
    await runAction(visit, 'record.merge', { a: record, b: visit.field('other').trim(), force });
    return { done: 'merge' };
  },
  async split(visit, record) {
    const parts = visit.form.getAll('part');
    if (parts.length === 0) throw missingChoice('part', visit.messages.consoleEdit.form.splitMissing);
    await runAction(visit, 'record.split', { record, parts });
    return { done: 'split' };
  },
  async undo(visit) {
    const entry = visit.field('entry');
    if (!/^\d{1,15}$/.test(entry))
      throw new Failure('The form does not name an entry of the history.', 2, { code: 'form' });
    await runAction(visit, 'record.undo', { auditId: Number(entry) });
    return { done: 'undo' };
  },
};

/** Makes the change of a form. A refused one is shown again with what was sent. */
export async function changeRecord(visit: StaffRequest): Promise<void> {
  const action = visit.field('do');
  if (action === 'forget') return await forgetArtist(visit);
  const handler = Object.hasOwn(handlers, action) ? handlers[action] : undefined;
  if (handler === undefined)
    throw new Failure('The form does not say what to do with the record.', 2, { code: 'form' });
  if (action === 'edit' && visit.form.has('more'))
    return await showRecordPage(visit, { values: visit.form, errors: {} });
  try {
    const { done, show = visit.ids[0] } = await handler(visit, recordOf(visit));
    visit.redirect(withQuery(`/admin/records/${show}`, { done }));
  } catch (failure) {
    if (failure instanceof Failure && failure.details.isMissing === true && action !== 'merge') throw failure;
    const toInput = action === 'edit' ? inputOfField(visit.form) : undefined;
    const form = refusedRecordForm(visit, failure, toInput);
    return action === 'merge' ? await confirmChange(visit, form) : await showRecordPage(visit, form);
  }
}

/** Saves the fields that differ from what the page showed. */
async function edit(visit: StaffRequest, record: string): Promise<{ done: string }> {
  const { fields } = await runAction<ShownRecord>(visit, 'record.show', { record });
  const { changes, expected } = readChanges(visit.form, fields, visit.messages);
  if (changes.length === 0) return { done: 'unchanged' };
  const changedFields = fields.filter(({ name }) => changes.some(({ field }) => field === name));
  await assertOneArtistEach(
    visit,
    Object.fromEntries(changedFields.map(({ name, type }) => [name, type as RowType])),
  );
  await runAction(visit, 'record.edit', { record, changes, expected });
  return { done: 'saved' };
}
