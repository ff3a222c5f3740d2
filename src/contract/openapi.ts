/**
 * Builds the OpenAPI 3.1 document. Paths, parameters, schemas, statuses and limits come from the other files of the
 * contract; this file adds only what they do not contain, such as header descriptions.
 */
import { z } from 'zod';
import { readAsset } from '../assets.ts';
import { type ErrorType, errorBody, errorTypes } from './errors.ts';
import * as fields from './fields.ts';
import type { OpenApiDocument, OpenApiObject, OpenApiOperation } from './json-schema.ts';
import { openSchema, toJson, toPlainSchema } from './json-schema.ts';
import {
  apiPrefix,
  type OperationDefinition,
  type OperationId,
  operationIds,
  operations,
} from './operations.ts';
import { type FilterName, filters, otherParameters, parameterOf } from './parameters.ts';
import { limitHeaders, type PlanTable, plans, planTable, windowSeconds } from './plans.ts';
import * as records from './records.ts';

export type { OpenApiDocument, OpenApiOperation } from './json-schema.ts';

/** A request to the starter catalogue and its response, recorded by `npm run docs`. */
export type RecordedExample = { path: string; body: unknown };

/** Returns the recorded responses with the links of a service at this base URL. */
export const examples = (baseUrl: string): Record<OperationId, RecordedExample> =>
  JSON.parse(readAsset('src/contract/examples.json').replaceAll('{base_url}', baseUrl)) as Record<
    OperationId,
    RecordedExample
  >;

/** The service that a document describes: its base URL (without trailing slash), name and version. */
export type ServiceInfo = {
  baseUrl: string;
  name: string;
  version: string;
  /** The limits of its plans; absent: the defaults. */
  plans?: PlanTable;
  /** The sentence of the operator; null or absent: the usual one. */
  attribution?: string | null;
  /** An email address or URL of the operator. */
  contact?: string | null;
  /** The licence of the data: an SPDX identifier or a URL. */
  license?: string | null;
  /** The URL of the terms of use. */
  terms?: string | null;
};
/** What the attribution is made of. */
export type AttributionFacts = Pick<ServiceInfo, 'name' | 'baseUrl' | 'attribution'>;
const rows: Record<OperationId, OperationDefinition> = operations;

/** The attribution that Free accounts must show (docs/spec/service.md#attribution). */
export const attribution = ({ name, baseUrl, attribution: sentence }: AttributionFacts): string =>
  sentence ?? `Data from ${name} (${baseUrl})`;

/** Escapes external text for Markdown, so that it contains neither Markdown nor HTML markup. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>&#~|!]/g, '\\$&');

/** The attribution as Markdown that contains no markup of the operator. */
const attributionMarkdown = ({ name, baseUrl, attribution: sentence = null }: AttributionFacts): string =>
  attribution({
    name: escapeMarkdown(name),
    baseUrl,
    attribution: sentence === null ? null : escapeMarkdown(sentence),
  });

const contactInfo = ({ name, baseUrl, contact = null }: ServiceInfo): OpenApiObject => {
  if (contact === null) return {};
  const isUrl = /^https?:/.test(contact);
  return { contact: isUrl ? { name, url: contact } : { name, url: `${baseUrl}/about`, email: contact } };
};

/** An identifier is linked to its text: programs read `url` more often than `identifier`, and only one may stand. */
const licenseInfo = ({ license = null }: ServiceInfo): OpenApiObject =>
  license === null
    ? {}
    : {
        license: {
          name: license,
          url: /^https?:/.test(license) ? license : `https://spdx.org/licenses/${license}.html`,
        },
      };

const termsInfo = ({ terms = null }: ServiceInfo): OpenApiObject =>
  terms === null ? {} : { termsOfService: terms };

/** Returns the schema name of a response body: `EventList` lists `EventItem`, `EventDetail` shows `Event`. */
const bodySchemaName = ({ shape, returns }: OperationDefinition): string =>
  shape === 'detail' ? `${returns}Detail` : `${returns.replace(/Item$/, '')}List`;

