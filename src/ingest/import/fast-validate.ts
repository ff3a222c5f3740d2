/**
 * Reading what is plainly right without the validator, which would take longer than all the rest of reading a line: most
 * members of most feeds are words of ASCII, numbers and lists of such. What is not goes to the schema of its member, and
 * a record that a schema refuses to the validator, for the reason. What comes out is what the validator would give, in
 * the order in which it would give it: a test compares the two.
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
import type { RecordKey } from '../../sources/common/input-items.ts';

/** Whether a schema would take the value, and leave it as it is. */
type ValueCheck = (value: unknown) => boolean;

const maxNameLength = 1_000;
const maxTextLength = 100_000;
const maxUrlLength = 4_000;
/**
 * Words of Latin letters and common signs with single spaces between: no schema of a text changes them. Letters with
 * marks are those of one code point that stays as it is.
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
/** An address of whose host nobody could doubt that it is one. */
const plainUrlPattern =
  /^https?:\/\/(?:(?!xn--)[a-z0-9][a-z0-9-]{0,60}\.){1,5}[a-z]{2,20}(?:\/[\w./~?&=+,:;@!-]*)?$/;
/** A date, with a local clock time perhaps, of a day that the month has in every year. */
const isTime: ValueCheck = (value) => typeof value === 'string' && plainTimePattern.test(value);
const plainTimePattern =
  /^[12]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/;
const isIntegerWithin =
  (min: number, max: number): ValueCheck =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
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
  url: isUrl,
  feed_url: isUrl,
  audio_url: isUrl,
  start_at: isTime,
  end_at: isTime,
  set_start_at: isTime,
  set_end_at: isTime,
  published_at: isTime,
  minimum_age: isIntegerWithin(0, 150),
  capacity: isIntegerWithin(0, 1e9),
  population: isIntegerWithin(0, 1e10),
  founded_year: isIntegerWithin(1000, 9999),
  external_id: isName,
  seller: isName,
  price_min: isPrice,
  price_max: isPrice,
};

/** The objects in a list, of which it may have `most`, or the one object; `most` is null for that. */
type NestedMembers = { most: number | null; members: SchemaMember[] };

/** One member of an object: how it is read, and whether it may be absent or null. */
type SchemaMember = {
  name: string;
  isOptional: boolean;
  check: ValueCheck | undefined;
  /** Of the objects in a list, or of the one object that it is. */
  inner: NestedMembers | null;
  schema: z.ZodType;
  /** Values that the schema took and left as they are, where there are few: zones, statuses. */
  seen: Set<unknown> | null;
};

const notAccepted = Symbol('refused');
const maxSeenValues = 1_000;
const cachedMembers = new Set(['timezone', 'status', 'billing', 'availability', 'currency']);

function membersOf(schema: z.ZodObject): SchemaMember[] {
  return Object.entries(schema.shape).map(([name, member]) => {
    const inner = unwrap(member as z.ZodType);
    const element = inner instanceof z.ZodArray ? unwrap(inner.element as z.ZodType) : inner;
    // A label's parent is a reference, a genre's a name: by its schema, not by what it is called.
    const isObject = element instanceof z.ZodObject;
    return {
      name,
      isOptional: (member as z.ZodType).safeParse(undefined).success,
      check: isObject ? undefined : memberChecks[name],
      inner: isObject
        ? { most: inner instanceof z.ZodArray ? maxItemsOf(name) : null, members: membersOf(element) }
        : null,
      schema: member as z.ZodType,
      seen: cachedMembers.has(name) ? new Set() : null,
    };
  });
}

const maxItemsOf = (list: string): number => (maxEntries as Record<string, number>)[list] ?? 0;

function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable)
    inner = inner.unwrap() as z.ZodType;
  return inner;
}

const membersByKind = new Map<unknown, SchemaMember[]>();
const membersOfKind = (kind: FeedKind): SchemaMember[] => {
  let members = membersByKind.get(kind);
  if (members === undefined) {
    members = membersOf(feedRecordSchemas[kind]);
    membersByKind.set(kind, members);
  }
  return members;
};

/** The record that an object is; null where the validator has to say what is wrong with it. */
export function validateFast(
  value: Record<string, unknown>,
): (RecordKey & { statement: FeedRecordContent<FeedKind> }) | null {
  const { kind, external_id: externalId, change } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(feedRecordSchemas, kind) || !isName(externalId)) return null;
  if (change === 'merged') return null;
  const statement = readObject(value, membersOfKind(kind as FeedKind));
  if (statement === notAccepted) return null;
  return {
    kind: kind as FeedKind,
    externalId: externalId as string,
    statement: statement as FeedRecordContent<FeedKind>,
  };
}

function readObject(
  value: Record<string, unknown>,
  members: readonly SchemaMember[],
): object | typeof notAccepted {
  const read: Record<string, unknown> = {};
  for (const member of members) {
    const { name } = member;
    const given = value[name];
    if (given === undefined || given === null) {
      if (!member.isOptional) return notAccepted;
      if (given === null) read[name] = null;
      continue;
    }
    const found = readMember(given, member);
    if (found === notAccepted) return notAccepted;
    read[name] = found;
  }
  return read;
}

function readMember(value: unknown, member: SchemaMember): unknown {
  if (member.check?.(value)) return value;
  if (member.inner !== null) {
    const found = readNested(value, member.inner);
    if (found !== notAccepted) return found;
  }
  if (member.seen?.has(value)) return value;
  const { success, data } = member.schema.safeParse(value);
  if (!success) return notAccepted;
  if (member.seen && data === value && member.seen.size < maxSeenValues) member.seen.add(value);
  return data;
}

function readNested(value: unknown, { most, members }: NestedMembers): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (most !== null))
    return notAccepted;
  if (most !== null && (value as unknown[]).length > most) return notAccepted;
  if (most === null) return readObject(value as Record<string, unknown>, members);
  const read: unknown[] = [];
  for (const entry of value as unknown[]) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return notAccepted;
    const found = readObject(entry as Record<string, unknown>, members);
    if (found === notAccepted) return notAccepted;
    read.push(found);
  }
  return read;
}
