/** The forms of a record's page: edit, reset, hide, delete, unhide, restore, merge, split, undo. */
import { Failure } from '../../failure.ts';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { withQuery } from '../parts.tsx';
import { forgetArtist } from './forget.tsx';
import { recordOf } from './record.tsx';
import type { RecordSummary, ShownRecord } from './types.ts';
import { fromInputText } from './values.ts';

type Change = { field: string; operation: 'set'; value: unknown };
/** Makes a change. Returns the code of its message (`record.tsx`), and the record to show if it is another one. */
type Handler = (visit: StaffRequest, record: string) => Promise<{ done: string; show?: string }>;

const removal =
  (verb: 'hide' | 'delete' | 'unhide' | 'restore'): Handler =>
  async (visit, record) => {
    const reason = visit.field('reason').trim() || null;
    const { record: removed } = await runAction<{ record: RecordSummary }>(visit, `record.${verb}`, {
      record,
      reason,
    });
    return { done: verb, show: removed.id };
  };

const handlers: Record<string, Handler> = {
  edit,
  hide: removal('hide'),
  delete: removal('delete'),
  unhide: removal('unhide'),
  restore: removal('restore'),
  async reset(visit, record) {
    const fields = visit.form.getAll('field');
    if (fields.length === 0) throw new Failure('Choose at least one field to reset.', 2);
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
    if (parts.length === 0) throw new Failure('Choose at least one source record that leaves.', 2);
    await runAction(visit, 'record.split', { record, parts });
    return { done: 'split' };
  },
  async undo(visit) {
    const entry = visit.field('entry');
    if (!/^\d{1,15}$/.test(entry)) throw new Failure('The form does not name an entry of the history.', 2);
    await runAction(visit, 'record.undo', { auditId: Number(entry) });
    return { done: 'undo' };
  },
};

export async function changeRecord(visit: StaffRequest): Promise<void> {
  const action = visit.field('do');
  if (action === 'forget') return await forgetArtist(visit);
  const handler = Object.hasOwn(handlers, action) ? handlers[action] : undefined;
  if (handler === undefined) throw new Failure('The form does not say what to do with the record.', 2);
  const { done, show = visit.ids[0] } = await handler(visit, recordOf(visit));
  visit.redirect(withQuery(`/admin/records/${show}`, { done }));
}

/** Saves the fields whose text differs from what the page showed. */
async function edit(visit: StaffRequest, record: string): Promise<{ done: string }> {
  const names = [...visit.form.keys()].flatMap((key) =>
    key.startsWith('field.') ? [key.slice('field.'.length)] : [],
  );
  const normalize = (text: string): string => text.replaceAll('\r\n', '\n').trim();
  const changed = names.filter(
    (name) => normalize(visit.field(`field.${name}`)) !== normalize(visit.field(`was.${name}`)),
  );
  if (changed.length === 0) return { done: 'unchanged' };
  const { fields } = await runAction<ShownRecord>(visit, 'record.show', { record });
  const changes: Change[] = [];
  const expected: Record<string, unknown> = {};
  for (const name of changed) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) throw new Failure(`The record has no field ${name}.`, 2);
    changes.push({
      field: name,
      operation: 'set',
      value: fromInputText(field, visit.field(`field.${name}`)),
    });
    expected[name] = fromInputText(field, visit.field(`was.${name}`));
  }
  await runAction(visit, 'record.edit', { record, changes, expected });
  return { done: 'saved' };
}
