/** The conversation of `cratebase review`: shows a pair, reads a key, decides, shows the next pair. */
import type { Verdict } from '../app.ts';
import type { ReviewItem, ReviewPage } from '../contract/review-items.ts';
import { Failure } from '../failure.ts';
import { plural } from '../plural.ts';
import { formatPair } from './output/review.ts';

export type ReviewTools = {
  /** Reads the first open pair. */
  next: () => Promise<ReviewPage>;
  decide: (pair: string, verdict: Verdict) => Promise<{ audit_id: number }>;
  undo: (auditId: number) => Promise<unknown>;
  /** Resolves to the next key; null at the end of input. */
  readKey: () => Promise<string | null>;
  print: (text: string) => void;
};

const verdictKeys: Record<string, Verdict> = { s: 'same', d: 'different', l: 'later' };
const keyHelp = '[s]ame  [d]ifferent  [l]ater  [u]ndo  [q]uit';

/** Reviews pairs until the queue is empty or the person ends. Returns the number of decisions that hold. */
export async function reviewPairs(tools: ReviewTools): Promise<number> {
  const decided: { auditId: number; verdict: Verdict }[] = [];
  for (;;) {
    const { data, total } = await tools.next();
    const item = data[0];
    if (item === undefined) {
      tools.print(decided.length === 0 ? 'No pairs to review.' : 'No more pairs to review.');
      return decided.length;
    }
    tools.print(`\n${decided.length + 1} of ${decided.length + total}`);
    tools.print(formatPair(item));
    tools.print(keyHelp);
    if (!(await handleKeys(item, decided, tools))) {
      tools.print(`${plural(decided.length, 'decision')} made, ${plural(total, 'pair')} left.`);
      return decided.length;
    }
  }
}

/** Reads keys until one of them changes the queue. Returns false if the person ends. */
async function handleKeys(
  item: ReviewItem,
  decided: { auditId: number; verdict: Verdict }[],
  { decide, undo, readKey, print }: ReviewTools,
): Promise<boolean> {
  for (;;) {
    const key = await readKey();
    if (key === null || key === 'q' || key === '\u0003' || key === '\u0004') return false;
    const verdict = verdictKeys[key];
    try {
      if (verdict !== undefined) {
        const { audit_id } = await decide(item.pair, verdict);
        decided.push({ auditId: audit_id, verdict });
        print(`${verdict} (u: undo)`);
        return true;
      }
      if (key === 'u') {
        const last = decided.at(-1);
        if (last === undefined) {
          print('There is no decision to undo.');
          continue;
        }
        await undo(last.auditId);
        decided.pop();
        print(`undone: ${last.verdict}`);
        return true;
      }
    } catch (failure) {
      // Another person decided it. The next pair is shown.
      if (!(failure instanceof Failure)) throw failure;
      print(failure.message);
      return true;
    }
    print(keyHelp);
  }
}

/** Reads single keys from a terminal. `close` restores its mode. */
export function openKeys(input: NodeJS.ReadStream): {
  readKey: () => Promise<string | null>;
  close: () => void;
} {
  const keys: (string | null)[] = [];
  let wake: (() => void) | null = null;
  const push = (key: string | null) => {
    keys.push(key);
    wake?.();
  };
  const onData = (text: string) => {
    // A special key (an arrow) sends several characters; it is one key without meaning here.
    if (text.startsWith('\u001b')) push('\u001b');
    else for (const key of text.toLowerCase()) push(key);
  };
  const onEnd = () => push(null);
  input.setRawMode(true);
  input.setEncoding('utf8').on('data', onData).once('end', onEnd).resume();
  return {
    readKey: async () => {
      while (keys.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return keys.shift() ?? null;
    },
    close: () => {
      input.off('data', onData).off('end', onEnd).pause();
      input.setRawMode(false);
    },
  };
}
