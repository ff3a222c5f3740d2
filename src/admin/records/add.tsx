/** /admin/add-record: writes a record by hand. */
import type { VNode } from 'preact';
import { ActionDelayed } from '../../contract/action-runner.ts';
import { Failure } from '../../failure.ts';
import { CsrfField } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { MessageText } from '../error-pages.tsx';
import { TextInput } from '../inputs.tsx';
import { withQuery } from '../parts.tsx';
import { labelOf } from './fields.tsx';
import type { RecordSummary } from './types.ts';

type Input = { name: string; hint?: string; required?: boolean; rows?: number };
const common: Input[] = [{ name: 'description', rows: 4 }, { name: 'image_url' }];
const place: Input[] = [{ name: 'city' }, { name: 'country', hint: 'Two letters, such as DE' }];

/** The inputs of each kind that can be added here. `cratebase add` has the others. */
const inputs: Record<string, Input[]> = {
  event: [
    { name: 'name', required: true },
    { name: 'start_at', hint: 'Local time: 2027-05-01T23:00', required: true },
    { name: 'end_at', hint: '2027-05-02T08:00' },
    { name: 'venue', hint: 'Name of the house' },
    ...place,
    { name: 'lineup', hint: 'One artist per line', rows: 5 },
    { name: 'genres', hint: 'One per line', rows: 2 },
    { name: 'url', hint: 'Page of the event' },
    ...common,
  ],
  artist: [
    { name: 'name', required: true },
    { name: 'country', hint: 'Two letters, such as DE' },
    { name: 'aliases', hint: 'One per line', rows: 2 },
    { name: 'genres', hint: 'One per line', rows: 2 },
    { name: 'links', hint: 'One address per line', rows: 3 },
    { name: 'biography', rows: 4 },
    { name: 'image_url' },
  ],
  venue: [
    { name: 'name', required: true },
    { name: 'city', required: true },
    { name: 'country', hint: 'Two letters, such as DE', required: true },
    { name: 'address' },
    { name: 'website' },
    { name: 'image_url' },
  ],
};

const kindOf = (text: string | null): string =>
  text !== null && Object.hasOwn(inputs, text) ? text : 'event';

/** @param problem why the record was not added */
export function showAddRecord(visit: StaffRequest, problem: string | null = null): void {
  const kind = kindOf(problem === null ? visit.query.get('kind') : visit.field('kind'));
  const children = (
    <>
      <h1>{`Add ${kind === 'venue' ? 'a' : 'an'} ${kind}`}</h1>
      <nav class="actions" aria-label="Kinds">
        {Object.keys(inputs).map((one) => (
          <a
            href={visit.path(withQuery('/admin/add-record', { kind: one }))}
            aria-current={one === kind ? 'page' : undefined}
            key={one}
          >
            {one}
          </a>
        ))}
      </nav>
      {problem !== null && (
        <div class="notice bad actions-below" role="alert">
          <MessageText text={problem} />
        </div>
      )}
      <p class="lead">If the catalogue has it already, your values join that record.</p>
      <AddForm visit={visit} kind={kind} />
    </>
  );
  visit.render(problem === null ? 200 : 400, { title: `Add ${kind}`, section: '/admin/records', children });
}

function AddForm({ visit, kind }: { visit: StaffRequest; kind: string }): VNode {
  return (
    <form class="grid actions-below" method="post" action={visit.path('/admin/add-record')}>
      <CsrfField token={visit.session.csrf} />
      <input type="hidden" name="kind" value={kind} />
      {(inputs[kind] ?? []).map(({ name, hint, required, rows }) => (
        <TextInput
          name={name}
          label={labelOf(name)}
          value={visit.field(name)}
          {...(hint === undefined ? {} : { hint })}
          {...(required ? { required } : {})}
          {...(rows === undefined ? {} : { rows })}
          key={name}
        />
      ))}
      <div class="whole">
        <button type="submit">Add</button>
      </div>
    </form>
  );
}

export async function addRecord(visit: StaffRequest): Promise<void> {
  const kind = kindOf(visit.field('kind'));
  const changes = (inputs[kind] ?? []).flatMap(({ name, rows }) => {
    const text = visit.field(name).replaceAll('\r\n', '\n').trim();
    if (text === '') return [];
    const isList = rows !== undefined && !['description', 'biography'].includes(name);
    if (!isList) return [{ field: name, operation: 'set' as const, value: text }];
    const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    return lines.map((value) => ({ field: name, operation: 'set' as const, value }));
  });
  try {
    if (changes.length === 0) throw new Failure('Fill in the fields of the record.', 2);
    const done = await runAction<{ records: { record: RecordSummary }[] }>(visit, 'record.add', {
      kind,
      changes,
    });
    visit.redirect(withQuery(`/admin/records/${done.records[0]?.record.id}`, { done: 'added' }));
  } catch (failure) {
    if (!(failure instanceof Failure) || failure instanceof ActionDelayed) throw failure;
    showAddRecord(visit, failure.message);
  }
}
