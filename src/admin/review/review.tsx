/** /admin/review: doubtful pairs, one at a time. */
import type { VNode } from 'preact';
import { ActionDelayed } from '../../contract/action-runner.ts';
import { Failure } from '../../failure.ts';
import { EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { MessageText } from '../error-pages.tsx';
import { ActionForm } from '../inputs.tsx';
import { DoneNotice, plural, publicPath, withQuery } from '../parts.tsx';
import type { AdminRoute } from '../route.ts';
import { type ComparedRow, comparedRows, type ReviewItem, type ReviewPage } from './pair.ts';

export const reviewRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin/review', role: 'editor', handle: (visit) => showReview(visit) },
  { method: 'POST', path: '/admin/review', role: 'editor', handle: decide },
  { method: 'POST', path: '/admin/review/undo', role: 'editor', handle: undo },
];

const kinds = ['event', 'artist', 'venue', 'festival', 'label'] as const;
const knownKind = (text: string | null): string | null => kinds.find((kind) => kind === text) ?? null;

/** Parses the number of decisions of this sitting, which the progress counts. */
const parseCount = (text: string | null): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

/** @param problem why the last decision was not made; another person may have been first */
async function showReview(visit: StaffRequest, problem: string | null = null): Promise<void> {
  const kind = knownKind(visit.query.get('kind') ?? visit.field('kind'));
  const page = await runAction<ReviewPage>(visit, 'review.next', { kind, after: null, limit: 1 });
  const decided = parseCount(visit.query.get('n') ?? visit.field('n'));
  const item = page.data[0];
  const children = (
    <>
      <h1>Review</h1>
      {problem !== null && (
        <div class="notice bad actions-below" role="alert">
          <MessageText text={problem} />
        </div>
      )}
      <UndoMessage visit={visit} kind={kind} decided={decided} />
      <KindLinks visit={visit} page={page} kind={kind} />
      {item === undefined ? (
        <div class="actions-below">
          <EmptyState>
            {decided > 0
              ? `All pairs are decided: ${plural(decided, 'decision')} now.`
              : 'No pairs to review.'}{' '}
            New pairs appear here after imports.
          </EmptyState>
        </div>
      ) : (
        <Pair visit={visit} item={item} kind={kind} decided={decided} total={decided + page.total} />
      )}
    </>
  );
  visit.render(problem === null ? 200 : 409, { title: 'Review', section: '/admin/review', children });
}

/** What the last decision did, with its undo. */
function UndoMessage({
  visit,
  kind,
  decided,
}: {
  visit: StaffRequest;
  kind: string | null;
  decided: number;
}): VNode {
  const undo = parseCount(visit.query.get('undo'));
  return (
    <DoneNotice query={visit.query} texts={doneTexts}>
      {undo > 0 && (
        <ActionForm
          action={visit.path('/admin/review/undo')}
          csrf={visit.session.csrf}
          fields={{ entry: String(undo), kind: kind ?? '', n: String(decided) }}
          label="Undo"
          look="plain"
          hotkey="u"
        />
      )}
    </DoneNotice>
  );
}

function KindLinks({
  visit,
  page,
  kind,
}: {
  visit: StaffRequest;
  page: ReviewPage;
  kind: string | null;
}): VNode {
  const entries: [string | null, string, number][] = [
    [null, 'All', page.counts.total],
    ...kinds.map((one): [string, string, number] => [
      one,
      `${one[0]?.toUpperCase()}${one.slice(1)}s`,
      page.counts.kinds[one] ?? 0,
    ]),
  ];
  return (
    <nav class="actions" aria-label="Kinds">
      {entries
        .filter(([one, , count]) => count > 0 || one === kind || one === null)
        .map(([one, label, count]) => (
          <a
            href={visit.path(withQuery('/admin/review', { kind: one }))}
            aria-current={one === kind ? 'page' : undefined}
            key={label}
          >
            {`${label} (${count.toLocaleString('en')})`}
          </a>
        ))}
    </nav>
  );
}

type PairProps = {
  visit: StaffRequest;
  item: ReviewItem;
  kind: string | null;
  decided: number;
  total: number;
};

function Pair({ visit, item, kind, decided, total }: PairProps): VNode {
  const hidden = { pair: item.pair, kind: kind ?? '', n: String(decided) };
  const verdictForm = (verdict: string, label: string, hotkey: string, look?: 'quiet') => (
    <ActionForm
      action={visit.path('/admin/review')}
      csrf={visit.session.csrf}
      fields={{ ...hidden, verdict }}
      label={label}
      hotkey={hotkey}
      {...(look === undefined ? {} : { look })}
    />
  );
  return (
    <>
      <section class="actions-below flow" aria-labelledby="pair">
        <h2 id="pair">{`${decided + 1} of ${total.toLocaleString('en')}: are these one ${item.kind}?`}</h2>
        <Comparison visit={visit} item={item} />
        <p class="small">
          <Forecast item={item} />
        </p>
      </section>
      <div class="decide actions-below">
        <div class="verdicts">
          {verdictForm('same', 'Same', 's')}
          {verdictForm('different', 'Different', 'd')}
          {verdictForm('later', 'Later', 'l', 'quiet')}
        </div>
      </div>
      <Section mark={String(item.score)} title="Evidence" id="evidence">
        <ul class="weights">
          {item.reasons.map(({ text, weight, evidence }) => (
            <li key={evidence + text}>
              <span class={`mono ${weight > 0 ? 'for' : 'against'}`}>{formatWeight(weight)}</span>
              <span>{text}</span>
            </li>
          ))}
        </ul>
        <p class="small soft">
          A positive weight speaks for one record, a negative one for two. Later takes the pair out of the
          queue until a source changes one of the records.
        </p>
      </Section>
    </>
  );
}

