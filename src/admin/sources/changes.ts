/** The forms of a source's page: settings, run now, pause, resume. */
import { Failure } from '../../failure.ts';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { withQuery } from '../parts.tsx';
import { renderSource } from './source.tsx';
import type { RulesPreview, SourceDetails } from './types.ts';

type Handler = (visit: StaffRequest, name: string) => Promise<string>;

const simple =
  (action: string, done: string): Handler =>
  async (visit, name) => {
    await runAction(visit, action, { name });
    return done;
  };

const handlers: Record<string, Handler> = {
  run: simple('source.sync', 'started'),
  pause: simple('source.pause', 'paused'),
  resume: simple('source.resume', 'resumed'),
  set: saveSettings,
};

export async function changeSource(visit: StaffRequest): Promise<void> {
  const [action, name] = [visit.field('do'), visit.field('name')];
  if (action === 'preview') return await previewSettings(visit, name);
  const handler = Object.hasOwn(handlers, action) ? handlers[action] : undefined;
  if (handler === undefined) throw new Failure('The form does not say what to do with the source.', 2);
  const done = await handler(visit, name);
  visit.redirect(withQuery('/admin/source', { name, done }));
}

/** Settings of one line, and those with one entry per line. */
const lineSettings = [
  ...['trust', 'every', 'city', 'country', 'timezone', 'maxAge', 'onMissing'],
  ...['license', 'attribution', 'attributionUrl'],
];
const listSettings = ['include', 'exclude', 'genres'];
const checkSettings = ['complete', 'keepPast', 'hold'];

/** Saves the settings of the form that differ from the present ones. */
async function saveSettings(visit: StaffRequest, name: string): Promise<string> {
  const source = await runAction<SourceDetails>(visit, 'source.show', { name });
  const changes = changedSettings(visit, source);
  if (Object.keys(changes).length === 0) return 'unchanged';
  await runAction(visit, 'source.set', { name, changes });
  return 'saved';
}

/** Shows what the rules of the form keep and leave out, with the form as it was sent. */
async function previewSettings(visit: StaffRequest, name: string): Promise<void> {
  const source = await runAction<SourceDetails>(visit, 'source.show', { name });
  const changes = changedSettings(visit, source);
  const preview = await runAction<RulesPreview>(visit, 'source.preview-rules', { name, changes });
  renderSource(visit, withSettings(visit, source), preview);
}

/** Returns the settings of the form that differ from the present ones. */
function changedSettings(visit: StaffRequest, source: SourceDetails): Record<string, unknown> {
  const present = presentSettings(source);
  const changes: Record<string, unknown> = {};
  const note = (setting: string, value: unknown): void => {
    if (JSON.stringify(value) !== JSON.stringify(present[setting])) changes[setting] = value;
  };
  for (const setting of lineSettings) if (visit.form.has(setting)) note(setting, visit.field(setting).trim());
  for (const setting of listSettings) note(setting, linesOf(visit.field(setting)));
  for (const setting of checkSettings)
    if (setting !== 'complete' || source.scheduled) note(setting, visit.field(setting) === '1');
  return changes;
}

/** Returns the source with the settings of the form. */
function withSettings(visit: StaffRequest, source: SourceDetails): SourceDetails {
  const line = (name: string): string => visit.field(name).trim();
  const list = (name: string): string[] => linesOf(visit.field(name));
  return {
    ...source,
    trust: Number.isFinite(Number(line('trust'))) ? Number(line('trust')) : source.trust,
    every: line('every'),
    complete: line('complete') === '1',
    rules: {
      include: list('include'),
      exclude: list('exclude'),
      default_city: line('city'),
      default_country: line('country'),
      default_timezone: line('timezone'),
      default_genres: list('genres'),
      hold: line('hold') === '1',
      license: line('license'),
      attribution: line('attribution'),
      attribution_url: line('attributionUrl'),
      max_age: line('maxAge'),
      keep_past: line('keepPast') === '1',
      on_missing: line('onMissing'),
    },
  };
}

const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

const presentSettings = ({ rules, ...source }: SourceDetails): Record<string, unknown> => ({
  trust: String(source.trust),
  every: source.every ?? '',
  complete: source.complete,
  include: rules.include,
  exclude: rules.exclude,
  genres: rules.default_genres,
  city: rules.default_city ?? '',
  country: rules.default_country ?? '',
  timezone: rules.default_timezone ?? '',
  maxAge: rules.max_age ?? '',
  onMissing: rules.on_missing,
  license: rules.license ?? '',
  attribution: rules.attribution ?? '',
  attributionUrl: rules.attribution_url ?? '',
  keepPast: rules.keep_past,
  hold: rules.hold,
});
