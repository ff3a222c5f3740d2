/** The types of an OpenAPI document as far as this program builds one; turns schemas of zod into its JSON schemas. */
import { z } from 'zod';
import type { OperationId } from './operations.ts';

export type OpenApiObject = Record<string, unknown>;
export type OpenApiOperation = OpenApiObject & {
  operationId: OperationId;
  parameters: OpenApiObject[];
  responses: Record<string, OpenApiObject>;
};
export type OpenApiDocument = OpenApiObject & {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, { get: OpenApiOperation }>;
  components: Record<
    'schemas' | 'parameters' | 'headers' | 'responses' | 'securitySchemes',
    Record<string, OpenApiObject>
  >;
};

/** Returns the JSON schema of a field or record, simplified. */
export function toJson(schema: z.ZodType): OpenApiObject {
  return toPlainSchema(z.toJSONSchema(schema));
}

/** Simplifies a generated JSON schema. */
export function toPlainSchema(schema: unknown): OpenApiObject {
  const { $schema: _, $id: __, ...rest } = simplifySchema(schema) as OpenApiObject;
  return rest;
}

function simplifySchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplifySchema);
  if (typeof node !== 'object' || node === null) return node;
  const schema = mergeNull(
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, simplifySchema(value)])),
  );
  // `format` is sufficient; the pattern of zod is five lines long.
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  return schema;
}

/**
 * Opens a schema of responses: later versions may add members to objects and values to lists of values
 * (docs/spec/service.md#versioning). `x-extensible-enum` has the values of this version.
 */
export function openSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(openSchema);
  if (typeof node !== 'object' || node === null) return node;
  const { additionalProperties, enum: values, ...rest } = node as OpenApiObject;
  const open = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, openSchema(value)]));
  if (additionalProperties !== undefined && additionalProperties !== false)
    open.additionalProperties = openSchema(additionalProperties);
  if (!Array.isArray(values)) return open;
  const { description, ...typed } = open;
  return {
    ...typed,
    'x-extensible-enum': values.filter((value) => value !== null),
    description: `${description === undefined ? '' : `${description} `}Further values may follow.`,
  };
}

/** Merges "string or null" into one type, so that description and examples are on the property itself. */
function mergeNull(schema: OpenApiObject): OpenApiObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1].type !== 'null' || '$ref' in anyOf[0])
    return schema;
  const { type, enum: values, ...inner } = anyOf[0] as { type: string; enum?: string[] };
  return { type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}), ...inner, ...rest };
}
