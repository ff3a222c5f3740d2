/** `npm run bench:cluster` measures and prints; a short run has every figure. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { PublicationFigures } from '../../bench/cluster/publication.ts';
import type { RequestFigures } from '../../bench/cluster/requests.ts';
import { skipWithoutPostgres as skip } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';

const main = fileURLToPath(new URL('../../bench/cluster/main.ts', import.meta.url));

test('a short run has every figure', { skip }, (t) => {
  const place = temporaryFolder();
  t.after(() => place.remove());
  const output = join(place.path, 'bench.json');
  const options = ['--events', '500', '--changed', '20', '--seconds', '1', '--cases', 'list_same'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', main, ...options, '--data', place.path, '--output', output, '--json'],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  const report = JSON.parse(stdout) as { requests: RequestFigures; publication: PublicationFigures };
  assert.deepEqual(JSON.parse(readFileSync(output, 'utf8')), report);
  const { requests, publication } = report;
  assert.equal(requests.cases.length, 1);
  for (const { case: id, ratio, addedP50Ms } of requests.cases)
    assert.ok(ratio > 0 && Number.isFinite(addedP50Ms), id);
  assert.deepEqual(
    requests.admitted.map(({ nodes, perSecond }) => [nodes, perSecond > 0]),
    [1, 2, 3].map((nodes) => [nodes, true]),
  );
  assert.ok(requests.newNodeSeconds > 0);
  assert.ok((publication.pages ?? 0) > 20);
  assert.ok(publication.steps.some(({ step }) => step === 'node: change places'));
});
