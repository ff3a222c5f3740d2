/** /admin/source/held?name=…: records of a held source that wait, to approve or reject them. */
import type { VNode } from 'preact';
import type { HeldList, HeldRecord } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import { Button, EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { describedBy, ErrorSummary, FieldError, type FormState } from '../inputs.tsx';
import { Crumb, DoneNotice, StaffForm, withQuery } from '../parts.tsx';
import { refusedStatus, translatedCode } from '../refusals.ts';
import { formErrors, sourceName } from './failures.tsx';
import { sourcePath } from './list.tsx';
import { listingText } from './listing.tsx';
import { Pager, readFrom } from './pager.tsx';

const path = '/admin/source/held';
/** Records on a page. */
const pageSize = 50;

type State = 'waiting' | 'rejected';
type HeldPage = {
  name: string;
  state: State;
  /** The number of records before those of this page. */
  from: number;
  list: HeldList;
};

/** Shows the records of a source that wait, or those that were rejected (`?state=rejected`). */
export async function showHeld(visit: StaffRequest): Promise<void> {
  await renderHeld(visit, {});
}

/** Shows a page of the records. @param errors of the form that was sent */
async function renderHeld(visit: StaffRequest, errors: FormState['errors']): Promise<void> {
  const page = await readPage(visit);
  const { name, state, from, list } = page;
  const { held } = visit.messages.consoleSources;
  const other: State = state === 'waiting' ? 'rejected' : 'waiting';
  const children = (
    <>
      <Crumb href={sourcePath(visit, name)}>
        <bdi>{name}</bdi>
      </Crumb>
      <h1>{held.heading}</h1>
      <DoneNotice query={visit.query} texts={held.done} />
      <ErrorSummary title={held.refused} errors={errors} />
      <p class="lead">
        <Filled text={held.lead} parts={{ name: <bdi>{name}</bdi> }} />
      </p>
      <Section title={held[state](list[state])} id="records">
        {list.records.length === 0 ? (
          <EmptyState>{state === 'waiting' ? held.noneWaiting : held.noneRejected}</EmptyState>
        ) : (
          <HeldForm visit={visit} page={page} error={errors.record} />
        )}
        <Pager
          {...{ visit, path, query: { name, state }, from, pageSize }}
          shown={list.records.length}
          all={list[state]}
        />
        <p>
          <a href={visit.path(withQuery(path, { name, state: other }))}>{held[other](list[other])}</a>
        </p>
      </Section>
    </>
  );
  const status = Object.keys(errors).length === 0 ? 200 : refusedStatus;
  visit.render(status, { title: held.title(name), section: '/admin/sources', children });
}

/** Reads the records of the page in the address or the form. A page after the last one is the first one. */
async function readPage(visit: StaffRequest): Promise<HeldPage> {
  const name = sourceName(visit);
  const parameter = (key: string): string => visit.query.get(key) ?? visit.field(key);
  const state: State = parameter('state') === 'rejected' ? 'rejected' : 'waiting';
  const readFromOffset = (offset: number) =>
    runAction<HeldList>(visit, 'source.held', { name, state, limit: pageSize, offset });
  const from = readFrom(parameter('from'));
  const list = await readFromOffset(from);
  if (from === 0 || list.records.length > 0) return { name, state, from, list };
  return { name, state, from: 0, list: await readFromOffset(0) };
}

const textOf = ({ kind, external_id }: HeldRecord): string => `${kind}:${external_id}`;

type HeldFormProps = { visit: StaffRequest; page: HeldPage; error: string | undefined };

function HeldForm({ visit, page, error }: HeldFormProps): VNode {
  const { held } = useMessages().consoleSources;
  const { name, state, from, list } = page;
  const [count, all] = [list.records.length, list[state]];
  const id = 'field-record';
  return (
    <StaffForm visit={visit} action={path} look="stack wide" fields={{ name, state, from: String(from) }}>
      <fieldset class="field" id={id} tabindex={-1} {...described(id, error)}>
        <legend>{held.choose}</legend>
        {list.records.map((record) => (
          <HeldChoice record={record} isChosen={isChosen(visit, record)} key={textOf(record)} />
        ))}
      </fieldset>
      <FieldError id={id} error={error} />
      <Verdicts label={held.chosen} scope="" state={state} texts={[held.approve, held.reject]} />
      {count > 1 && (
        <Verdicts
          label={held.page}
          scope="-page"
          state={state}
          texts={[held.approvePage(count), held.rejectPage(count)]}
        />
      )}
      {all > count && state === 'waiting' && (
        <Verdicts
          label={held.all}
          scope="-all"
          state={state}
          texts={[held.approveAll(all), held.rejectAll(all)]}
        />
      )}
      {list.records.map((record) => (
        <input type="hidden" name="listed" value={textOf(record)} key={textOf(record)} />
      ))}
    </StaffForm>
  );
}

/** A group of inputs has a description, but cannot be invalid itself. */
const described = (id: string, error: string | undefined) => ({
  'aria-describedby': describedBy(id, { error })['aria-describedby'],
});

const isChosen = (visit: StaffRequest, record: HeldRecord): boolean =>
  visit.form.getAll('record').includes(textOf(record));

type VerdictsProps = {
  label: string;
  /** The end of the buttons' value: which records they are about. */
  scope: '' | '-page' | '-all';
  state: State;
  texts: readonly [approve: string, reject: string];
};

/** The buttons about the chosen records, those of the page, or all. Rejected ones can only be approved. */
function Verdicts({ label, scope, state, texts: [approve, reject] }: VerdictsProps): VNode {
  const look = scope === '' ? {} : { look: 'quiet' as const };
  return (
    <fieldset class="field">
      <legend class="small">{label}</legend>
      <div class="inline">
        <Button name="do" value={`approve${scope}`} {...look}>
          {approve}
        </Button>
        {state === 'waiting' && (
          <Button name="do" value={`reject${scope}`} look="quiet">
            {reject}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function HeldChoice({ record, isChosen }: { record: HeldRecord; isChosen: boolean }): VNode {
  const messages = useMessages();
  const { held, kindName } = messages.consoleSources;
  const { kind, name, url } = record;
  return (
    <label class="check">
      <input type="checkbox" name="record" value={textOf(record)} checked={isChosen} />
      <span>
        <bdi>{name}</bdi>{' '}
        <span class="small soft">
          <bdi>
            {[kindName(kind), listingText(messages, record)].filter((part) => part !== '').join(' · ')}
          </bdi>
          {url !== null && /^https?:/i.test(url) && (
            <>
              {' · '}
              <a href={url} rel="noreferrer nofollow">
                {held.link}
              </a>
            </>
          )}
        </span>
      </span>
    </label>
  );
}

/** Approves or rejects the chosen records, those of the page, or all that wait. */
export async function decideHeld(visit: StaffRequest): Promise<void> {
  const { held, errors } = visit.messages.consoleSources;
  const [verb = '', scope = ''] = visit.field('do').split('-');
  if (!['approve', 'reject'].includes(verb) || !['', 'page', 'all'].includes(scope))
    throw new Failure(held.noAction, 2, { code: translatedCode });
  const selection = scope === 'all' ? 'all' : visit.form.getAll(scope === 'page' ? 'listed' : 'record');
  if (selection.length === 0) return await renderHeld(visit, { record: errors.record ?? '' });
  const name = sourceName(visit);
  let rejected: unknown[];
  try {
    ({ rejected } = await runAction<{ rejected: unknown[] }>(visit, `source.${verb}`, { name, selection }));
  } catch (failure) {
    return await renderHeld(visit, formErrors(visit, failure, []));
  }
  const approved = rejected.length === 0 ? 'approved' : 'partly-approved';
  const query = { state: visit.field('state'), from: visit.field('from') };
  const isFirst = query.from === '0' || query.from === '';
  visit.redirect(
    withQuery(path, {
      name,
      ...(query.state === 'rejected' ? { state: query.state } : {}),
      ...(isFirst ? {} : { from: query.from }),
      done: verb === 'approve' ? approved : 'rejected',
    }),
  );
}
