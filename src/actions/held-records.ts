/** Records that a source holds back until an editor approves them. */
import { z } from 'zod';
import { type ActionTable, defineAction, sourceNameInput } from './action.ts';

const heldSelection = z.union([z.literal('all'), z.array(z.string().max(600)).min(1).max(200)]);

export const heldRecordActions: ActionTable = {
  'source.held': defineAction(
    'read',
    {
      name: sourceNameInput,
      state: z.enum(['waiting', 'rejected']),
      limit: z.int().min(1).max(200),
      offset: z.int().min(0).max(10_000_000).default(0),
    },
    async (app, { name, ...options }, { fetch }) => (await app.sources(fetch)).held(name, options),
  ),
  'source.approve': defineAction(
    'write',
    { name: sourceNameInput, selection: heldSelection },
    async (app, { name, selection }, { actor, fetch, onWait }) => {
      const registry = await app.sources(fetch);
      const decision = await registry.approve(name, selection, actor);
      const report = await registry.publishApproved(name, { isWatched: true, onWait });
      return { ...decision, rejected: report?.rejected ?? [] };
    },
  ),
  'source.reject': defineAction(
    'write',
    { name: sourceNameInput, selection: heldSelection },
    async (app, { name, selection }, { actor, fetch }) => ({
      ...(await (await app.sources(fetch)).reject(name, selection, actor)),
      rejected: [],
    }),
  ),
};
