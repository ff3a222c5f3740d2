/** Generates the tables of the documentation from the contract, the settings and the command tree. */
import type { Command, Option } from 'commander';
import { z } from 'zod';
import { examplesOf } from '../../src/cli/command.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { errorTypes } from '../../src/contract/errors.ts';
import { type FeedKind, feedRecordSchemas, maxEntries } from '../../src/contract/feed.ts';
import { availabilities, billings, eventStatuses, externalServices } from '../../src/contract/fields.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { type OperationDefinition, operations } from '../../src/contract/operations.ts';
import { type FilterName, filters, parameterOf } from '../../src/contract/parameters.ts';
import { limitHeaders, pageLimits, plans, windowSeconds } from '../../src/contract/plans.ts';
import { toolInputs, toolNames, toolPlans } from '../../src/contract/tools.ts';
import { type Setting, settings } from '../../src/settings.ts';

/** Pages with generated tables, besides the guides. */
export const generatedPages = ['docs/reference/endpoints.md'] as const;

const rows = Object.values(operations) as OperationDefinition[];
const number = (value: number): string => value.toLocaleString('en');
const code = (text: string): string => `\`${text}\``;
const table = (head: string[], body: string[][]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const limitTable = () =>
  table(
    ['List', 'Default', 'Maximum'],
    (['list', 'search'] as const).map((kind) => [
      kind === 'list' ? 'every list' : '`/search`',
      String(pageLimits[kind].default),
      String(pageLimits[kind].maximum),
    ]),
  );

function orderTable(): string {
  const orders = new Map<string, string[]>();
  for (const { path, order } of rows) {
    if (order !== undefined) orders.set(order, [...(orders.get(order) ?? []), code(path)]);
  }
  return table(
    ['Order', 'Lists'],
    [...orders].map(([order, paths]) => [order, paths.join(' ')]),
  );
}

const filterTable = () =>
  table(
    ['Filter', 'Meaning', 'Endpoints'],
    (Object.keys(filters) as FilterName[]).map((name) => [
      code(parameterOf(name)),
      filters[name].description,
      rows
        .filter((row) => row.filters?.includes(name))
        .map(({ path }) => code(path))
        .join(' '),
    ]),
  );

const planTable = () =>
  table(
    ['Plan', `Requests per key and ${windowSeconds} s`, 'Requests per account and month'],
    Object.values(plans).map(({ title, window, quota }) => [title, number(window), number(quota)]),
  );

function headerTable(): string {
  const { headers } = openApiDocument({ baseUrl: '', name: '', version: '' }).components;
  const names = [...limitHeaders, 'Retry-After'];
  return table(
    ['Header', 'Meaning'],
    names.map((name) => [code(name), String(headers[name]?.description)]),
  );
}

const errorTable = () =>
  table(
    ['Type', 'Status', 'Condition'],
    Object.entries(errorTypes).map(([type, { status, when }]) => [
      `[${code(type)}](#${type})`,
      String(status),
      when,
    ]),
  );

const toolTable = () =>
  table(
    ['Tool', 'Plans', 'Input'],
    toolNames.map((name) => [
      code(name),
      toolPlans[name].map((plan) => plans[plan].title).join(', '),
      Object.keys(toolInputs[name].shape).map(code).join(' '),
    ]),
  );

/** A schema without what stands around it. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return bare(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? bare(schema.in as z.ZodType) : schema;
}

/** A member as it is written: what is in a list or an object stands in brackets behind its name. */
function member(name: string, schema: z.ZodType, depth: number): string {
  const inner = bare(schema);
  const shown = schema.isOptional() || depth > 0 ? name : `**${name}**`;
  if (inner instanceof z.ZodArray) return `${shown} [${inside(bare(inner.element as z.ZodType), depth)}]`;
  return inner instanceof z.ZodObject ? `${shown} {${inside(inner, depth)}}` : shown;
}
function inside(schema: z.ZodType, depth: number): string {
  if (!(schema instanceof z.ZodObject)) return '…';
  return Object.entries(schema.shape as Record<string, z.ZodType>)
    .map(([name, one]) => member(name, one, depth + 1))
    .join(', ');
}

const feedTable = () =>
  table(
    ['Kind', 'Members'],
    (Object.keys(feedRecordSchemas) as FeedKind[]).map((kind) => [
      code(kind),
      Object.entries(feedRecordSchemas[kind].shape as Record<string, z.ZodType>)
        .map(([name, schema]) => member(name, schema, 0))
        .join(', '),
    ]),
  );

const feedWords = () =>
  [
    `- \`status\` is one of ${eventStatuses.map(code).join(', ')}.`,
    `- \`billing\` is one of ${billings.map(code).join(', ')}.`,
    `- \`availability\` of tickets is one of ${availabilities.map(code).join(', ')}; prices are in major units, with an ISO 4217 \`currency\`.`,
    `- \`external_ids\` are by service: ${externalServices.map(code).join(', ')}.`,
    '- `country` is an ISO 3166-1 alpha-2 code, `timezone` an IANA name.',
    `- Maximum number of entries of a list: ${Object.entries(maxEntries)
      .map(([list, most]) => `${code(list)} ${most.toLocaleString('en')}`)
      .join(', ')}. A record with a longer list is rejected, and the report names the list.`,
  ].join('\n');

/** A word that a table cell can hold. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/[<>]/g, '\\$&');

const optionLine = ({ flags, description, defaultValue, mandatory }: Option): string => {
  const usual = defaultValue === undefined ? '' : ` (default: ${String(defaultValue)})`;
  return `- \`${flags}\`: ${cell(description)}${usual}${mandatory ? ' (required)' : ''}`;
};

/** A command with all below it, as a section. Options of settings stand in a table of their own. */
function section(command: Command, above: string): string[] {
  const path = `${above} ${command.name()}`;
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const takes = command.registeredArguments.map((argument) => {
    const shown = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? ` <${shown}>` : ` [${shown}]`;
  });
  const examples = examplesOf(command).map(([line, meaning]) =>
    meaning === '' ? line : `${line.padEnd(64)} # ${meaning}`,
  );
  const options = command.name() === 'serve' ? [] : help.visibleOptions(command);
  const said = [
    `### ${path}`,
    `${code(path + takes.join(''))}: ${cell(command.description())}`,
    ...(command.name() === 'serve' ? ['The options are the [settings](#settings) below.'] : []),
    command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument) => `- \`${argument.name()}\`: ${cell(argument.description)}`)
      .concat(options.filter(({ long }) => long !== '--help').map(optionLine))
      .join('\n'),
    examples.length === 0 ? '' : `\`\`\`console\n${examples.join('\n')}\n\`\`\``,
  ];
  return [...said.filter((part) => part !== ''), ...children.flatMap((child) => section(child, path))];
}

