/** /admin/review: doubtful pairs, one at a time. */
import type { VNode } from 'preact';
import { ActionDelayed } from '../../contract/action-runner.ts';
import type { ReviewCounts, ReviewItem, ReviewPage } from '../../contract/review-items.ts';
import { Failure } from '../../failure.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import { EmptyState, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { MessageText } from '../message-text.tsx';
import { ActionForm, DoneNotice, publicPath, withQuery } from '../parts.tsx';
import { failureText } from '../refusals.ts';
import type { AdminRoute } from '../route.ts';
import { type ComparedRow, comparedRows } from './pair.ts';

type CountedPage = ReviewPage & { counts: ReviewCounts };

export const reviewRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin/review', role: 'editor', handle: showReview },
  { method: 'POST', path: '/admin/review', role: 'editor', handle: decide },
  { method: 'POST', path: '/admin/review/undo', role: 'editor', handle: undo },
];

const kinds = ['event', 'artist', 'venue', 'festival', 'label'] as const;
const knownKind = (text: string | null): string | null => kinds.find((kind) => kind === text) ?? null;

/** Parses the number of decisions of this sitting, which the progress counts. */
const parseCount = (text: string | null): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

/** Shows the next pair. @param problem why the last decision was not made; another person may have been first */
async function showReview(visit: StaffRequest, problem: string | null = null): Promise<void> {
  const kind = knownKind(visit.query.get('kind') ?? visit.field('kind'));
  const page = await runAction<CountedPage>(visit, 'review.next', { kind, after: null, limit: 1 });
  const decided = parseCount(visit.query.get('n') ?? visit.field('n'));
  const item = page.data[0];
  const words = visit.messages.consoleReview;
  const children = (
    <>
      <h1>{words.title}</h1>
      {problem !== null && (
        <div class="notice bad actions-below" role="alert">
          {words.refused}{' '}
          <span>
            <MessageText text={problem} />
          </span>
        </div>
      )}
      <UndoMessage visit={visit} kind={kind} decided={decided} />
      <KindLinks visit={visit} page={page} kind={kind} />
      {item === undefined ? (
        <div class="actions-below">
          <EmptyState>
            {decided > 0 ? words.allDecided(decided) : words.none} {words.later}
          </EmptyState>
        </div>
      ) : (
        <Pair visit={visit} item={item} kind={kind} decided={decided} total={page.total} />
      )}
    </>
  );
  visit.render(problem === null ? 200 : 409, {
    title: words.title,
    section: '/admin/review',
    children,
  });
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
  const { done, verdicts } = useMessages().consoleReview;
  return (
    <DoneNotice query={visit.query} texts={done}>
      {undo > 0 && (
        <ActionForm
          visit={visit}
          action="/admin/review/undo"
          fields={{ entry: String(undo), kind: kind ?? '', n: String(decided) }}
          label={verdicts.undo}
          look="plain"
          hotkey={verdictKeys.undo}
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
  page: CountedPage;
  kind: string | null;
}): VNode {
  const words = useMessages().consoleReview;
  const entries: [string | null, string, number][] = [
    [null, words.all, page.counts.total],
    ...kinds.map((one): [string, string, number] => [
      one,
      words.tabs[one] ?? one,
      page.counts.kinds[one] ?? 0,
    ]),
  ];
  return (
    <nav class="actions" aria-label={words.kinds}>
      {entries
        .filter(([one, , count]) => count > 0 || one === kind || one === null)
        .map(([one, label, count]) => (
          <a
            href={visit.path(withQuery('/admin/review', { kind: one }))}
            aria-current={one === kind ? 'page' : undefined}
            key={label}
          >
            {words.tab(label, count)}
          </a>
        ))}
    </nav>
  );
}

/** The keys that press the buttons: in all languages those of `cratebase review`, so that no key changes its meaning. */
const verdictKeys = { same: 's', different: 'd', later: 'l', undo: 'u' } as const;

type PairProps = {
  visit: StaffRequest;
  item: ReviewItem;
  kind: string | null;
  decided: number;
  /** The pairs that wait, this one included. */
  total: number;
};

function Pair({ visit, item, kind, decided, total }: PairProps): VNode {
  const hidden = { pair: item.pair, kind: kind ?? '', n: String(decided) };
  const words = useMessages().consoleReview;
  const verdictForm = (verdict: 'same' | 'different' | 'later', look?: 'quiet') => (
    <ActionForm
      visit={visit}
      action="/admin/review"
      fields={{ ...hidden, verdict }}
      label={words.verdicts[verdict]}
      hotkey={verdictKeys[verdict]}
      look={look}
    />
  );
  return (
    <>
      <section class="actions-below flow" aria-labelledby="pair">
        <h2 id="pair">{`${words.toDecide(total)}: ${words.questions[item.kind] ?? item.kind}`}</h2>
        <Comparison visit={visit} item={item} />
        <p class="small">
          <Forecast item={item} />
        </p>
      </section>
      <div class="decide actions-below">
        <div class="verdicts">
          {verdictForm('same')}
          {verdictForm('different')}
          {verdictForm('later', 'quiet')}
        </div>
      </div>
      <Section mark={String(item.score)} title={words.evidence} id="evidence">
        <ul class="weights">
          {item.reasons.map(({ text, weight, evidence }) => (
            <li key={evidence + text}>
              <span class={`mono ${weight > 0 ? 'for' : 'against'}`}>{formatWeight(weight)}</span>
              <span lang="en">{text}</span>
            </li>
          ))}
        </ul>
        <p class="small soft">{words.evidenceText}</p>
      </Section>
    </>
  );
}

const formatWeight = (weight: number): string =>
  `${weight > 0 ? '+' : '\u2212'}${Math.abs(weight).toFixed(2)}`;

function Comparison({ visit, item }: { visit: StaffRequest; item: ReviewItem }): VNode {
  const messages = useMessages();
  const words = messages.consoleReview;
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
      <caption class="hidden">{words.caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">{words.field}</span>
          </th>
          {head('a', words.first)}
          {head('b', words.second)}
        </tr>
      </thead>
      <tbody>
        {comparedRows(item, messages).map((row) => (
          <ComparisonRow row={row} key={row.label} />
        ))}
        <tr>
          <th scope="row">{words.publicPage}</th>
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
  const { differs } = useMessages().consoleReview;
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
        {row.differs && <span class="hidden">{` (${differs})`}</span>}
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
  const words = useMessages().consoleReview;
  const parts = {
    stays: <code>{stays.slug}</code>,
    merged: <code>{merged.slug}</code>,
    name: (
      <b>
        <bdi>{name}</bdi>
      </b>
    ),
    source: <bdi>{name_from}</bdi>,
  };
  const differing = conflicts.map(({ what }) => words.conflict[what] ?? what).join(words.and);
  return (
    <>
      <Filled text={name_from === null ? words.forecast : words.forecastFrom} parts={parts} />
      {differing !== '' && ` ${words.conflicts(differing)}`}
    </>
  );
}

const verdicts: readonly string[] = ['same', 'different', 'later'];

/** Stores the verdict about a pair, and redirects to the next one with an undo. */
async function decide(visit: StaffRequest): Promise<void> {
  const [pair, verdict] = [visit.field('pair'), visit.field('verdict')];
  const kind = knownKind(visit.field('kind'));
  if (!verdicts.includes(verdict)) throw new Failure('Choose same, different or later.', 2, { code: 'form' });
  let auditId: number;
  try {
    ({ audit_id: auditId } = await runAction<{ audit_id: number }>(visit, 'review.decide', {
      pair,
      verdict,
    }));
  } catch (failure) {
    if (!(failure instanceof Failure) || failure instanceof ActionDelayed || failure.exitStatus === 2)
      throw failure;
    return showReview(visit, failureText(visit, failure));
  }
  const n = parseCount(visit.field('n')) + 1;
  visit.redirect(withQuery('/admin/review', { kind, n, done: verdict, undo: auditId }));
}

/** Undoes a decision of this sitting. */
async function undo(visit: StaffRequest): Promise<void> {
  const auditId = parseCount(visit.field('entry'));
  if (auditId === 0) throw new Failure('The form does not name a decision.', 2, { code: 'form' });
  await runAction(visit, 'review.undo', { auditId });
  const n = Math.max(0, parseCount(visit.field('n')) - 1);
  visit.redirect(withQuery('/admin/review', { kind: knownKind(visit.field('kind')), n, done: 'undone' }));
}
