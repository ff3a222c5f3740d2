/** Changes the rules of a source by the texts of an editor, and shows them in the same words. */
import { dayMs, formatDuration, parseDurationWithin } from '../../clock.ts';
import type { RulesSummary } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { fold } from '../../text/fold.ts';
import { isFieldOnly } from './pattern.ts';
import { type OnMissing, parseEditedRules, type RuleMember, type SourceRules } from './source-rules.ts';

/** Changes as texts. A member that is left out stays; an empty text or list removes the rule. */
export type RuleChanges = {
  /** Replace the lists. */
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  genres?: readonly string[] | undefined;
  /** Add to the lists. */
  addInclude?: readonly string[] | undefined;
  addExclude?: readonly string[] | undefined;
  city?: string | undefined;
  country?: string | undefined;
  timezone?: string | undefined;
  license?: string | undefined;
  attribution?: string | undefined;
  attributionUrl?: string | undefined;
  /** Such as `90d`. */
  maxAge?: string | undefined;
  /** `cancel`, `remove` or `remove:7d`. */
  onMissing?: string | undefined;
  hold?: boolean | undefined;
  keepPast?: boolean | undefined;
  /** Names of rules to remove, `exclude=PATTERN` for one pattern, or `all`. Applied first. */
  unset?: readonly string[] | undefined;
};

/** The names of the rules in commands, and their members. */
const memberOfName: ReadonlyMap<string, RuleMember> = new Map(
  Object.entries({
    include: 'include',
    exclude: 'exclude',
    'default-city': 'city',
    'default-country': 'country',
    'default-timezone': 'timezone',
    'default-genre': 'genres',
    hold: 'hold',
    license: 'license',
    attribution: 'attribution',
    'attribution-url': 'attributionUrl',
    'max-age': 'maxAgeMs',
    'keep-past': 'keepPast',
    'on-missing': 'onMissing',
  } satisfies Record<string, RuleMember>),
);
export const ruleNames = [...memberOfName.keys()];

/**
 * Returns the rules with the changes.
 * @throws Failure (wrong usage) that names the invalid rule
 */
export function changeRules(rules: SourceRules, changes: RuleChanges): SourceRules {
  refuseEmptyPatterns('include', [...(changes.include ?? []), ...(changes.addInclude ?? [])]);
  refuseEmptyPatterns('exclude', [...(changes.exclude ?? []), ...(changes.addExclude ?? [])]);
  const next: Record<string, unknown> = { ...rules };
  for (const name of changes.unset ?? []) unsetRule(next, name);
  for (const member of ['include', 'exclude', 'genres'] as const)
    if (changes[member] !== undefined) next[member] = unique(changes[member]);
  if (changes.addInclude?.length) next.include = unique([...listOf(next.include), ...changes.addInclude]);
  if (changes.addExclude?.length) next.exclude = unique([...listOf(next.exclude), ...changes.addExclude]);
  for (const member of ['city', 'timezone', 'license', 'attribution', 'attributionUrl'] as const)
    if (changes[member] !== undefined) next[member] = changes[member].trim();
  if (changes.country !== undefined) next.country = changes.country.trim();
  if (changes.maxAge !== undefined) next.maxAgeMs = parseOptionalSpan('--max-age', changes.maxAge);
  if (changes.onMissing !== undefined) next.onMissing = parseOnMissing(changes.onMissing);
  for (const member of ['hold', 'keepPast'] as const)
    if (changes[member] !== undefined) next[member] = changes[member];
  for (const [member, value] of Object.entries(next)) if (isUnset(value)) delete next[member];
  return parseEditedRules(next);
}

/** Throws a `Failure` for a new pattern that would fit nothing: as the only `include`, it would drop every listing. */
function refuseEmptyPatterns(field: 'include' | 'exclude', patterns: readonly string[]): void {
  const pattern = patterns.find(isFieldOnly);
  if (pattern === undefined) return;
  throw new Failure(`The ${field} pattern ${pattern.trim()} has no text. Write ${pattern.trim()}TEXT.`, 2, {
    field,
  });
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);
const unique = (texts: readonly string[]): string[] => [
  ...new Map(texts.map((text) => [fold(text.trim()), text.trim()])).values(),
];
const isUnset = (value: unknown): boolean =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

function unsetRule(rules: Record<string, unknown>, text: string): void {
  if (text === 'all') {
    for (const member of memberOfName.values()) delete rules[member];
    return;
  }
  const [, list, pattern] = /^(include|exclude)=(.*)$/s.exec(text) ?? [];
  const member = memberOfName.get(list ?? text);
  if (member === undefined)
    throw new Failure(
      `--unset is all, ${ruleNames.join(', ')}, or exclude=PATTERN; not ${JSON.stringify(text)}.`,
      2,
    );
  if (pattern === undefined) {
    delete rules[member];
    return;
  }
  const before = listOf(rules[member]);
  const after = before.filter((one) => fold(one) !== fold(pattern.trim()));
  if (after.length === before.length)
    throw new Failure(`There is no ${list} pattern ${pattern}. There is ${before.join(', ') || 'none'}.`, 2);
  rules[member] = after;
}

const maxSpanMs = 99_999 * dayMs;
const parseSpan = (text: string): number | null => parseDurationWithin(text, 0, maxSpanMs);

function parseOptionalSpan(option: string, text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const ms = parseSpan(text);
  if (ms !== null) return ms;
  throw new Failure(`${option} is a time span such as 12h, 90d or 2w, not ${JSON.stringify(text)}.`, 2, {
    field: 'maxAge',
  });
}

function parseOnMissing(text: string): OnMissing | undefined {
  const choice = text.trim().toLowerCase();
  if (choice === '') return undefined;
  if (choice === 'cancel' || choice === 'remove') return choice;
  const removeAfterMs = choice.startsWith('remove:') ? parseSpan(choice.slice('remove:'.length)) : null;
  if (removeAfterMs !== null) return { removeAfterMs };
  throw new Failure(
    `--on-missing is cancel, remove, or remove:7d (remove after seven days), not ${JSON.stringify(text)}.`,
    2,
    { field: 'onMissing' },
  );
}

/** Shows the rules of a source, also those that are not set. */
export function summarizeRules(rules: SourceRules): RulesSummary {
  const { onMissing = 'cancel', maxAgeMs } = rules;
  return {
    include: rules.include ?? [],
    exclude: rules.exclude ?? [],
    default_city: rules.city ?? null,
    default_country: rules.country ?? null,
    default_timezone: rules.timezone ?? null,
    default_genres: rules.genres ?? [],
    hold: rules.hold === true,
    license: rules.license ?? null,
    attribution: rules.attribution ?? null,
    attribution_url: rules.attributionUrl ?? null,
    max_age: maxAgeMs === undefined ? null : formatDuration(maxAgeMs),
    keep_past: rules.keepPast === true,
    on_missing:
      typeof onMissing === 'string' ? onMissing : `remove:${formatDuration(onMissing.removeAfterMs)}`,
  };
}