const bodySchema = ({ shape, returns }: OperationDefinition): z.ZodType => {
  const record = records.schemas[returns];
  return shape === 'detail'
    ? z.strictObject({ data: record })
    : z.strictObject({ data: z.array(record), page: records.page });
};

/** Schema of each operation's response body (docs/spec/resources.md#envelopes). */
export const bodySchemas: Readonly<Record<OperationId, z.ZodType>> = Object.fromEntries(
  operationIds.map((id) => [id, bodySchema(rows[id])]),
) as Record<OperationId, z.ZodType>;

/** Returns the document of a service. The result is deterministic. */
export function openApiDocument(facts: ServiceInfo): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: facts.name,
      version: facts.version,
      description: introduction(facts),
      ...termsInfo(facts),
      ...contactInfo(facts),
      ...licenseInfo(facts),
    },
    servers: [{ url: `${facts.baseUrl}${apiPrefix}` }],
    security: [{ apiKey: [] }],
    tags: tags(),
    paths: paths(facts),
    components: {
      schemas: schemas(),
      parameters: parameters(),
      headers,
      responses: problemResponseSchemas(),
      securitySchemes: { apiKey: securityScheme },
    },
  };
}

// ------------------------------------------------------------------------------------------------- introduction

/** Introduction of the document, as Markdown. */
export const introduction = (facts: AttributionFacts & Pick<ServiceInfo, 'plans'>): string => `\
The catalogue of electronic music, read-only.

Every request carries a key of an account: \`Authorization: Bearer <API_KEY>\`. Free accounts name their source with this
sentence: ${attributionMarkdown(facts)}

- Nothing is omitted for being empty: what is absent is \`null\`, no entries is \`[]\`.
- A detail is \`{"data": {…}}\`, a list \`{"data": […], "page": {"next_cursor", "has_more"}}\`. To read on, pass
  \`page.next_cursor\` as \`cursor\` to the same path with the same filters.
- Later versions may add members to objects, and values where \`x-extensible-enum\` lists them. Ignore what you do not
  know.
- Unknown parameters are ignored, an empty value counts as absent, of a repeated parameter the first counts.
- From 80 % of the month on, every response to a valid key has \`X-Quota-Notice: 80\`, and \`X-Quota-Notice: 100\` when the
  month is used up.
- Every path takes \`HEAD\` and \`OPTIONS\` too. A 200 has an \`ETag\`; \`If-None-Match\` with it gives a 304.

${planTable(facts.plans ?? plans)}

| Error type | Status | When |
|---|---|---|
${Object.entries(errorTypes)
  .map(([type, { status, when }]) => `| \`${type}\` | ${status} | ${when} |`)
  .join('\n')}
`;

const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'API key',
  description:
    'A key of the account: `cb_live_`, a public id of 6 characters, `_`, 32 random characters and a checksum of 6, all of 0-9, A-Z and a-z. It is shown once, when it is made.',
};

/** Returns each tag with the summaries of its operations. */
function tags(): OpenApiObject[] {
  const summaries = new Map<string, string[]>();
  for (const { tag, summary } of Object.values(rows))
    summaries.set(tag, [...(summaries.get(tag) ?? []), summary]);
  return [...summaries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, texts]) => ({ name, description: `${texts.join('. ')}.` }));
}

// ------------------------------------------------------------------------------------------------- operations

const componentRef = (section: keyof OpenApiDocument['components'], name: string): OpenApiObject => ({
  $ref: `#/components/${section}/${name}`,
});

/** Returns the names of path parameters in `components.parameters`. `{slug}` has one parameter per kind. */
const pathParametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    name === 'slug' ? `${recordKindOf(path)}Slug` : name,
  );
/** Returns the kind in a path: `artist` for `/artists/{slug}/events`. */
const recordKindOf = (path: string): string =>
  (path.split('/')[1] as string).replace(/ies$/, 'y').replace(/s$/, '');

