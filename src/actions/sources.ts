/** Sources: list, show, sync, pause and remove. */
import { z } from 'zod';
import type { App } from '../app.ts';
import { type ActionContext, type ActionTable, defineAction, sourceNameInput } from './action.ts';

export const sourceActions: ActionTable = {
  'source.show': defineAction('read', { name: sourceNameInput }, async (app, { name }, { fetch }) => {
    const registry = await app.sources(fetch);
    const details = await registry.show(name);
    return { ...details, rejections: details.scheduled ? registry.rejected(name) : null };
  }),
  'source.runs': defineAction('read', { name: sourceNameInput }, async (app, { name }, { fetch }) =>
    (await app.sources(fetch)).runs(name),
  ),
  'source.rejected': defineAction('read', { name: sourceNameInput }, async (app, { name }, { fetch }) => {
    const { rejected, rejected_count } = (await app.sources(fetch)).summary(name);
    return { rejected, rejected_count };
  }),
  'source.purge-preview': defineAction('read', { name: sourceNameInput }, async (app, { name }, { actor }) =>
    (await app.removals(actor)).previewPurge(name),
  ),
  'source.pause': defineAction('write', { name: sourceNameInput }, async (app, { name }, { actor, fetch }) =>
    (await app.sources(fetch)).pause(name, actor),
  ),
  'source.resume': defineAction('write', { name: sourceNameInput }, async (app, { name }, { actor, fetch }) =>
    (await app.sources(fetch)).resume(name, actor),
  ),
  'source.purge': defineAction('long', { name: sourceNameInput }, async (app, { name }, { actor, onWait }) =>
    (await app.removals(actor, onWait)).purgeSource(name),
  ),
  'source.list': defineAction(
    'read',
    {},
    // Without the rejected records: those of 300 sources are megabytes, which the service would parse between requests.
    async (app, _, { fetch }) =>
      (await app.sources(fetch)).list().map(({ rejected: _rejected, ...source }) => source),
  ),
  'source.remove': defineAction(
    'write',
    { name: sourceNameInput, withdraw: z.boolean() },
    async (app, { name, withdraw }, { fetch, actor }) =>
      (await app.sources(fetch)).remove(name, { withdraw }, actor),
  ),
  'source.sync': defineAction('long', { name: sourceNameInput }, (app, { name }, context) =>
    syncSource(app, name, context),
  ),
};

/**
 * Reads a source. An exception of a socket or a timer has no caller: it ends the run, which is then recorded. The
 * watchdog ends the process of actions if the source blocks it, so that those that wait run in another one.
 */
async function syncSource(app: App, name: string, { fetch, onWait }: ActionContext): Promise<unknown> {
  const registry = await app.sources(fetch);
  const interrupt = (failure: unknown) => {
    if (!registry.interrupt(failure)) throw failure;
  };
  process.on('uncaughtException', interrupt);
  try {
    await registry.recordDeadRuns();
    return await registry.sync(name, { byHand: true, isWatched: true, onWait });
  } finally {
    process.off('uncaughtException', interrupt);
  }
}
