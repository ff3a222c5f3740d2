/** The forms of a source's page: settings, run now, pause, resume. */
import type { RulesPreview, ShownSource } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { runAction, type StaffRequest } from '../admin-request.ts';
import type { FormState } from '../inputs.tsx';
import { withQuery } from '../parts.tsx';
import { translatedCode } from '../refusals.ts';
import { assertSource, formErrors, type Refusal, refusalErrors, sourceName } from './failures.tsx';
import { startedQuery } from './progress.tsx';
import { changedSettings, settingInputs } from './settings.ts';
import { renderSource } from './source.tsx';

type Handler = (visit: StaffRequest, name: string) => Promise<void>;

/** Redirects to the page of a source after a change. @param code of the message that it shows */
const showDone = (visit: StaffRequest, name: string, code: string): void =>
  visit.redirect(withQuery('/admin/source', { name, done: code }));

const simple =
  (action: string, code: string): Handler =>
  async (visit, name) => {
    await runAction(visit, action, { name });
    showDone(visit, name, code);
  };

const handlers: Record<string, Handler> = {
  run: runSource,
  pause: simple('source.pause', 'paused'),
  resume: simple('source.resume', 'resumed'),
  set: saveSettings,
  preview: previewSettings,
};

/** Does what the button of a source's page says (`do`). Throws a `Failure` for a form without a known action. */
export async function changeSource(visit: StaffRequest): Promise<void> {
  const [action, name] = [visit.field('do'), sourceName(visit)];
  const handler = Object.hasOwn(handlers, action) ? handlers[action] : undefined;
  if (handler === undefined)
    throw new Failure(visit.messages.consoleSources.source.noAction, 2, { code: translatedCode });
  await handler(visit, name);
}

/** Starts a run. The page waits for it, also if other work is done first. */
async function runSource(visit: StaffRequest, name: string): Promise<void> {
  const query = startedQuery(visit, name);
  assertSource(visit, name);
  await runAction(visit, 'source.sync', { name });
  visit.redirect(withQuery('/admin/source', { name, ...query }));
}

/** Saves the settings of the form that differ from the present ones. */
async function saveSettings(visit: StaffRequest, name: string): Promise<void> {
  const source = await runAction<ShownSource>(visit, 'source.show', { name });
  const changes = changedSettings(visit.form, source);
  if (Object.keys(changes).length === 0) return showDone(visit, name, 'unchanged');
  await orShowForm(visit, source, async () => {
    await runAction(visit, 'source.set', { name, changes });
    showDone(visit, name, 'saved');
  });
}

/** Shows what the rules of the form keep and leave out, with the form as it was sent. */
async function previewSettings(visit: StaffRequest, name: string): Promise<void> {
  const source = await runAction<ShownSource>(visit, 'source.show', { name });
  await orShowForm(visit, source, async () => {
    const changes = changedSettings(visit.form, source);
    const preview = await runAction<RulesPreview>(visit, 'source.preview-rules', { name, changes });
    renderSource(visit, source, { preview, sent: { values: visit.form, errors: {} } });
  });
}

/** Does the work of a form. If it is refused, the form is shown again as it was sent, with the errors. */
async function orShowForm(
  visit: StaffRequest,
  source: ShownSource,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (failure) {
    const first = formErrors(visit, failure, settingInputs);
    const errors = first[''] === undefined ? { ...first, ...(await allErrors(visit, source)) } : first;
    const isTime = errors.onMissing !== undefined && visit.field('onMissing') === 'after';
    const { onMissingAfter = '' } = visit.messages.consoleSources.errors;
    renderSource(visit, source, {
      sent: { values: visit.form, errors: isTime ? moveError(errors, onMissingAfter) : errors },
    });
  }
}

/** Returns the errors of all inputs: an action ends with the first. */
async function allErrors(
  visit: StaffRequest,
  { name, ...source }: ShownSource,
): Promise<FormState['errors']> {
  const changes = changedSettings(visit.form, { name, ...source });
  try {
    const refusals = await runAction<Refusal[]>(visit, 'source.check', { name, changes });
    return Object.assign({}, ...refusals.map((one) => refusalErrors(visit, one, settingInputs)));
  } catch (failure) {
    return formErrors(visit, failure, settingInputs);
  }
}

/** Moves the error of the choice to the time that belongs to it. */
function moveError({ onMissing: _, ...errors }: FormState['errors'], text: string): FormState['errors'] {
  return { ...errors, onMissingAfter: text };
}
