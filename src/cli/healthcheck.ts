/** `healthcheck`: whether the service answers; for containers and supervisors. */
import type { Command } from 'commander';
import { localUrl, readSettings } from '../config.ts';
import { Failure } from '../failure.ts';
import { addExamples, flagsOf, settingOption, show } from './command.ts';

const patienceMs = 5_000;

export function addHealthcheck(program: Command): void {
  const command = program
    .command('healthcheck')
    .description('Ask the running service whether it is alive: exit status 0 or 1.');
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
    const problem = await probe(url);
    if (problem !== null) throw new Failure(`${url} ${problem}.`);
    show(command, { status: 'ok', url }, () => 'ok');
  });
}

/** What is wrong with the service at an address; null where it is alive. */
export async function probe(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    await response.body?.cancel();
    return response.status === 200 ? null : `answers ${response.status}`;
  } catch (failure) {
    const { name, cause } = failure as Error & { cause?: NodeJS.ErrnoException };
    if (name === 'TimeoutError') return `does not answer within ${patienceMs / 1000} s`;
    return `does not answer (${cause?.code ?? (failure as Error).message})`;
  }
}
