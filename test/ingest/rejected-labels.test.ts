/** New artists of a line that is rejected after they were created stay complete: they are found by search. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run, runJson, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
after(() => folder.remove());

/** More than are created in the same transaction as their record. */
const acts = Array.from({ length: 60 }, (_, at) => `Quartzplover${String.fromCharCode(97 + (at % 26))}${at}`);

test('the artists of a label that is its own ancestor are in the search index', () => {
  const data = join(folder.path, 'c.db');
  const label = (id: string, name: string, parent: string, artists: string[]) => ({
    ...{ kind: 'label', external_id: id, name },
    ...{ parent: { name: parent }, artists: artists.map((artist) => ({ name: artist })) },
  });
  const lines = [
    label('l1', 'Tiefdruck', 'Hochdruck', []),
    label('l2', 'Hochdruck', 'Tiefdruck', acts),
    { kind: 'artist', external_id: 'a', name: 'Nachtfalter' },
  ];
  const feed = lines.map((line) => JSON.stringify(line)).join('\n');
  const { stdout } = run(['import', '-', '--source', 'test', '--data', data, '--json'], feed);
  const report = JSON.parse(stdout) as { rejected_count?: number; rejected: { reason: string }[] };
  assert.match(report.rejected.map(({ reason }) => reason).join(), /cannot be its own ancestor/);
  const found = acts.slice(0, 3).filter((name) => {
    const { data: hits } = runJson<{ data: { name: string }[] }>(['search', name, '--data', data]);
    return hits.some((hit) => hit.name === name);
  });
  assert.deepEqual(found, acts.slice(0, 3));
  const verified = run(['verify', '--data', data]);
  assert.equal(verified.status, 0, verified.stdout);
});