function paths({ baseUrl }: ServiceInfo): OpenApiDocument['paths'] {
  const exampleOf = examples(baseUrl);
  return Object.fromEntries(
    operationIds.map((id) => [rows[id].path, { get: operation(id, rows[id], exampleOf[id]) }]),
  );
}

function operation(id: OperationId, row: OperationDefinition, example: RecordedExample): OpenApiOperation {
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: `${row.summary}.${row.order === undefined ? '' : ` Order: ${row.order}.`}`,
    parameters: parameterNames(row).map((name) => componentRef('parameters', name)),
    responses: {
      200: {
        description: `${row.summary}.`,
        headers: headersOf(
          'ETag',
          ...(row.shape === 'list' ? ['Link'] : []),
          'Cache-Control',
          ...limitHeaders,
        ),
        content: {
          'application/json': {
            schema: componentRef('schemas', bodySchemaName(row)),
            examples: { starter: { summary: `GET ${apiPrefix}${example.path}`, value: example.body } },
          },
        },
      },
      304: componentRef('responses', 'NotModified'),
      ...Object.fromEntries(
        Object.entries(problemResponses)
          .filter(([, { when }]) => when(row))
          .map(([name, { status }]) => [status, componentRef('responses', name)]),
      ),
    },
  };
}

/** Returns the names of an operation's parameters in `components.parameters`. */
function parameterNames(row: OperationDefinition): string[] {
  const own = [...pathParametersOf(row.path), ...(row.filters ?? [])];
  if (row.shape === 'list') return [...own, 'limit', 'cursor'];
  return row.shape === 'search' ? [...own, 'q', 'searchLimit'] : own;
}

function parameters(): Record<string, OpenApiObject> {
  const query = (name: string, { description, schema }: { description: string; schema: z.ZodType }) => ({
    name,
    in: 'query',
    description,
    schema: toJson(schema),
  });
  return {
    ...pathParameters(),
    ...Object.fromEntries(
      Object.entries(filters).map(([name, filter]) => [name, query(parameterOf(name as FilterName), filter)]),
    ),
    limit: query('limit', otherParameters.limit('list')),
    searchLimit: query('limit', otherParameters.limit('search')),
    cursor: query('cursor', otherParameters.cursor),
    q: { ...query('q', otherParameters.q), required: true },
  };
}

/** Returns the path parameters, each with the value of the recorded request as its example. */
function pathParameters(): Record<string, OpenApiObject> {
  const exampleOf = examples('');
  const byName: Record<string, OpenApiObject> = {};
  for (const id of operationIds) {
    const { path } = rows[id];
    const values = exampleOf[id].path.split('?', 1)[0]?.split('/') ?? [];
    const names = [...pathParametersOf(path)];
    for (const [at, piece] of path.split('/').entries()) {
      if (!piece.startsWith('{')) continue;
      const name = names.shift() as string;
      const { description } = toJson(piece === '{slug}' ? fields.slug : fields.edition);
      // Any text is accepted: one that names no record gives a 404.
      const schema = { type: 'string', minLength: 1 };
      const ownDescription = piece === '{slug}' ? `Slug of the ${recordKindOf(path)}.` : description;
      const example = values[at];
      byName[name] ??= {
        name: piece.slice(1, -1),
        in: 'path',
        required: true,
        description: ownDescription,
        schema,
        example,
      };
    }
  }
  return byName;
}

// ------------------------------------------------------------------------------------------------- headers, problems

