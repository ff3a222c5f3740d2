/**
 * Reading what is plainly right without the validator, which would take longer than all the rest of reading a line: most
 * members of most feeds are words of ASCII, numbers and lists of such. What is not goes to the schema of its member, and
 * a record that a schema refuses to the validator, for the reason. What comes out is what the validator would give, in
 * the order in which it would give it: a test compares the two.
 */
import { z } from 'zod';
import { type FeedKind, feedLines, isUri, maxEntries, type Statement } from '../contract/feed.ts';
import { countryCodes } from '../contract/parameters.ts';
import type { Subject } from './lines.ts';

/** Whether a schema would take the value, and leave it as it is. */
type Check = (value: unknown) => boolean;

const longestName = 1_000;
const longestText = 100_000;
const longestUrl = 4_000;
/**
 * Words of Latin letters and common signs with single spaces between: no schema of a text changes them. Letters with
 * marks are those of one code point that stays as it is.
 */
const tidy =
  /^[!-~\u00a1-\u00ac\u00ae-\u024f\u2013-\u2022]+(?: [!-~\u00a1-\u00ac\u00ae-\u024f\u2013-\u2022]+)*$/;
const isTidy =
  (longest: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= longest && tidy.test(value);
const isName = isTidy(longestName);
const isText = isTidy(longestText);
const isCountry: Check = (value) =>
  typeof value === 'string' && countryCodes.has(value) && /^[A-Z]{2}$/.test(value);
const isUrl: Check = (value) =>
  typeof value === 'string' &&
  value.length <= longestUrl &&
  (plainUrl.test(value) || (/^https?:/.test(value) && isUri(value) && URL.canParse(value)));
/** An address of whose host nobody could doubt that it is one. */
const plainUrl =
  /^https?:\/\/(?:(?!xn--)[a-z0-9][a-z0-9-]{0,60}\.){1,5}[a-z]{2,20}(?:\/[\w./~?&=+,:;@!-]*)?$/;
/** A date, with a local clock time perhaps, of a day that the month has in every year. */
const isTime: Check = (value) => typeof value === 'string' && plainTime.test(value);
const plainTime =
  /^[12]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/;
const isWithin =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
const isPrice: Check = (value) => typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
const isNames =
  (most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(isName);

const checks: Record<string, Check> = {
  name: isName,
  city: isName,
  parent: isName,
  aliases: isNames(maxEntries.aliases),
  genres: isNames(maxEntries.genres),
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
  minimum_age: isWithin(0, 150),
  capacity: isWithin(0, 1e9),
  population: isWithin(0, 1e10),
  founded_year: isWithin(1000, 9999),
  external_id: isName,
  seller: isName,
  price_min: isPrice,
  price_max: isPrice,
};

/** The objects in a list, of which it may have `most`, or the one object; `most` is null for that. */
type Inner = { most: number | null; members: Member[] };

/** One member of an object: how it is read, and whether it may be absent or null. */
type Member = {
  name: string;
  isOptional: boolean;
  check: Check | undefined;
  /** Of the objects in a list, or of the one object that it is. */
  inner: Inner | null;
  schema: z.ZodType;
  /** Values that the schema took and left as they are, where there are few: zones, statuses. */
  seen: Set<unknown> | null;
};

const refused = Symbol('refused');
const mostSeen = 1_000;
const fewValues = new Set(['timezone', 'status', 'billing', 'availability', 'currency']);

function membersOf(schema: z.ZodObject): Member[] {
  return Object.entries(schema.shape).map(([name, member]) => {
    const inner = unwrapped(member as z.ZodType);
    const element = inner instanceof z.ZodArray ? unwrapped(inner.element as z.ZodType) : inner;
    // A label's parent is a reference, a genre's a name: by its schema, not by what it is called.
    const isObject = element instanceof z.ZodObject;
    return {
      name,
      isOptional: (member as z.ZodType).safeParse(undefined).success,
      check: isObject ? undefined : checks[name],
      inner: isObject
        ? { most: inner instanceof z.ZodArray ? mostIn(name) : null, members: membersOf(element) }
        : null,
      schema: member as z.ZodType,
      seen: fewValues.has(name) ? new Set() : null,
    };
  });
}

const mostIn = (list: string): number => (maxEntries as Record<string, number>)[list] ?? 0;

function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable)
    inner = inner.unwrap() as z.ZodType;
  return inner;
}

const kinds = new Map<unknown, Member[]>();
const membersOfKind = (kind: FeedKind): Member[] => {
  let members = kinds.get(kind);
  if (members === undefined) {
    members = membersOf(feedLines[kind]);
    kinds.set(kind, members);
  }
  return members;
};

/** The record that an object is; null where the validator has to say what is wrong with it. */
export function quickStatement(
  value: Record<string, unknown>,
): (Subject & { statement: Statement<FeedKind> }) | null {
  const { kind, external_id: externalId, change } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(feedLines, kind) || !isName(externalId)) return null;
  if (change === 'merged') return null;
  const statement = readObject(value, membersOfKind(kind as FeedKind));
  if (statement === refused) return null;
  return {
    kind: kind as FeedKind,
    externalId: externalId as string,
    statement: statement as Statement<FeedKind>,
  };
}

function readObject(value: Record<string, unknown>, members: readonly Member[]): object | typeof refused {
  const read: Record<string, unknown> = {};
  for (const member of members) {
    const { name } = member;
    const given = value[name];
    if (given === undefined || given === null) {
      if (!member.isOptional) return refused;
      if (given === null) read[name] = null;
      continue;
    }
    const found = readMember(given, member);
    if (found === refused) return refused;
    read[name] = found;
  }
  return read;
}

function readMember(given: unknown, member: Member): unknown {
  if (member.check?.(given)) return given;
  if (member.inner !== null) {
    const found = readInner(given, member.inner);
    if (found !== refused) return found;
  }
  if (member.seen?.has(given)) return given;
  const { success, data } = member.schema.safeParse(given);
  if (!success) return refused;
  if (member.seen && data === given && member.seen.size < mostSeen) member.seen.add(given);
  return data;
}

function readInner(given: unknown, { most, members }: Inner): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given) !== (most !== null)) return refused;
  if (most !== null && (given as unknown[]).length > most) return refused;
  if (most === null) return readObject(given as Record<string, unknown>, members);
  const read: unknown[] = [];
  for (const entry of given as unknown[]) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return refused;
    const found = readObject(entry as Record<string, unknown>, members);
    if (found === refused) return refused;
    read.push(found);
  }
  return read;
}
