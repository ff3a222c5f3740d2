/** The inputs of the form with a source's settings: their values, and the changes that a sent form asks for. */
import type { ShownSource } from '../../contract/source-summaries.ts';

/** Settings of one line, and those with one entry per line. */
const lineSettings = [
  ...['trust', 'every', 'city', 'country', 'timezone', 'maxAge'],
  ...['license', 'attribution', 'attributionUrl'],
];
const listSettings = ['include', 'exclude', 'genres'];
const checkSettings = ['complete', 'keepPast', 'hold'];
/** The names of all inputs. `onMissing` is a choice; `onMissingAfter` is the time of its choice `after`. */
export const settingInputs = [
  ...lineSettings,
  ...listSettings,
  ...checkSettings,
  'onMissing',
  'onMissingAfter',
];

/** What happens to events that a source no longer lists, as choices of the form. */
export const onMissingChoices = ['cancel', 'remove', 'after'] as const;
const removeAfter = 'remove:';
const defaultTime = '7d';

/** Returns the settings of a source as the form sends them. */
export function toForm({ rules, ...source }: ShownSource): URLSearchParams {
  const isAfter = rules.on_missing.startsWith(removeAfter);
  const form = new URLSearchParams({
    trust: String(source.trust),
    every: source.every ?? '',
    include: rules.include.join('\n'),
    exclude: rules.exclude.join('\n'),
    genres: rules.default_genres.join('\n'),
    city: rules.default_city ?? '',
    country: rules.default_country ?? '',
    timezone: rules.default_timezone ?? '',
    maxAge: rules.max_age ?? '',
    onMissing: isAfter ? 'after' : rules.on_missing,
    onMissingAfter: isAfter ? rules.on_missing.slice(removeAfter.length) : defaultTime,
    license: rules.license ?? '',
    attribution: rules.attribution ?? '',
    attributionUrl: rules.attribution_url ?? '',
  });
  const checks = { complete: source.complete, keepPast: rules.keep_past, hold: rules.hold };
  for (const [name, isSet] of Object.entries(checks)) if (isSet) form.set(name, '1');
  return form;
}

const shownName = (input: string): string => `was.${input}`;

/** Returns the hidden inputs of the form: the values that it showed when it was opened, by the names of its inputs. */
export function shownValues(source: ShownSource, sent?: URLSearchParams): Record<string, string> {
  const present = toForm(source);
  return Object.fromEntries(
    settingInputs.map((input) => {
      const name = shownName(input);
      return [name, sent?.get(name) ?? present.get(input) ?? ''];
    }),
  );
}

/**
 * Returns the settings of a form that differ from those that it showed, as the action `source.set` takes them. What
 * another person changed meanwhile stays. An input without its shown value is compared with the present one.
 */
export function changedSettings(form: URLSearchParams, source: ShownSource): Record<string, unknown> {
  const shownForm = toForm(source);
  for (const input of settingInputs) {
    const value = form.get(shownName(input));
    if (value !== null) shownForm.set(input, value);
  }
  const [present, before, after] = [readForm(toForm(source)), readForm(shownForm), readForm(form)];
  if (!source.scheduled) for (const name of ['every', 'complete']) delete after[name];
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) =>
      [present, before].every((one) => JSON.stringify(value) !== JSON.stringify(one[name])),
    ),
  );
}

/** Reads the settings of a form. Lines and lists that it does not have are left out. */
function readForm(form: URLSearchParams): Record<string, unknown> {
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  const settings: Record<string, unknown> = {};
  for (const name of lineSettings) if (form.has(name)) settings[name] = text(name);
  for (const name of listSettings) if (form.has(name)) settings[name] = linesOf(text(name));
  for (const name of checkSettings) settings[name] = text(name) === '1';
  if (form.has('onMissing'))
    settings.onMissing =
      text('onMissing') === 'after' ? removeAfter + text('onMissingAfter') : text('onMissing');
  return settings;
}

const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