const header = (schema: z.ZodType, description: string): OpenApiObject => ({
  description,
  schema: toJson(schema),
});
const headers: Record<string, OpenApiObject> = {
  'X-Request-Id': header(z.string(), 'Id of the response; give it when you report a problem.'),
  ETag: header(z.string(), 'Weak validator of this response, for If-None-Match.'),
  Link: header(z.string(), 'On a list with more entries: the address of the next page, as rel="next".'),
  'Cache-Control': header(z.string(), 'How long the response may be kept, by its caller alone.'),
  'WWW-Authenticate': header(z.string(), 'Says that a bearer credential is wanted.'),
  'Retry-After': header(z.int().min(1), 'Whole seconds to wait before the next attempt.'),
  ...({
    'X-RateLimit-Limit': header(z.int(), `Requests the key may make in ${windowSeconds} seconds.`),
    'X-RateLimit-Remaining': header(z.int().min(0), "Requests left in the key's window."),
    'X-RateLimit-Reset': header(z.int(), 'When the window ends, in Unix seconds.'),
    'X-Quota-Limit': header(z.int(), 'Requests the account may make in a calendar month (UTC).'),
    'X-Quota-Remaining': header(z.int().min(0), "Requests left in the account's month."),
    'X-Quota-Reset': header(z.int(), 'When the next month begins, in Unix seconds.'),
  } satisfies Record<(typeof limitHeaders)[number], OpenApiObject>),
};

const headersOf = (...names: string[]): OpenApiObject =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, componentRef('headers', name)]));

type ProblemResponse = {
  status: number;
  headers: readonly string[];
  when: (row: OperationDefinition) => boolean;
};
const always = () => true;

/** Error responses, and the operations that can return them. */
const problemResponses: Record<string, ProblemResponse> = {
  BadRequest: { status: 400, headers: limitHeaders, when: (row) => row.shape !== 'detail' },
  Unauthorized: { status: 401, headers: ['WWW-Authenticate'], when: always },
  Forbidden: { status: 403, headers: limitHeaders, when: always },
  NotFound: { status: 404, headers: limitHeaders, when: (row) => row.path.includes('{') },
  TooManyRequests: { status: 429, headers: ['Retry-After', ...limitHeaders], when: always },
  InternalError: { status: 500, headers: [], when: always },
  Unavailable: { status: 503, headers: ['Retry-After'], when: always },
};

function problemResponseSchemas(): Record<string, OpenApiObject> {
  return {
    NotModified: {
      description: 'What the caller has is still right; costs nothing of the quota.',
      headers: headersOf('ETag', 'Cache-Control', ...limitHeaders),
    },
    ...Object.fromEntries(
      Object.entries(problemResponses).map(([name, response]) => [name, problemResponse(response)]),
    ),
  };
}

/** Returns the response of one status, with all its error types. */
function problemResponse({ status, headers: names }: ProblemResponse): OpenApiObject {
  const types = (Object.keys(errorTypes) as ErrorType[]).filter((type) => errorTypes[type].status === status);
  return {
    description: types.map((type) => `\`${type}\`: ${errorTypes[type].when}`).join(' '),
    headers: headersOf(...names),
    content: {
      'application/json': {
        schema: componentRef('schemas', 'Error'),
        examples: Object.fromEntries(types.map((type) => [type, { value: exampleProblem(type) }])),
      },
    },
  };
}

const exampleProblem = (type: ErrorType): z.infer<typeof errorBody> => ({
  error: {
    type,
    message: errorTypes[type].when,
    param: type === 'invalid_cursor' ? 'cursor' : type === 'invalid_parameter' ? 'from' : null,
    request_id: 'req_00000a',
  },
});

// ------------------------------------------------------------------------------------------------- schemas

/** Returns all record and body schemas; records refer to each other. */
function schemas(): Record<string, OpenApiObject> {
  const registry = z.registry<{ id: string }>();
  for (const schema of [...Object.values(records), errorBody]) {
    if (!(schema instanceof z.ZodType)) continue;
    const id = schema.meta()?.id;
    if (id !== undefined) registry.add(schema, { id });
  }
  const names = new Set<string>();
  for (const id of operationIds) {
    const name = bodySchemaName(rows[id]);
    if (!names.has(name)) registry.add(bodySchemas[id], { id: name });
    names.add(name);
  }
  const jsonSchemas = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` }).schemas;
  return Object.fromEntries(
    Object.keys(jsonSchemas)
      .sort()
      .map((name) => [name, openSchema(toPlainSchema(jsonSchemas[name])) as OpenApiObject]),
  );
}