const formatWeight = (weight: number): string =>
  `${weight > 0 ? '+' : '\u2212'}${Math.abs(weight).toFixed(2)}`;

function Comparison({ visit, item }: { visit: StaffRequest; item: ReviewItem }): VNode {
  const head = (side: 'a' | 'b', label: string) => (
    <th scope="col">
      <span class="label">{label}</span>
      <a href={visit.path(`/admin/records/${item[side].id}`)}>
        <bdi>{item[side].name}</bdi>
      </a>
    </th>
  );
  return (
    <table class="compare">
      <caption class="hidden">Both records. Values that differ are marked.</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">Field</span>
          </th>
          {head('a', 'A, the older record')}
          {head('b', 'B')}
        </tr>
      </thead>
      <tbody>
        {comparedRows(item).map((row) => (
          <ComparisonRow row={row} key={row.label} />
        ))}
        <tr>
          <th scope="row">Public page</th>
          <td data-side="A">
            <PublicLink visit={visit} item={item} side="a" />
          </td>
          <td data-side="B">
            <PublicLink visit={visit} item={item} side="b" />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function PublicLink({
  visit,
  item,
  side,
}: {
  visit: StaffRequest;
  item: ReviewItem;
  side: 'a' | 'b';
}): VNode {
  const path = publicPath(item.kind, item[side].slug);
  return <a href={visit.deps.baseUrl + path}>{item[side].slug}</a>;
}

function ComparisonRow({ row }: { row: ComparedRow }): VNode {
  const cell = (side: 'A' | 'B', entries: readonly string[]) => (
    <td data-side={side}>
      {entries.length === 0 ? (
        <span class="soft">–</span>
      ) : row.isList && entries.length > 1 ? (
        <ul>
          {entries.map((entry) => (
            <li key={entry}>
              <Entry text={entry} />
            </li>
          ))}
        </ul>
      ) : (
        <Entry text={entries.join(', ')} />
      )}
    </td>
  );
  return (
    <tr class={row.differs ? 'differs' : undefined}>
      <th scope="row">
        {row.label}
        {row.differs && <span class="hidden"> (differs)</span>}
      </th>
      {cell('A', row.a)}
      {cell('B', row.b)}
    </tr>
  );
}

/** A text; an address of the web is a link. */
function Entry({ text }: { text: string }): VNode {
  if (!/^https?:\/\//i.test(text)) return <bdi>{text}</bdi>;
  return (
    <a href={text} rel="noreferrer nofollow">
      {text.replace(/^https?:\/\/(?:www\.)?/i, '')}
    </a>
  );
}

function Forecast({ item }: { item: ReviewItem }): VNode {
  const { stays, merged, name, name_from, conflicts } = item.merge;
  return (
    <>
      Same: <code>{stays.slug}</code> stays and <code>{merged.slug}</code> leads to it. The name is{' '}
      <b>
        <bdi>{name}</bdi>
      </b>
      {name_from !== null && `, from ${name_from}`}.
      {conflicts.length > 0 &&
        ` They differ in ${conflicts.map(({ what }) => what).join(' and ')}: merge only if one of the sources is wrong.`}
    </>
  );
}

const doneTexts: Record<string, string> = {
  same: 'Merged.',
  different: 'Kept separate. Later imports do not merge them.',
  later: 'Put off until a source changes one of the two.',
  undone: 'Undone. The pair is open again.',
};
const verdicts: readonly string[] = ['same', 'different', 'later'];

async function decide(visit: StaffRequest): Promise<void> {
  const [pair, verdict] = [visit.field('pair'), visit.field('verdict')];
  const kind = knownKind(visit.field('kind'));
  if (!verdicts.includes(verdict)) throw new Failure('Choose same, different or later.', 2);
  let auditId: number;
  try {
    ({ audit_id: auditId } = await runAction<{ audit_id: number }>(visit, 'review.decide', {
      pair,
      verdict,
    }));
  } catch (failure) {
    if (!(failure instanceof Failure) || failure instanceof ActionDelayed || failure.exitStatus === 2)
      throw failure;
    return showReview(visit, failure.message);
  }
  const n = parseCount(visit.field('n')) + 1;
  visit.redirect(withQuery('/admin/review', { kind, n, done: verdict, undo: auditId }));
}

async function undo(visit: StaffRequest): Promise<void> {
  const auditId = parseCount(visit.field('entry'));
  if (auditId === 0) throw new Failure('The form does not name a decision.', 2);
  await runAction(visit, 'review.undo', { auditId });
  const n = Math.max(0, parseCount(visit.field('n')) - 1);
  visit.redirect(withQuery('/admin/review', { kind: knownKind(visit.field('kind')), n, done: 'undone' }));
}
