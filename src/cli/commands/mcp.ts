/** `mcp`: serves the agent tools over standard input and output, for a client on this machine, without key and network. */
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSea } from 'node:sea';
import { type Command, Option } from 'commander';
import { readSettings } from '../../config.ts';
import { type Plan, planNames } from '../../contract/plans.ts';
import { addExamples, configuredBaseUrl, dataPath, flagsOf, settingOption, withApp } from '../command.ts';
import { note, print } from '../output/terminal.ts';
import { resolveBaseUrl } from '../running-service.ts';

export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('Serve the agent tools over standard input and output, for an MCP client on this machine.')
    .addOption(new Option('--plan <plan>', 'offer the tools of this plan').choices(planNames).default('pro'))
    .addOption(settingOption('name'))
    .addOption(settingOption('baseUrl'))
    .option('--print-config', 'print the configuration entry for an MCP client');
  addExamples(command, [
    ['cratebase mcp --print-config --data ./cratebase.db', 'the entry, with absolute paths'],
    ['cratebase mcp --data ./cratebase.db', 'the command that the client runs'],
  ]);
  command.action(async () => {
    const { plan, printConfig } = command.opts<{ plan: Plan; printConfig?: boolean }>();
    if (printConfig) {
      await printClientConfigs(command, plan);
      return;
    }
    await withApp(command, { readOnly: true }, async (app) => {
      const { serveMcpOnStdio } = await import('../../doors.ts');
      app.identity.configure(readSettings(['name', 'attribution'], flagsOf(command), process.env));
      await serveMcpOnStdio(app, { plan, baseUrl: resolveBaseUrl(command, app) });
    });
  });
}

/** Prints the entry for this data file to standard output, and the one for a service with a key to standard error. */
async function printClientConfigs(command: Command, plan: Plan): Promise<void> {
  // With npx, the script is a link in a temporary folder.
  const [script] = isSea() ? [] : [realpathSync(process.argv[1] as string)];
  const hasFile = existsSync(dataPath(command));
  const base = hasFile
    ? await withApp(command, { readOnly: true }, (app) => resolveBaseUrl(command, app))
    : configuredBaseUrl(command);
  const planArgs = plan === 'pro' ? [] : ['--plan', plan];
  const args = [...(script ? [script] : []), 'mcp', '--data', resolve(dataPath(command)), ...planArgs];
  const local = { command: process.execPath, args };
  const remote = {
    type: 'http',
    url: `${base}/mcp`,
    headers: { Authorization: 'Bearer <API_KEY>' },
  };
  print(clientConfig(local));
  if (!hasFile) {
    note(`\nThere is no data file at ${resolve(dataPath(command))} yet. \`cratebase serve\` creates it.`);
  }
  note(
    `\nThis entry uses the data file on this machine, offline. For a service (\`cratebase serve\`) and your API key, use:\n\n${clientConfig(remote)}`,
  );
}

const clientConfig = (server: object): string =>
  JSON.stringify({ mcpServers: { cratebase: server } }, null, 2);
