/** `healthcheck`: whether the service answers; for containers and supervisors. */
import type { Command } from 'commander';
import { localUrl, readSettings } from '../config.ts';
import { Failure } from '../failure.ts';
import { addExamples, flagsOf, settingOption, show } from './command.ts';
import { probe } from './probe.ts';

export function addHealthcheck(program: Command): void {
  const command = program
    .command('healthcheck')
    .description('Check that the service is alive. Exits with 0 or 1.');
  for (const name of ['host', 'port', 'baseUrl'] as const) command.addOption(settingOption(name));
  addExamples(command, [
    ['cratebase healthcheck --port 8080', ''],
    ['cratebase healthcheck --base-url https://music.example.org', ''],
  ]);
  command.action(async () => {
    const flags = flagsOf(command);
    const { host, port, baseUrl } = readSettings(['host', 'port', 'baseUrl'], flags, process.env);
    // In a container the base address of the environment leads out through the proxy; the process is asked itself.
    const asked = typeof flags.baseUrl === 'string' && baseUrl !== null ? baseUrl : localUrl(host, port);
    const url = `${asked}/healthz`;
    const { status } = await probe(url);
    if (status !== 200)
      throw new Failure(
        `${url} answers ${status}. Set the address of the service with --port or --base-url.`,
      );
    show(command, { status: 'ok', url }, () => 'ok');
  });
}
