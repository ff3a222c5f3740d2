/**
 * JSON Schemas of `tools/list`. They are part of every conversation of an agent, so they are short: nested fields have
 * names and types, and only inputs and the members of an output have descriptions. Clients with SDKs of 2025 validate
 * results with JSON Schema draft 7 and fail on `$schema` of 2020-12, so neither `$schema` nor `$defs` is used.
 */
import { z } from 'zod';

type Schema = { readonly [key: string]: unknown };
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the schema of an input: types, limits, defaults and descriptions. */
export function inputSchema(schema: z.ZodObject): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Schema;
  return shortenInput(rest) as Schema;
}

const unusedInInput = new Set(['examples', 'pattern']);

function shortenInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortenInput);
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !unusedInInput.has(key) || isSchema(member))
      .map(([key, member]) => [key, shortenInput(member)]),
  );
}

/**
 * Returns the schema of an output. It allows further fields: they may be added without notice
 * (docs/spec/service.md#versioning), and a client with an older schema must accept them.
 */
export function outputSchema(schema: z.ZodObject): Schema {
  const { properties = {}, $defs = {} } = z.toJSONSchema(schema, { io: 'output' }) as Schema;
  const members = Object.entries(properties as Schema).map(([name, member]) => {
    const { description } = member as { description?: string };
    const short = typesOf(member as Schema, $defs as Schema, maxDepth);
    return [name, description === undefined ? short : { ...short, description }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    required: Object.keys(properties as Schema),
  };
}

/** Objects in objects are described this deep: the fields of an event, but not those of its venue. */
const maxDepth = 1;

/**
 * Returns the types of a schema, with references replaced by what they refer to.
 * @param depth how many levels of objects are described
 */
function typesOf(schema: Schema, definitions: Schema, depth: number): Schema {
  if (typeof schema.$ref === 'string')
    return typesOf(definitions[schema.$ref.slice('#/$defs/'.length)] as Schema, definitions, depth);
  const variants = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (variants !== undefined)
    return mergeTypes(variants.map((variant) => typesOf(variant, definitions, depth)));
  const { type, items, properties } = schema;
  if (isSchema(items))
    return depth === 0 ? { type: 'array' } : { type: 'array', items: typesOf(items, definitions, depth) };
  if (!isSchema(properties) || depth === 0) return type === undefined ? {} : { type };
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    typesOf(member as Schema, definitions, depth - 1),
  ]);
  return { type: 'object', properties: Object.fromEntries(members) };
}

/** Joins variants: their types, and the members of the one that has some. */
function mergeTypes(variants: readonly Schema[]): Schema {
  const types = [...new Set(variants.flatMap(({ type }) => type as string | string[]))];
  const detailed = variants.find(({ properties, items }) => properties ?? items);
  return { ...detailed, type: types.length === 1 ? types[0] : types };
}
