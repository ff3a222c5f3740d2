/** The benches print their usage, and one line with the reason above it for an option that they do not have. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const benches = globSync('bench/**/*.ts', { cwd: root })
  .filter((file) => /readBenchOptions\('|readBenchOptions\(usage/.test(readFileSync(root + file, 'utf8')))
  .toSorted();

const run = (file: string, option: string) =>
  spawnSync(process.execPath, ['--import', 'tsx', file, option], { cwd: root, encoding: 'utf8' });

test('all benches of package.json read their options this way', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: object };
  const named = Object.entries(scripts)
    .filter(([name]) => /^bench(?::|$)/.test(name))
    .map(([, command]: [string, string]) => command.split(' ').at(-1) as string);
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((file) => !benches.includes(file)),
    [],
  );
});

/** Checks what an unknown option prints, and returns the usage below its reason. */
function usageAfterUnknownOption(file: string): string {
  const unknown = run(file, '--no-such-option');
  assert.equal(unknown.status, 2, unknown.stderr);
  assert.equal(unknown.stdout, '');
  const [reason = '', ...usage] = unknown.stderr.split('\n');
  assert.match(reason, /^bench: .*--no-such-option/);
  return usage.join('\n');
}

describe('the command line of a bench', () => {
  // One process each: a start from source takes seconds of processor time.
  for (const file of benches)
    test(file, () => {
      assert.match(usageAfterUnknownOption(file), /^(?:npm run |node --import tsx )bench/);
    });

  test('--help prints the same usage, for all of them by the same function', () => {
    const help = run('bench/pages.ts', '--help');
    assert.equal(help.status, 0, help.stderr);
    assert.equal(help.stderr, '');
    assert.equal(help.stdout, usageAfterUnknownOption('bench/pages.ts'));
  });
});
