/**
 * What happens to upcoming events that no source lists any more (docs/spec/imports.md#complete-feeds). By default they
 * become `cancelled`; a rule of the source removes them instead. A later listing brings them back.
 */
import type { FeedKind } from '../../contract/feed.ts';
import { removedBySource } from '../../store/resolution/removed-records.ts';
import { parseStoredJson } from '../rules/source-rules.ts';
import type { WriteSession } from '../write-session.ts';

/** `onMissing` in the rules of a source. */
export type MissingRule = 'cancel' | 'remove' | { removeAfterMs: number };

/** Reads `onMissing` from the rules of a source as JSON. A missing or unknown value means `cancel`. */
export function missingRuleOf(rules: string): MissingRule {
  const value = (parseStoredJson(rules) as { onMissing?: unknown } | null)?.onMissing;
  if (value === 'remove') return 'remove';
  const afterMs = (value as { removeAfterMs?: unknown } | null | undefined)?.removeAfterMs;
  return typeof afterMs === 'number' && afterMs >= 0 ? { removeAfterMs: afterMs } : 'cancel';
}

/** The time in ms after which a missing event is removed; null: never. */
export const removeAfterMs = (rule: MissingRule): number | null =>
  rule === 'cancel' ? null : rule === 'remove' ? 0 : rule.removeAfterMs;

/**
 * Removes an event or edition that no source lists any more and that has not ended.
 * @returns false if it stays
 */
export function removeIfUnlisted(
  session: WriteSession,
  kind: FeedKind,
  id: number,
  source: string,
  { alsoPast = false } = {},
): boolean {
  const { writer, sources, lookup, remover, now } = session;
  if ((kind !== 'event' && kind !== 'edition') || lookup.removed.has(id) || sources.isListed(id))
    return false;
  const endsTs = writer.row(kind, id)?.ends_ts;
  if (typeof endsTs !== 'number' || (endsTs <= now && !alsoPast)) return false;
  remover.remove(kind, id, { state: 'deleted', by: removedBySource(source), reason: null });
  return true;
}
