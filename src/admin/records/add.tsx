/** /admin/add-record: writes a record by hand. */
import type { VNode } from 'preact';
import { editableFieldsOf } from '../../contract/editable-fields.ts';
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { ErrorSummary, TextInput } from '../inputs.tsx';
import { StaffForm, withQuery } from '../parts.tsx';
import { refusedStatus } from '../refusals.ts';
import { openedForm, type ShownForm } from './edit-form.ts';
import { labelOf } from './fields.tsx';
import { assertOneArtistEach, refusedRecordForm } from './namesakes.ts';
import { RowInputs } from './row-inputs.tsx';
import { moreRows, type RowType, rowTypeOf, sentRows, valueOfRows, withEmptyRows } from './rows.ts';

type Hint = keyof Pick<Messages['consoleEdit']['add'], 'start' | 'end' | 'country' | 'url'>;
type Input = { name: string; hint?: Hint; required?: boolean; lines?: number };
const country: Input = { name: 'country', hint: 'country' };

/** The inputs of each kind that can be added here. `cratebase add` has the others. */
const inputs: Record<string, Input[]> = {
  event: [
    { name: 'name', required: true },
    { name: 'start_at', hint: 'start', required: true },
    { name: 'end_at', hint: 'end' },
    { name: 'venue' },
    { name: 'city' },
    country,
    { name: 'url', hint: 'url' },
    { name: 'image_url' },
    { name: 'lineup' },
    { name: 'tickets' },
    { name: 'genres' },
    { name: 'description', lines: 4 },
  ],
  artist: [
    { name: 'name', required: true },
    country,
    { name: 'image_url' },
    { name: 'aliases' },
    { name: 'genres' },
    { name: 'links' },
    { name: 'biography', lines: 4 },
  ],
  venue: [
    { name: 'name', required: true },
    { name: 'city', required: true },
    { ...country, required: true },
    { name: 'address' },
    { name: 'website' },
    { name: 'image_url' },
  ],
};

const kindOf = (text: string | null): string =>
  text !== null && Object.hasOwn(inputs, text) ? text : 'event';

/** The type of a list that is written in rows; null for other inputs. The venue of a new event is typed as a name. */
function rowTypeOfInput(kind: string, name: string): RowType | null {
  const field = editableFieldsOf(kind as FeedKind)[name];
  if (field === undefined || field.type === 'place') return null;
  return rowTypeOf({ type: field.type, value: null });
}

/** Shows the form of a new record of a kind. @param form what was sent with it, and why it was refused */
export function showAddRecord(visit: StaffRequest, form: ShownForm = openedForm): void {
  const kind = kindOf(form.values === null ? visit.query.get('kind') : form.values.get('kind'));
  const { add: words, kinds } = visit.messages.consoleEdit;
  const title = words.titles[kind] ?? words.add;
  const children = (
    <>
      <h1>{title}</h1>
      <nav class="actions" aria-label={words.kinds}>
        {Object.keys(inputs).map((one) => (
          <a
            href={visit.path(withQuery('/admin/add-record', { kind: one }))}
            aria-current={one === kind ? 'page' : undefined}
            key={one}
          >
            {kinds[one]}
          </a>
        ))}
      </nav>
      <ErrorSummary title={words.refused} errors={form.errors} />
      <p class="lead">{words.lead}</p>
      <AddForm visit={visit} kind={kind} form={form} />
    </>
  );
  const status = Object.keys(form.errors).length === 0 ? 200 : refusedStatus;
  visit.render(status, { title, section: '/admin/records', children });
}

type AddFormProps = { visit: StaffRequest; kind: string; form: ShownForm };

function AddForm({ visit, kind, form }: AddFormProps): VNode {
  const words = visit.messages.consoleEdit.add;
  return (
    <StaffForm visit={visit} action="/admin/add-record" look="grid actions-below" fields={{ kind }}>
      {/* The Enter key presses the first button of a form. */}
      <button type="submit" hidden>
        {words.add}
      </button>
      {(inputs[kind] ?? []).map((input) => (
        <AddInput visit={visit} kind={kind} form={form} input={input} key={input.name} />
      ))}
      <div class="whole">
        <button type="submit">{words.add}</button>
      </div>
    </StaffForm>
  );
}

function AddInput({ visit, kind, form, input }: AddFormProps & { input: Input }): VNode {
  const { name, hint, required, lines } = input;
  const { messages } = visit;
  const label = labelOf(messages, name);
  const type = rowTypeOfInput(kind, name);
  if (type !== null) {
    const typedRows = form.values === null ? null : sentRows(form.values, name, type);
    const hasMore = form.values?.get('more') === name;
    const rows =
      typedRows === null
        ? withEmptyRows(type, [])
        : hasMore
          ? withEmptyRows(type, typedRows, moreRows)
          : typedRows;
    const focusedRow = hasMore ? (typedRows?.length ?? 0) : null;
    const words = messages.consoleRecords.rows;
    const { errors, suggestions } = form;
    return <RowInputs {...{ words, field: name, type, label, rows, focusedRow, errors, suggestions }} />;
  }
  return (
    <TextInput
      name={name}
      label={label}
      value={form.values?.get(name) ?? ''}
      error={form.errors[name]}
      hint={hint && messages.consoleEdit.add[hint]}
      required={required}
      rows={lines}
    />
  );
}

/** The values of the form. Throws a `Failure` that names the input of an invalid one. */
function readValues(
  visit: StaffRequest,
  kind: string,
): { field: string; operation: 'set'; value: unknown }[] {
  const { rows: words } = visit.messages.consoleRecords;
  return (inputs[kind] ?? []).flatMap(({ name }) => {
    const type = rowTypeOfInput(kind, name);
    const text = visit.field(name).replaceAll('\r\n', '\n').trim();
    const value =
      type === null
        ? text
        : valueOfRows({ field: name, type, before: null }, sentRows(visit.form, name, type) ?? [], words);
    return value === null || value === '' ? [] : [{ field: name, operation: 'set' as const, value }];
  });
}

/** Adds the record, or shows the form again with what was sent. */
export async function addRecord(visit: StaffRequest): Promise<void> {
  const kind = kindOf(visit.field('kind'));
  if (visit.form.has('more')) return showAddRecord(visit, { values: visit.form, errors: {} });
  const { required: text } = visit.messages.consoleEdit.add;
  const empty = (inputs[kind] ?? []).filter(
    ({ name, required }) => required && visit.field(name).trim() === '',
  );
  if (empty.length > 0) {
    const errors = Object.fromEntries(empty.map(({ name }) => [name, text]));
    return showAddRecord(visit, { values: visit.form, errors });
  }
  try {
    const input = { kind, changes: readValues(visit, kind) };
    const types = input.changes.map(({ field }) => [field, rowTypeOfInput(kind, field) ?? 'names'] as const);
    await assertOneArtistEach(visit, Object.fromEntries(types));
    const { records } = await runAction<{ records: { record: RecordSummary }[] }>(visit, 'record.add', input);
    visit.redirect(withQuery(`/admin/records/${records[0]?.record.id}`, { done: 'added' }));
  } catch (failure) {
    showAddRecord(visit, refusedRecordForm(visit, failure));
  }
}
