/** Decisions about pairs of records: merge, keep apart, split, and the review of doubtful pairs. */
import { z } from 'zod';
import { type ActionTable, auditIdInput, defineAction, kindInput, recordInput } from './action.ts';

const pair = z.object({ a: recordInput, b: recordInput, force: z.boolean().default(false) });

export const decisionActions: ActionTable = {
  'record.merge': defineAction({
    input: pair,
    role: 'editor',
    lane: 'write',
    run: async (app, { a, b, force }, { actor, onWait }) =>
      (await app.corrections(onWait, actor)).merge(a, b, { force }),
  }),
  'record.never-merge': defineAction({
    input: pair,
    role: 'editor',
    lane: 'write',
    run: async (app, { a, b, force }, { actor, onWait }) =>
      (await app.corrections(onWait, actor)).neverMerge(a, b, { force }),
  }),
  'record.split': defineAction({
    input: z.object({ record: recordInput, parts: z.array(recordInput).max(100) }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) =>
      (await app.corrections(onWait, actor)).split(input.record, input.parts),
  }),
  'record.explain': defineAction({
    input: z.object({ record: recordInput }),
    role: 'editor',
    lane: 'read',
    run: async (app, input) => (await app.corrections()).explain(input.record),
  }),
  'record.duplicates': defineAction({
    input: z.object({ kind: kindInput }),
    role: 'editor',
    lane: 'read',
    run: async (app, input) => (await app.corrections()).duplicates(input.kind),
  }),
  'review.next': defineAction({
    input: z.object({
      kind: kindInput,
      after: z.string().max(100).nullable(),
      limit: z.int().min(1).max(100),
    }),
    role: 'editor',
    lane: 'read',
    run: async (app, input, { actor }) => {
      const review = await app.review(actor);
      return { ...(await review.next(input)), counts: await review.count() };
    },
  }),
  'review.count': defineAction({
    input: z.object({}),
    role: 'editor',
    lane: 'read',
    run: async (app, _, { actor }) => (await app.review(actor)).count(),
  }),
  'review.decide': defineAction({
    input: z.object({ pair: z.string().max(100), verdict: z.enum(['same', 'different', 'later']) }),
    role: 'editor',
    lane: 'write',
    run: async (app, { pair: name, verdict }, { actor, onWait }) =>
      (await app.review(actor, onWait)).decide(name, verdict),
  }),
  'review.undo': defineAction({
    input: z.object({ auditId: auditIdInput }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) => (await app.review(actor, onWait)).undo(input.auditId),
  }),
};