function commandLine(): string {
  const program = buildProgram();
  const help = program.createHelp();
  return [
    '## Options of every command',
    help.visibleOptions(program).map(optionLine).join('\n'),
    '## Commands',
    ...help
      .visibleCommands(program)
      .filter((command) => command.name() !== 'help')
      .flatMap((command) => section(command, program.name())),
  ].join('\n\n');
}

const endpointTable = () =>
  table(
    ['Path', 'Returns', 'Order', 'Filters'],
    rows.map(({ path, summary, order, filters: names = [], shape }) => [
      code(path),
      summary,
      order ?? '',
      [...names.map(parameterOf), ...(shape === 'search' ? ['q'] : [])].map(code).join(' '),
    ]),
  );

const planNameTable = () =>
  table(
    ['Plan', `Requests per ${windowSeconds} s and key`, 'Requests per month and account'],
    Object.entries(plans).map(([name, { window, quota }]) => [name, number(window), number(quota)]),
  );

const errorTypeTable = () =>
  table(
    ['Type', 'Status', 'Condition'],
    Object.entries(errorTypes).map(([type, { status, when }]) => [code(type), String(status), when]),
  );

const settingTable = () =>
  table(
    ['Option', 'Variable', 'Default', 'Meaning'],
    (Object.values(settings) as Setting<unknown>[]).map((setting) => {
      const { flags, env, secret, fallback, shape, description } = setting;
      const usual = shape !== 'value' || fallback === null ? '' : code(String(fallback));
      return [code(flags), code(env) + (secret ? ` \`${env}_FILE\`` : ''), usual, cell(description)];
    }),
  );

const made: Record<string, () => string> = {
  endpoints: endpointTable,
  'plan names': planNameTable,
  'error types': errorTypeTable,
  'page limits': limitTable,
  orders: orderTable,
  filters: filterTable,
  plans: planTable,
  headers: headerTable,
  errors: errorTable,
  tools: toolTable,
  feed: feedTable,
  'feed words': feedWords,
  'command line': commandLine,
  settings: settingTable,
};

/** Returns a page with all its generated tables up to date. */
export function withTables(markdown: string): string {
  const marks = /<!-- written by npm run docs: ([\w ]+) -->\n[\s\S]*?<!-- end -->/g;
  return markdown.replace(marks, (_whole, name: string) => {
    const make = made[name];
    if (make === undefined) throw new Error(`There is no table called ${name}.`);
    return `<!-- written by npm run docs: ${name} -->\n${make()}\n<!-- end -->`;
  });
}
