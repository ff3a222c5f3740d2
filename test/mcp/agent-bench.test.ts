/** The questions of `npm run bench:agents`: how many are answered by fields, and by text alone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openAsker, type Verdict } from '../../bench/agents/ask.ts';
import { questions } from '../../bench/agents/questions.ts';

let asker: Awaited<ReturnType<typeof openAsker>>;
let verdicts: Verdict[] = [];
before(async () => {
  asker = await openAsker();
  verdicts = questions.map((question) => asker.ask(question));
});
after(() => asker?.close());

const failed = (by: 'structure' | 'text'): string[] =>
  verdicts.filter((verdict) => !verdict[by]).map(({ question }) => question.asked);

describe('60 questions in six languages', () => {
  it('are 60, in six languages, with at most two calls', () => {
    assert.equal(questions.length, 60);
    assert.equal(new Set(questions.map(({ language }) => language)).size, 6);
    assert.ok(questions.every(({ calls }) => calls.length >= 1 && calls.length <= 2));
  });
  it('58 are answered by the fields', () =>
    assert.ok(failed('structure').length <= 2, failed('structure').join('\n')));
  it('55 are answered by the text alone', () =>
    assert.ok(failed('text').length <= 5, failed('text').join('\n')));
});
