/** Records: search, show, add and edit. */
import { z } from 'zod';
import type { App, RemovedSummary } from '../app.ts';
import type { FieldState } from '../contract/record-details.ts';
import type { Actor } from '../contract/roles.ts';
import { type ActionTable, auditIdInput, defineAction, kindInput, recordInput } from './action.ts';

const fieldChanges = z
  .array(
    z.object({
      field: z.string().max(50),
      operation: z.enum(['set', 'add', 'remove']),
      value: z.unknown(),
    }),
  )
  .min(1)
  .max(60);
const maxHits = 30;
/** Names of one form that are looked up. */
const maxNames = 100;
/** Removed records that the search reads, the latest first. */
const maxRemovedRead = 2_000;
const maxHistory = 100;

async function findRemoved(app: App, query: string, actor: Actor): Promise<RemovedSummary[]> {
  const all = (await app.removals(actor)).list({ limit: maxRemovedRead });
  const words = query.toLowerCase();
  return all
    .filter(({ name, slug }) => name.toLowerCase().includes(words) || slug.includes(words))
    .slice(0, maxHits);
}

/** Everything that the page of a record shows. A removed record has no fields. */
async function showRecord(app: App, text: string, actor: Actor): Promise<unknown> {
  const [removed] = (await app.removals(actor)).list({ id: text, limit: 1 });
  const history = app.auditLog();
  if (removed !== undefined) {
    const entries = history
      .list({ subjectKind: removed.kind, subject: removed.slug, limit: maxHistory })
      .map((entry) => ({ ...entry, at: new Date(entry.createdTs).toISOString(), undone_by: entry.undoneBy }));
    return {
      removed,
      record: removed,
      fields: [],
      explanation: null,
      history: entries,
      created: [],
      lacks_timezone: false,
      namesakes: [],
    };
  }
  const edits = await app.edits(actor);
  const { fields, ...summary } = edits.fields(text);
  const explanation = (await app.corrections()).explain(text);
  const entries = edits.history(text, maxHistory);
  const latest = entries.find(({ id, undone_by }) => id !== null && undone_by === null);
  return {
    removed: null,
    record: summary,
    fields,
    explanation,
    history: entries,
    created: latest === undefined ? [] : edits.createdBy(latest),
    lacks_timezone: edits.lacksTimezone(text),
    namesakes: app.namesakes(namedArtists(fields).slice(0, maxNames)).flatMap(({ artists }) => artists),
  };
}

/** The names in the line-up of a record, or in its list of artists. */
function namedArtists(fields: readonly FieldState[]): string[] {
  const lists = fields.filter(({ type }) => type === 'acts' || type === 'artists');
  return lists.flatMap(({ value }) => ((value ?? []) as { name: string }[]).map(({ name }) => name));
}

export const recordActions: ActionTable = {
  'record.search': defineAction(
    'read',
    { query: z.string().trim().max(200) },
    async (app, { query }, { actor }) => ({
      hits: query === '' ? [] : app.searchHits(query, maxHits, ''),
      removed: await findRemoved(app, query, actor),
    }),
  ),
  'record.namesakes': defineAction(
    'read',
    { names: z.array(z.string().trim().min(1).max(1_000)).max(maxNames) },
    async (app, { names }) => app.namesakes(names),
  ),
  'record.show': defineAction(
    'read',
    { record: recordInput },
    async (app, input, { actor }) => await showRecord(app, input.record, actor),
  ),
  'record.edit': defineAction(
    'write',
    {
      record: recordInput,
      changes: fieldChanges,
      expected: z.record(z.string(), z.unknown()),
    },
    async (app, input, { actor, onWait }) =>
      (await app.edits(actor, onWait)).set(input.record, input.changes, { expected: input.expected }),
  ),
  'record.reset': defineAction(
    'write',
    { record: recordInput, fields: z.array(z.string().max(50)).max(50) },
    async (app, input, { actor, onWait }) =>
      (await app.edits(actor, onWait)).reset(input.record, input.fields),
  ),
  'record.add': defineAction(
    'write',
    { kind: kindInput.unwrap(), changes: fieldChanges },
    async (app, input, { actor, onWait }) => (await app.edits(actor, onWait)).add(input.kind, input.changes),
  ),
  'record.undo': defineAction('write', { auditId: auditIdInput }, async (app, input, { actor, onWait }) =>
    (await app.edits(actor, onWait)).undo(input.auditId),
  ),
};
