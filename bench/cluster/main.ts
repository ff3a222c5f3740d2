/**
 * `npm run bench:cluster` measures a cluster on this machine: requests to its nodes against those to one data file, and the
 * publication of changes. It starts a PostgreSQL of its own, with real commits, as the tests do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer, skipWithoutPostgres } from '../../test/support/postgres.ts';
import { prepareCatalogue } from '../catalogue.ts';
import { readBenchOptions } from '../options.ts';
import { findProgram } from '../server.ts';
import { measurePublication, type PublicationFigures } from './publication.ts';
import { busyConnections, defaultCases, measureRequests, type RequestFigures } from './requests.ts';

const parts = ['requests', 'publication'] as const;
const usage = `npm run bench:cluster -- [options]
  --events N      events in the catalogue (100000)
  --changed N     events that an import changes: new texts, and every fourth line-up turned round (2000)
  --seconds S     of load for each case on each side (5)
  --cases A,B     page_random and cases of npm run bench (${defaultCases.join(',')})
  --only A        ${parts.join(' or ')}
  --folder        objects of publications in a folder instead of PostgreSQL
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --data DIR      where the catalogue is kept (bench/data)
  --json          print one JSON document
  --output FILE   write the JSON document to a file, too`;

type Report = {
  conditions: Record<string, string | number>;
  requests: RequestFigures | null;
  publication: PublicationFigures | null;
};

const { values } = readBenchOptions(usage, {
  options: {
    events: { type: 'string', default: '100000' },
    changed: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '5' },
    cases: { type: 'string', default: defaultCases.join(',') },
    only: { type: 'string', default: parts.join(',') },
    folder: { type: 'boolean', default: false },
    program: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    output: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function measure(): Promise<Report> {
  const [events, changed, seconds] = [Number(values.events), Number(values.changed), Number(values.seconds)];
  const note = (text: string) => console.error(text);
  const program = findProgram(values.program);
  const file = await prepareCatalogue({ events, folder: values.data, note });
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-cluster-bench-'));
  const server = new PostgresServer();
  const only = values.only.split(',');
  try {
    await server.start();
    const conditions = {
      events,
      program: program.description,
      processors: cpus().length,
      processor: cpus()[0]?.model ?? 'unknown',
      node: process.version,
      date: new Date().toISOString(),
    };
    const options = { program, file, folder, seconds, note, cases: values.cases.split(',') };
    const requests = only.includes('requests')
      ? await measureRequests({ ...options, address: await server.createDatabase() })
      : null;
    const publication = only.includes('publication')
      ? await measurePublication(server, { events, changed, isFolder: values.folder, file })
      : null;
    return { conditions, requests, publication };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.remove();
  }
}

const digits = (value: number, count: number): number => Number(value.toFixed(count));

function print({ conditions, requests, publication }: Report): void {
  console.table([conditions]);
  if (requests !== null) {
    console.log(
      `Requests, ${requests.connections} connections (busy: ${busyConnections}), one node against one data file`,
    );
    console.log('page_random is read without counting; the others are counted, in PostgreSQL by the node');
    console.table(
      requests.cases.map(({ case: id, ratio, addedP50Ms, addedP99Ms, single, node, ...shares }) => ({
        case: id,
        'data file/s': Math.round(single.perSecond),
        'node/s': Math.round(node.perSecond),
        ratio: digits(ratio, 3),
        'of processor time': digits(shares.processorRatio, 3),
        'ratio, busy': digits(shares.busyRatio, 3),
        'of processor time, busy': digits(shares.busyProcessorRatio, 3),
        'added p50 ms': digits(addedP50Ms, 2),
        'added p99 ms': digits(addedP99Ms, 2),
      })),
    );
    console.log('Admitted and answered over all nodes, on this machine with PostgreSQL and the load');
    console.table(
      requests.admitted.map(({ nodes, perSecond, p50Ms, p99Ms }) => ({
        nodes,
        'admitted/s': Math.round(perSecond),
        'p50 ms': digits(p50Ms, 2),
        'p99 ms': digits(p99Ms, 2),
      })),
    );
    console.log(`A new node answers 200 at /readyz after ${digits(requests.newNodeSeconds, 2)} s.`);
  }
  if (publication !== null) {
    const { steps, ...figures } = publication;
    console.log('Publication of changed events');
    console.table([figures]);
    console.table(steps);
  }
}

if (values.help) {
  console.log(usage);
} else if (skipWithoutPostgres) {
  console.error(skipWithoutPostgres);
  process.exitCode = 1;
} else {
  const report = await measure();
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (values.output !== undefined) writeFileSync(values.output, json);
  if (values.json) process.stdout.write(json);
  else print(report);
}
