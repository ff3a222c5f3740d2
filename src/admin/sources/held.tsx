/** /admin/source/held?name=…: records of a held source that wait, to approve or reject them. */
import type { VNode } from 'preact';
import { Failure } from '../../failure.ts';
import { CsrfField, EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { ActionForm } from '../inputs.tsx';
import { Crumb, DoneNotice, plural, withQuery } from '../parts.tsx';
import { sourcePath } from './list.tsx';
import { listingText } from './listing.tsx';
import type { HeldList, HeldRecord } from './types.ts';

const path = '/admin/source/held';
/** Records on a page. */
const pageSize = 50;

const doneTexts: Record<string, string> = {
  approved: 'Approved and published. Later changes of these records are published at once.',
  'partly-approved':
    'Approved. Some records could not be published and wait again; the terminal says why: cratebase sources approve.',
  rejected: 'Rejected. Later runs do not publish these records.',
};

type State = 'waiting' | 'rejected';

export async function showHeld(visit: StaffRequest): Promise<void> {
  const name = visit.query.get('name') ?? '';
  const state: State = visit.query.get('state') === 'rejected' ? 'rejected' : 'waiting';
  const list = await runAction<HeldList>(visit, 'source.held', { name, state, limit: pageSize });
  const other: State = state === 'waiting' ? 'rejected' : 'waiting';
  const children = (
    <>
      <Crumb href={sourcePath(visit, name)}>
        <bdi>{name}</bdi>
      </Crumb>
      <h1>Held records</h1>
      <DoneNotice query={visit.query} texts={doneTexts} />
      <p class="lead">
        New records of <bdi>{name}</bdi> are published when an editor approves them.
      </p>
      <Section mark="A1" title={`${plural(list[state], 'record')} ${stateTexts[state]}`} id="records">
        {list.records.length === 0 ? (
          <EmptyState>{state === 'waiting' ? 'No record waits.' : 'No record was rejected.'}</EmptyState>
        ) : (
          <HeldForm visit={visit} name={name} state={state} list={list} />
        )}
        <p>
          <a href={visit.path(withQuery(path, { name, state: other }))}>
            {`${plural(list[other], 'record')} ${stateTexts[other]}`}
          </a>
        </p>
      </Section>
    </>
  );
  visit.render(200, { title: `Held records of ${name}`, section: '/admin/sources', children });
}

const stateTexts: Readonly<Record<State, string>> = { waiting: 'waiting', rejected: 'rejected' };

type FormProps = { visit: StaffRequest; name: string; state: State; list: HeldList };

function HeldForm({ visit, name, state, list }: FormProps): VNode {
  const isWaiting = state === 'waiting';
  return (
    <>
      <form class="stack wide" method="post" action={visit.path(path)}>
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="name" value={name} />
        <fieldset class="field">
          <legend>Choose records</legend>
          {list.records.map((record) => (
            <HeldChoice record={record} key={`${record.kind}:${record.external_id}`} />
          ))}
        </fieldset>
        <div class="inline">
          <button type="submit" name="do" value="approve">
            Approve
          </button>
          {isWaiting && (
            <button type="submit" class="quiet" name="do" value="reject">
              Reject
            </button>
          )}
        </div>
      </form>
      {list[state] > list.records.length && (
        <p class="small soft">{`The first ${list.records.length} of ${list[state].toLocaleString('en')} are listed.`}</p>
      )}
      {isWaiting && list.waiting > 1 && (
        <div class="inline">
          <ActionForm
            action={visit.path(path)}
            csrf={visit.session.csrf}
            fields={{ name, do: 'approve', all: '1' }}
            label={`Approve all ${list.waiting.toLocaleString('en')}`}
            look="quiet"
          />
          <ActionForm
            action={visit.path(path)}
            csrf={visit.session.csrf}
            fields={{ name, do: 'reject', all: '1' }}
            label={`Reject all ${list.waiting.toLocaleString('en')}`}
            look="quiet"
          />
        </div>
      )}
    </>
  );
}

function HeldChoice({ record }: { record: HeldRecord }): VNode {
  const { kind, external_id, name, url } = record;
  return (
    <label class="check">
      <input type="checkbox" name="record" value={`${kind}:${external_id}`} />
      <span>
        <bdi>{name}</bdi>{' '}
        <span class="small soft">
          <bdi>{[kind, listingText(record)].filter((part) => part !== '').join(' · ')}</bdi>
          {url !== null && /^https?:/i.test(url) && (
            <>
              {' · '}
              <a href={url} rel="noreferrer nofollow">
                page
              </a>
            </>
          )}
        </span>
      </span>
    </label>
  );
}

/** Approves or rejects the chosen records, or all that wait. */
export async function decideHeld(visit: StaffRequest): Promise<void> {
  const [name, verb] = [visit.field('name'), visit.field('do')];
  if (verb !== 'approve' && verb !== 'reject')
    throw new Failure('The form does not say what to do with the records.', 2);
  const isAll = visit.field('all') === '1';
  const chosen = visit.form.getAll('record');
  if (!isAll && chosen.length === 0) throw new Failure('Choose at least one record.', 2);
  const { rejected } = await runAction<{ rejected: unknown[] }>(visit, `source.${verb}`, {
    name,
    selection: isAll ? 'all' : chosen,
  });
  const approved = rejected.length === 0 ? 'approved' : 'partly-approved';
  visit.redirect(withQuery(path, { name, done: verb === 'approve' ? approved : 'rejected' }));
}
