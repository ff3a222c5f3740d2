/**
 * Validates common values without Zod, which would take longer than the rest of parsing a line. Most members are ASCII
 * texts, numbers and lists of them. Other values go to the schema of their member. If a schema rejects a record, the
 * full validator runs to find the reason. The result equals that of the full validator, including the member order; a
 * test compares both.
 */

import { z } from 'zod';
import {
  type FeedKind,
  type FeedRecordContent,
  feedRecordSchemas,
  isUri,
  maxEntries,
} from '../../contract/feed.ts';
import { countryCodes } from '../../contract/parameters.ts';
import { getOrCreate } from '../../memoize.ts';
import type { RecordKey } from '../../sources/common/input-items.ts';

/** Returns whether the schema would accept the value unchanged. */
type ValueCheck = (value: unknown) => boolean;

const maxNameLength = 1_000;
const maxTextLength = 100_000;
const maxUrlLength = 4_000;
/**
 * Texts of Latin letters and common signs with single spaces; no schema changes them. Accented letters are limited to
 * single code points that normalization keeps.
 */
const tidyTextPattern =
  /^[!-~\u00a1-\u00ac\u00ae-\u024f\u2013-\u2022]+(?: [!-~\u00a1-\u00ac\u00ae-\u024f\u2013-\u2022]+)*$/;
const isTidyText =
  (maxLength: number): ValueCheck =>
  (value) =>
    typeof value === 'string' && value.length <= maxLength && tidyTextPattern.test(value);
const isName = isTidyText(maxNameLength);
const isText = isTidyText(maxTextLength);
const isCountry: ValueCheck = (value) =>
  typeof value === 'string' && countryCodes.has(value) && /^[A-Z]{2}$/.test(value);
const isUrl: ValueCheck = (value) =>
  typeof value === 'string' &&
  value.length <= maxUrlLength &&
  (plainUrlPattern.test(value) || (/^https?:/.test(value) && isUri(value) && URL.canParse(value)));
/** URLs with an unambiguous host. */
const plainUrlPattern =
  /^https?:\/\/(?:(?!xn--)[a-z0-9][a-z0-9-]{0,60}\.){1,5}[a-z]{2,20}(?:\/[\w./~?&=+,:;@!-]*)?$/;
/** A date, optionally with a local time; days that not every month has go to the schema. */
const isTime: ValueCheck = (value) => typeof value === 'string' && plainTimePattern.test(value);
const plainTimePattern =
  /^[12]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/;
const isIntegerWithin =
  (min: number, max: number): ValueCheck =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
const isPrice: ValueCheck = (value) =>
  typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
const isNameList =
  (maxItems: number): ValueCheck =>
  (value) =>
    Array.isArray(value) && value.length <= maxItems && value.every(isName);

const memberChecks: Record<string, ValueCheck> = {
  name: isName,
  city: isName,
  parent: isName,
  aliases: isNameList(maxEntries.aliases),
  genres: isNameList(maxEntries.genres),
  country: isCountry,
  description: isText,
  region: isName,
  address: isName,
  postal_code: isName,
  real_name: isName,
  biography: isText,
  publisher: isName,
  stage: isName,
  website: isUrl,
  image_url: isUrl,
  image_credit: isName,
  image_license: isName,
  url: isUrl,
  feed_url: isUrl,
  audio_url: isUrl,
  start_at: isTime,
  end_at: isTime,
  set_start_at: isTime,
  set_end_at: isTime,
  published_at: isTime,
  set: isIntegerWithin(1, Number.MAX_SAFE_INTEGER),
  minimum_age: isIntegerWithin(0, 150),
  capacity: isIntegerWithin(0, 1e9),
  population: isIntegerWithin(0, 1e10),
  founded_year: isIntegerWithin(1000, 9999),
  external_id: isName,
  seller: isName,
  price_min: isPrice,
  price_max: isPrice,
};

/** The members of a nested object or of the objects in a list; `maxItems` is null for a single object. */
type NestedMembers = { maxItems: number | null; members: SchemaMember[] };

