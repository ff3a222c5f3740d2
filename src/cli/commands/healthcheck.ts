/** `healthcheck`: checks that the service answers, for containers and supervisors. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { localUrl, readSettings, reportSettings } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { addExamples, dataPath, flagsOf, printResult, settingOption } from '../command.ts';
import { probe } from '../probe.ts';

/** Returns the address that the service registered in the data file; null if there is none, or a setting has the address. */
async function registeredUrl(command: Command): Promise<string | null> {
  const flags = flagsOf(command);
  const isGiven = reportSettings(flags, process.env).some(
    ({ name, from }) => (name === 'port' && from !== 'default') || (name === 'host' && from.startsWith('--')),
  );
  const data = dataPath(command);
  if (isGiven || !existsSync(data)) return null;
  const { findServicesUsing } = await import('../../app.ts');
  const [service] = findServicesUsing(data);
  return service?.url ?? null;
}

/** Adds `healthcheck` to the program. */
export function addHealthcheck(program: Command): void {
  const command = program
    .command('healthcheck')
    .description(
      'Check that the service is alive. Exits with 0 or 1. Without an address, checks the service that runs on the data file.',
    );
  for (const name of ['host', 'port', 'baseUrl'] as const) command.addOption(settingOption(name));
  addExamples(command, [
    ['cratebase healthcheck --data /srv/cratebase.db', 'the service on that file'],
    ['cratebase healthcheck --port 8080', ''],
    ['cratebase healthcheck --base-url https://music.example.org', ''],
  ]);
  command.action(async () => {
    const flags = flagsOf(command);
    const { host, port, baseUrl } = readSettings(['host', 'port', 'baseUrl'], flags, process.env);
    // In a container the base address of the environment leads to the proxy: this checks the process itself.
    const address =
      typeof flags.baseUrl === 'string' && baseUrl !== null
        ? baseUrl
        : ((await registeredUrl(command)) ?? localUrl(host, port));
    const url = `${address}/healthz`;
    const { status } = await probe(url);
    if (status !== 200)
      throw new Failure(
        `${url} answers ${status}. Set the address of the service with --port or --base-url.`,
      );
    printResult(command, { status: 'ok', url }, () => 'ok');
  });
}
