/** The parts of the OpenAPI document that clients are generated from. */

import { type OpenApiDocument, type OpenApiOperation, openApiDocument } from '../../src/contract/openapi.ts';
import { apiPrefix } from '../../src/contract/operations.ts';

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  description?: string;
  examples?: unknown[];
  'x-extensible-enum'?: string[];
};

/** A type as generators need it. */
export type FieldType =
  | { kind: 'string'; values: readonly string[] }
  | { kind: 'integer' | 'number' | 'boolean' }
  | { kind: 'record'; names: readonly string[] }
  | { kind: 'list'; of: Field };
export type Field = { type: FieldType; isNullable: boolean; description: string };

/** A record of responses with its fields in order. */
export type RecordModel = { name: string; description: string; fields: [name: string, field: Field][] };

export type ParameterModel = {
  name: string;
  in: 'path' | 'query';
  isRequired: boolean;
  isInteger: boolean;
  description: string;
  example: string;
};

export type OperationModel = {
  /** As in the document: `listEvents`. */
  id: string;
  tag: string;
  /** Below the base URL, with `{name}` for path parameters: `/api/v1/events/{slug}`. */
  path: string;
  description: string;
  parameters: ParameterModel[];
  /** The record of a detail or of the entries of a list. */
  returns: string;
  isList: boolean;
};

export type ApiModel = { version: string; records: RecordModel[]; operations: OperationModel[] };

/** Reads the document of the API. It depends on no service: clients get their base URL when they are made. */
export function readApi(version: string): ApiModel {
  const document = openApiDocument({ baseUrl: 'http://127.0.0.1:4880', name: 'cratebase', version });
  const schemas = document.components.schemas as Record<string, JsonSchema>;
  return {
    version,
    records: Object.entries(schemas)
      .filter(([name]) => !/(?:List|Detail)$/.test(name) && name !== 'Error')
      .map(([name, schema]) => toRecord(name, schema)),
    operations: Object.entries(document.paths).map(([path, { get }]) => toOperation(document, path, get)),
  };
}

const toRecord = (name: string, { description = '', properties = {} }: JsonSchema): RecordModel => ({
  name,
  description,
  fields: Object.entries(properties).map(([field, schema]) => [field, toField(schema)]),
});

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function toField(schema: JsonSchema): Field {
  const { description = '' } = schema;
  if (schema.$ref !== undefined) return { type: toReference([schema]), isNullable: false, description };
  if (schema.anyOf !== undefined) {
    const others = schema.anyOf.filter(({ type }) => type !== 'null');
    return { type: toReference(others), isNullable: others.length < schema.anyOf.length, description };
  }
  const types = [schema.type ?? []].flat();
  const [type] = types.filter((one) => one !== 'null');
  return { type: toPlainType(type, schema), isNullable: types.includes('null'), description };
}

function toReference(schemas: readonly JsonSchema[]): FieldType {
  const names = schemas.map(({ $ref }) => {
    if ($ref === undefined) throw new Error(`No type for ${JSON.stringify(schemas)}`);
    return nameOf($ref);
  });
  return { kind: 'record', names };
}

function toPlainType(type: string | undefined, schema: JsonSchema): FieldType {
  if (type === 'string') return { kind: 'string', values: schema['x-extensible-enum'] ?? [] };
  if (type === 'integer' || type === 'number' || type === 'boolean') return { kind: type };
  if (type === 'array' && schema.items !== undefined) return { kind: 'list', of: toField(schema.items) };
  throw new Error(`No type for ${JSON.stringify(schema)}`);
}

function toOperation(document: OpenApiDocument, path: string, get: OpenApiOperation): OperationModel {
  const schemas = document.components.schemas as Record<string, JsonSchema>;
  const success = get.responses[200] as { content: Record<string, { schema: { $ref: string } }> };
  const body = schemas[nameOf(success.content['application/json']?.schema.$ref ?? '')];
  const data = body?.properties?.data as JsonSchema;
  return {
    id: get.operationId,
    tag: String((get.tags as string[])[0]),
    path: `${apiPrefix}${path}`,
    description: String(get.description),
    parameters: get.parameters.map(({ $ref }) => toParameter(document, nameOf(String($ref)))),
    returns: nameOf((data.items ?? data).$ref ?? ''),
    isList: data.items !== undefined,
  };
}

function toParameter(document: OpenApiDocument, name: string): ParameterModel {
  const parameter = document.components.parameters[name] as Record<string, unknown>;
  const schema = parameter.schema as JsonSchema & { default?: unknown };
  return {
    name: String(parameter.name),
    in: parameter.in as ParameterModel['in'],
    isRequired: parameter.required === true,
    isInteger: schema.type === 'integer',
    description: String(parameter.description),
    example: String(parameter.example ?? schema.examples?.[0] ?? schema.default ?? ''),
  };
}

/** `start_at` as `StartAt`; with `initialisms`, `id` as `ID`. */
export function pascalCase(name: string, initialisms: readonly string[] = []): string {
  return name
    .split('_')
    .map((word) =>
      initialisms.includes(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('');
}

/** `listEvents` as `list_events`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const queryOf = ({ parameters }: OperationModel): ParameterModel[] =>
  parameters.filter((parameter) => parameter.in === 'query');
export const pathParametersOf = ({ parameters }: OperationModel): ParameterModel[] =>
  parameters.filter((parameter) => parameter.in === 'path');

/** The query parameters that a caller sets: iterators follow cursors themselves, and take one to begin with. */
export const header =
  'Generated by clients/generate from the OpenAPI document. Do not edit; run `npm run clients`.';
