/** Compares a service of two processes with one of one process, on the same data file in the same minutes. */
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
  const load = async (port: number, { id, cold }: Case, time: number) => {
    const result = await client.call('round', { port, list: id, cold, connections, seconds: time });
    onSent(result.sent);
    return result;
  };
  try {
    await client.call('key', caller.key);
    const results: WorkersResult[] = [];
    for (const measured of cases) {
      await client.call('paths', { name: measured.id, paths: measured.paths });
      for (const { port } of [one, two]) await load(port, measured, Math.min(warmUpSeconds, seconds * 2));
      const single: RoundResult[] = [];
      const double: RoundResult[] = [];
      for (let round = 0; round < rounds; round++) {
        single.push(await load(one.port, measured, seconds / rounds));
        double.push(await load(two.port, measured, seconds / rounds));
      }
      const onePerSecond = median(single.map(({ perSecond }) => perSecond));
      const twoPerSecond = median(double.map(({ perSecond }) => perSecond));
      const ratio = twoPerSecond / onePerSecond;
      const clientBusy = median(double.map((result) => result.clientBusy));
      const { title } = measured;
      results.push({ title, onePerSecond, twoPerSecond, ratio, clientBusy, goal, met: ratio >= goal });
    }
    return results;
  } finally {
    await client.stop();
    await one.stop();
    await two.stop();
  }
}

/** The lines for people. */
export const renderWorkers = (results: readonly WorkersResult[]): string[] =>
  results.map(
    ({ title, ratio, onePerSecond, twoPerSecond, clientBusy, met }) =>
      `two workers    ${title}: ${ratio.toFixed(2)} times the rate of one (${Math.round(twoPerSecond)} and ${Math.round(onePerSecond)} per s; the client was busy ${Math.round(100 * clientBusy)} % of the time)   goal ${goal}   ${verdict(met)}`,
  );
