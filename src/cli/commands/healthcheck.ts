/** `healthcheck`: whether the service answers; for containers and supervisors. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { localUrl, readSettings, reportSettings } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { addExamples, dataPath, flagsOf, printResult, settingOption } from '../command.ts';
import { probe } from '../probe.ts';

/**
 * The address that the service on the data file has noted in it; null where none is noted, and where the address is
 * given by a setting.
 */
async function urlInFile(command: Command): Promise<string | null> {
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
    // In a container the base address of the environment leads out through the proxy; the process is asked itself.
    const asked =
      typeof flags.baseUrl === 'string' && baseUrl !== null
        ? baseUrl
        : ((await urlInFile(command)) ?? localUrl(host, port));
    const url = `${asked}/healthz`;
    const { status } = await probe(url);
    if (status !== 200)
      throw new Failure(
        `${url} answers ${status}. Set the address of the service with --port or --base-url.`,
      );
    printResult(command, { status: 'ok', url }, () => 'ok');
  });
}