/** How one member of an object is validated. */
type SchemaMember = {
  name: string;
  isOptional: boolean;
  check: ValueCheck | undefined;
  /** Set for objects and lists of objects. */
  nested: NestedMembers | null;
  schema: z.ZodType;
  /** Values that the schema accepted unchanged; only for members with few values, such as time zones. */
  seenValues: Set<unknown> | null;
};

const notAccepted = Symbol('refused');
const maxSeenValues = 1_000;
const cachedMembers = new Set(['timezone', 'status', 'billing', 'availability', 'currency']);

function membersOf(schema: z.ZodObject): SchemaMember[] {
  return Object.entries(schema.shape).map(([name, member]) => {
    const unwrapped = unwrap(member as z.ZodType);
    const element = unwrapped instanceof z.ZodArray ? unwrap(unwrapped.element as z.ZodType) : unwrapped;
    // Decided by the schema, not the name: a label's `parent` is an object, a genre's is a text.
    const isObject = element instanceof z.ZodObject;
    return {
      name,
      isOptional: (member as z.ZodType).safeParse(undefined).success,
      check: isObject ? undefined : memberChecks[name],
      nested: isObject
        ? { maxItems: unwrapped instanceof z.ZodArray ? maxItemsOf(name) : null, members: membersOf(element) }
        : null,
      schema: member as z.ZodType,
      seenValues: cachedMembers.has(name) ? new Set() : null,
    };
  });
}

const maxItemsOf = (list: string): number => (maxEntries as Record<string, number>)[list] ?? 0;

function unwrap(schema: z.ZodType): z.ZodType {
  let current = schema;
  while (current instanceof z.ZodOptional || current instanceof z.ZodNullable)
    current = current.unwrap() as z.ZodType;
  return current;
}

const membersByKind = new Map<unknown, SchemaMember[]>();
const membersOfKind = (kind: FeedKind): SchemaMember[] => {
  return getOrCreate(membersByKind, kind, () => membersOf(feedRecordSchemas[kind]));
};

/** Returns the validated record, or null if the full validator must describe the problem. */
export function validateFast(
  value: Record<string, unknown>,
): (RecordKey & { statement: FeedRecordContent<FeedKind> }) | null {
  const { kind, external_id: externalId, change } = value;
  if (
    typeof kind !== 'string' ||
    !Object.hasOwn(feedRecordSchemas, kind) ||
    typeof externalId !== 'string' ||
    !isName(externalId)
  )
    return null;
  if (change === 'merged') return null;
  const statement = readObject(value, membersOfKind(kind as FeedKind));
  if (statement === notAccepted) return null;
  return {
    kind: kind as FeedKind,
    externalId,
    statement: statement as FeedRecordContent<FeedKind>,
  };
}

function readObject(
  value: Record<string, unknown>,
  members: readonly SchemaMember[],
): object | typeof notAccepted {
  const output: Record<string, unknown> = {};
  for (const member of members) {
    const { name } = member;
    const input = value[name];
    if (input === undefined || input === null) {
      if (!member.isOptional) return notAccepted;
      if (input === null) output[name] = null;
      continue;
    }
    const memberValue = readMember(input, member);
    if (memberValue === notAccepted) return notAccepted;
    output[name] = memberValue;
  }
  return output;
}

function readMember(value: unknown, member: SchemaMember): unknown {
  if (member.check?.(value)) return value;
  if (member.nested !== null) {
    const nested = readNested(value, member.nested);
    if (nested !== notAccepted) return nested;
  }
  if (member.seenValues?.has(value)) return value;
  const { success, data } = member.schema.safeParse(value);
  if (!success) return notAccepted;
  if (member.seenValues && data === value && member.seenValues.size < maxSeenValues)
    member.seenValues.add(value);
  return data;
}

function readNested(value: unknown, { maxItems, members }: NestedMembers): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (maxItems !== null))
    return notAccepted;
  if (maxItems !== null && (value as unknown[]).length > maxItems) return notAccepted;
  if (maxItems === null) return readObject(value as Record<string, unknown>, members);
  const output: unknown[] = [];
  for (const entry of value as unknown[]) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return notAccepted;
    const object = readObject(entry as Record<string, unknown>, members);
    if (object === notAccepted) return notAccepted;
    output.push(object);
  }
  return output;
}
