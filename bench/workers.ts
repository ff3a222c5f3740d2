/**
 * Compares a service of two processes with one of one process, on the same data file in the same minutes. Bare servers in
 * one and two processes run in turn with them: they show how much a second process can bring on this machine.
 */
import type { BareWorkersHandlers } from './bare-workers.ts';
import type { Case } from './cases.ts';
import type { Caller } from './catalogue.ts';
import { Child } from './child.ts';
import type { ClientHandlers } from './client.ts';
import { connections, median, verdict } from './measure.ts';
import type { RoundResult } from './messages.ts';
import { type Program, startServer } from './server.ts';

export type WorkersResult = {
  title: string;
  onePerSecond: number;
  twoPerSecond: number;
  ratio: number;
  /** The same ratio of bare servers with a select. */
  bareRatio: number;
  /** How busy the client was with two workers. Near 1, or with fewer than three processors, it takes time from them. */
  clientBusy: number;
  goal: number;
  met: boolean;
};

const goal = 1.7;
const rounds = 5;
/** Until the code is compiled: with two processes it takes twice as many requests. */
const warmUpSeconds = 3;

/**
 * Measures each case against one and two workers in turn.
 * @param seconds of load for each case on each side
 * @param onSent is told how many requests were sent with the key
 */
export async function compareWorkers(
  cases: readonly Case[],
  { program, file, caller, seconds }: { program: Program; file: string; caller: Caller; seconds: number },
  onSent: (count: number) => void,
): Promise<WorkersResult[]> {
  const client = new Child<ClientHandlers>('client.ts');
  const one = await startServer(program, file);
  const two = await startServer(program, file, { more: ['--workers', '2'] });
  let bare: BareServers | null = null;
  const load = (port: number, { id, cold }: Case, time: number) =>
    client.call('round', { port, list: id, cold, connections, seconds: time });
  try {
    await client.call('key', caller.key);
    const results: WorkersResult[] = [];
    for (const measured of cases) {
      await client.call('paths', { name: measured.id, paths: measured.paths });
      bare = await startBareServers(file, measured);
      const ports = [one.port, two.port, ...bare.ports];
      const loads: RoundResult[][] = ports.map(() => []);
      for (let round = 0; round <= rounds; round++) {
        // The first round compiles the code.
        const time = round === 0 ? Math.min(warmUpSeconds, seconds * 2) : seconds / rounds;
        for (const [at, port] of ports.entries()) {
          const result = await load(port, measured, time);
          if (port === one.port || port === two.port) onSent(result.sent);
          if (round > 0) loads[at]?.push(result);
        }
      }
      await bare.stop();
      const [onePerSecond = 0, twoPerSecond = 0, bareOne = 0, bareTwo = 0] = loads.map((of) =>
        median(of.map(({ perSecond }) => perSecond)),
      );
      const ratio = twoPerSecond / onePerSecond;
      const clientBusy = median((loads[1] ?? []).map((result) => result.clientBusy));
      const rates = { onePerSecond, twoPerSecond, ratio, bareRatio: bareTwo / bareOne };
      results.push({ title: measured.title, ...rates, clientBusy, goal, met: ratio >= goal });
    }
    return results;
  } finally {
    await bare?.stop();
    await client.stop();
    await one.stop();
    await two.stop();
  }
}

type BareServers = { ports: number[]; stop(): Promise<void> };

/** Starts bare servers with the select of a case, in one process and in two. */
async function startBareServers(file: string, { group }: Case): Promise<BareServers> {
  const children = [1, 2].map((workers) => ({
    workers,
    child: new Child<BareWorkersHandlers>('bare-workers.ts'),
  }));
  const from = group === 'lists' ? 'select-page' : 'select-record';
  const ports = await Promise.all(
    children.map(({ child, workers }) => child.call('listen', { file, from, workers })),
  );
  return {
    ports,
    stop: async () => {
      for (const { child } of children) await child.stop();
    },
  };
}

/** The lines for people. */
export const renderWorkers = (results: readonly WorkersResult[]): string[] =>
  results.map(
    ({ title, ratio, bareRatio, onePerSecond, twoPerSecond, clientBusy, met }) =>
      `two workers    ${title}: ${ratio.toFixed(2)} times the rate of one (${Math.round(twoPerSecond)} and ${Math.round(onePerSecond)} per s; two bare servers ${bareRatio.toFixed(2)} times; the client was busy ${Math.round(100 * clientBusy)} % of the time)   goal ${goal}   ${verdict(met)}`,
  );
