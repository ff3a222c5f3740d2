/** `mcp`: serves the agent tools over standard input and output, for a client on this machine. It needs no key and no port. */
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSea } from 'node:sea';
import { type Command, Option } from 'commander';
import { readSettings } from '../../config.ts';
import { type Plan, planNames } from '../../contract/plans.ts';
import { Failure } from '../../failure.ts';
import { agentDataPath, createIfMissing } from '../agent-data-file.ts';
import { addExamples, configuredBaseUrl, flagsOf, settingOption, withApp } from '../command.ts';
import { note, printDocument, printJson } from '../output/terminal.ts';
import { adoptIdentity, resolveAccountUrl, resolveBaseUrl } from '../running-service.ts';

/** Adds `mcp` to the program. */
export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('Serve the agent tools over standard input and output, for an MCP client on this machine.')
    .addOption(
      new Option('--plan <plan>', 'offer the tools that this plan has').choices(planNames).default('pro'),
    )
    .addOption(
      new Option(
        '--agent-tools <set>',
        'standard: the four standard tools; all: further tools and resources too',
      )
        .choices(['standard', 'all'])
        .default('standard'),
    )
    .addOption(settingOption('name'))
    .addOption(settingOption('baseUrl'))
    .option('--print-config', 'print the configuration entry for an MCP client')
    .option('--print-server-json', 'print the entry of the service for the MCP registry');
  addExamples(command, [
    ['cratebase mcp --print-config --data ./cratebase.db', 'the entry, with absolute paths'],
    ['cratebase mcp --data ./cratebase.db', 'the command that the client runs'],
  ]);
  command.action(async () => {
    const { plan, agentTools, printConfig, printServerJson } = command.opts<McpOptions>();
    if (printServerJson) {
      await printRegistryEntry(command);
      return;
    }
    if (printConfig) {
      await printClientConfigs(command);
      return;
    }
    const data = agentDataPath(command);
    await createIfMissing(command, data);
    await withApp(command, { readOnly: true, data }, async (app) => {
      const { serveMcpOnStdio } = await import('../../server.ts');
      adoptIdentity(command, app);
      await serveMcpOnStdio(app, {
        plan,
        baseUrl: resolveBaseUrl(command, app),
        hasAllTools: agentTools === 'all',
      });
    });
  });
}

type McpOptions = {
  plan: Plan;
  agentTools: 'standard' | 'all';
  printConfig?: boolean;
  printServerJson?: boolean;
};

/** Prints the entry for the MCP registry. Its name is the host of the service, so a public address is needed. */
async function printRegistryEntry(command: Command): Promise<void> {
  const facts = await readRegistryFacts(command);
  if (!facts.baseUrl.startsWith('https:'))
    throw new Failure(
      'The registry lists services with a public https address. Pass it with --base-url https://music.example.org.',
      2,
    );
  const { describeForRegistry } = await import('../../server.ts');
  printJson(await describeForRegistry(facts), 2);
}

/** Returns the addresses and the name of the running service, or those of this command's settings without a data file. */
async function readRegistryFacts(command: Command) {
  const data = agentDataPath(command);
  if (!existsSync(data)) {
    const { name } = readSettings(['name'], flagsOf(command), process.env);
    const baseUrl = configuredBaseUrl(command);
    return { baseUrl, accountUrl: resolveAccountUrl(command, null), name: name ?? 'cratebase' };
  }
  return await withApp(command, { readOnly: true, data }, (app) => {
    adoptIdentity(command, app);
    const accountUrl = resolveAccountUrl(command, app);
    return { baseUrl: resolveBaseUrl(command, app), accountUrl, name: app.identity.current().name };
  });
}

/** Prints the entry for this data file to standard output, and the one for a service with a key to standard error. */
async function printClientConfigs(command: Command): Promise<void> {
  // With npx, the script is a link in a temporary folder.
  const [script] = isSea() ? [] : [realpathSync(process.argv[1] as string)];
  const data = agentDataPath(command);
  const hasFile = existsSync(data);
  const base = hasFile
    ? await withApp(command, { readOnly: true, data }, (app) => resolveBaseUrl(command, app))
    : configuredBaseUrl(command);
  const args = [...(script ? [script] : []), 'mcp', '--data', resolve(data), ...givenOptions(command)];
  const local = { command: process.execPath, args };
  const remote = {
    type: 'http',
    url: `${base}/mcp`,
    headers: { Authorization: 'Bearer <API_KEY>' },
  };
  printDocument(clientConfig(local));
  if (!hasFile) {
    note(`\nThere is no data file at ${resolve(data)} yet. The first start creates it.`);
  }
  note(
    `\nThis entry uses the data file on this machine, offline. For a service (\`cratebase serve\`) and your API key, use:\n\n${clientConfig(remote)}`,
  );
}

/** Returns the options of the command line that change what is served, as arguments. */
const givenOptions = (command: Command): string[] =>
  ['plan', 'agentTools', 'name', 'baseUrl'].flatMap((name) => {
    if (command.getOptionValueSource(name) !== 'cli') return [];
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return [`--${flag}`, String(command.getOptionValue(name))];
  });

const clientConfig = (server: object): string =>
  JSON.stringify({ mcpServers: { cratebase: server } }, null, 2);
