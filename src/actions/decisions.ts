/** Decisions about pairs of records: merge, keep apart, split, and the review of doubtful pairs. */
import { z } from 'zod';
import { type ActionTable, auditIdInput, defineAction, kindInput, recordInput } from './action.ts';

const pair = { a: recordInput, b: recordInput, force: z.boolean().default(false) };

export const decisionActions: ActionTable = {
  'record.merge': defineAction('write', pair, async (app, { a, b, force }, { actor, onWait }) =>
    (await app.corrections(onWait, actor)).merge(a, b, { force }),
  ),
  'record.never-merge': defineAction('write', pair, async (app, { a, b, force }, { actor, onWait }) =>
    (await app.corrections(onWait, actor)).neverMerge(a, b, { force }),
  ),
  'record.split': defineAction(
    'write',
    { record: recordInput, parts: z.array(recordInput).max(100) },
    async (app, input, { actor, onWait }) =>
      (await app.corrections(onWait, actor)).split(input.record, input.parts),
  ),
  'record.explain': defineAction('read', { record: recordInput }, async (app, input) =>
    (await app.corrections()).explain(input.record),
  ),
  'record.duplicates': defineAction('read', { kind: kindInput }, async (app, input) =>
    (await app.corrections()).duplicates(input.kind),
  ),
  'review.next': defineAction(
    'read',
    {
      kind: kindInput,
      after: z.string().max(100).nullable(),
      limit: z.int().min(1).max(100),
    },
    async (app, input, { actor }) => {
      const review = await app.review(actor);
      return { ...(await review.next(input)), counts: await review.count() };
    },
  ),
  'review.count': defineAction('read', {}, async (app, _, { actor }) => (await app.review(actor)).count()),
  'review.decide': defineAction(
    'write',
    { pair: z.string().max(100), verdict: z.enum(['same', 'different', 'later']) },
    async (app, { pair: name, verdict }, { actor, onWait }) =>
      (await app.review(actor, onWait)).decide(name, verdict),
  ),
  'review.undo': defineAction('write', { auditId: auditIdInput }, async (app, input, { actor, onWait }) =>
    (await app.review(actor, onWait)).undo(input.auditId),
  ),
};
