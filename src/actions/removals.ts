/** Removals of records: hide, delete, forget, and the way back. */
import { z } from 'zod';
import { type Action, type ActionTable, defineAction, recordInput } from './action.ts';

/** An action that hides a record, or takes that back. */
function removal(verb: 'hide' | 'delete' | 'unhide' | 'restore'): Record<string, Action> {
  return {
    [`record.${verb}`]: defineAction(
      'write',
      { record: recordInput, reason: z.string().trim().max(500).nullable() },
      async (app, input, { actor, onWait }) => {
        const removals = await app.removals(actor, onWait);
        const { reason } = input;
        if (verb === 'hide' || verb === 'delete') return removals[verb](input.record, { reason });
        return removals[verb](input.record);
      },
    ),
  };
}

export const removalActions: ActionTable = {
  ...removal('hide'),
  ...removal('delete'),
  ...removal('unhide'),
  ...removal('restore'),
  'record.forget': defineAction(
    'write',
    { record: recordInput, name: z.enum(['keep', 'remove']) },
    async (app, input, { actor, onWait }) =>
      (await app.removals(actor, onWait)).forget(input.record, { name: input.name }),
  ),
};
