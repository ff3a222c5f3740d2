/** `review`: decides doubtful pairs, by keys on a terminal or one by one. */
import type { Command } from 'commander';
import type { App, Verdict } from '../../app.ts';
import type { ReviewCounts, ReviewPage } from '../../contract/review-items.ts';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, wantsJson, withApp } from '../command.ts';
import { parseLimit } from '../numbers.ts';
import { noteWaiting, recordLabel } from '../output/matching.ts';
import { formatPair } from '../output/review.ts';
import { formatFields, isInteractive, print } from '../output/terminal.ts';
import { parseKind } from '../record-kinds.ts';
import { openKeys, reviewPairs } from '../review-loop.ts';

const verdicts: readonly Verdict[] = ['same', 'different', 'later'];
const defaultLimit = 10;
const maxLimit = 100;

type ListOptions = { kind?: string; limit?: string; after?: string };

/** Adds `review`, `review decide` and `review undo` to the program. */
export function addReview(program: Command): void {
  const review = program
    .command('review')
    .option('--kind <kind>', 'only records of this kind')
    .option(
      '--limit <number>',
      `maximum number of pairs in a list, 1 to ${maxLimit} (default: ${defaultLimit})`,
    )
    .option('--after <pair>', 'list the pairs that follow this one')
    .description(
      'Review pairs of records that may be the same. On a terminal, it shows one pair at a time and reads keys; otherwise, it lists them.',
    );
  addExamples(review, [
    ['cratebase review', 'decide by keys: s same, d different, l later, u undo'],
    ['cratebase review --kind event --json', 'a list with both records and the evidence'],
    ['cratebase review decide evt_00001a-evt_00002b same', ''],
  ]);
  review.action(async () => {
    const options = review.opts<ListOptions>();
    const isConversation = isInteractive() && process.stdout.isTTY && !wantsJson(review);
    if (isConversation && (options.limit !== undefined || options.after !== undefined))
      throw new Failure('--limit and --after are for a list: add --json, or write the list to a file.', 2);
    if (isConversation) await converse(review, options);
    else await list(review, options);
  });
  addDecide(review);
  addUndo(review);
}

const openReview = (app: App) => app.review(terminalActor(), noteWaiting);

async function converse(command: Command, { kind }: ListOptions): Promise<void> {
  const only = kind === undefined ? null : parseKind(kind);
  await withApp(command, {}, async (app) => {
    const { readKey, close } = openKeys(process.stdin);
    try {
      await reviewPairs({
        // Each step opens the review again, because it holds the time of its decisions.
        next: async () => (await openReview(app)).next({ kind: only, limit: 1 }),
        decide: async (pair, verdict) => (await openReview(app)).decide(pair, verdict),
        undo: async (auditId) => (await openReview(app)).undo(auditId),
        readKey,
        print,
      });
    } finally {
      close();
    }
  });
}

async function list(command: Command, { kind, limit, after }: ListOptions): Promise<void> {
  const filter = {
    kind: kind === undefined ? null : parseKind(kind),
    after: after ?? null,
    limit: limit === undefined ? defaultLimit : parseLimit(limit, '--limit', maxLimit),
  };
  const { page, counts } = await withApp(command, { readOnly: true }, async (app) => {
    const review = await openReview(app);
    return { page: await review.next(filter), counts: await review.count() };
  });
  printResult(command, { ...page, counts }, () => formatPage(command, page, counts));
}

function formatPage(command: Command, { data, total, after }: ReviewPage, counts: ReviewCounts): string {
  if (data.length === 0) return 'No pairs to review.';
  const kinds = Object.entries(counts.kinds).map(([kind, count]) => `${kind} ${count}`);
  return [
    ...data.map((item) => `${formatPair(item)}\n`),
    `${plural(total, 'pair')} to review (${kinds.join(', ')}).`,
    `Decide one: ${followUpCommand(command, `review decide ${data[0]?.pair} same`)} (or different, later)`,
    ...(after === null ? [] : [`More: ${followUpCommand(command, `review --after ${after}`)}`]),
  ].join('\n');
}

const verdictTexts: Record<Verdict, string> = {
  same: 'merged',
  different: 'kept separate',
  later: 'put off',
};

function addDecide(review: Command): void {
  const decide = review
    .command('decide')
    .argument('<pair>', 'both ids, as `review` shows them: art_00001a-art_00002b')
    .argument('<verdict>', 'same, different or later')
    .description(
      'Decide one pair: merge the newer record into the older one (same), keep both permanently (different), or ask again when a source changes one of them (later).',
    );
  addExamples(decide, [
    ['cratebase review decide evt_00001a-evt_00002b same', ''],
    ['cratebase review decide art_00001a-art_00002b later --json', ''],
  ]);
  decide.action(async (pair: string, word: string) => {
    const verdict = verdicts.find((one) => one === word);
    if (verdict === undefined)
      throw new Failure(`The verdict is same, different or later, not ${JSON.stringify(word)}.`, 2);
    const result = await withApp(decide, {}, async (app) => (await openReview(app)).decide(pair, verdict));
    printResult(decide, result, () =>
      formatFields([
        [verdictTexts[verdict], recordLabel(result.other)],
        [verdict === 'same' ? 'into' : verdict === 'different' ? 'from' : 'and', recordLabel(result.record)],
        ['undo', followUpCommand(decide, `review undo ${result.audit_id}`)],
      ]),
    );
  });
}

function addUndo(review: Command): void {
  const undo = review
    .command('undo')
    .argument('<entry>', 'number of the entry in the audit log, as `review decide` prints it')
    .description('Undo a decision about a pair, a merge, a split or a never-merge. The pair is open again.');
  addExamples(undo, [['cratebase review undo 42', '']]);
  undo.action(async (entry: string) => {
    if (!/^\d{1,15}$/.test(entry))
      throw new Failure(
        `${JSON.stringify(entry)} is not the number of an entry in the audit log. \`cratebase audit\` lists the entries.`,
        2,
      );
    const result = await withApp(undo, {}, async (app) => (await openReview(app)).undo(Number(entry)));
    printResult(
      undo,
      result,
      () => `undone: entry ${entry}${result.pair === null ? '' : ` (${result.pair})`}`,
    );
  });
}
