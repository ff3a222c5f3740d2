/** The rows of a number are found like in a map of lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowChains } from '../../src/store/resolution/row-chains.ts';

const rowsOf = (chains: RowChains, number: number): number[] => {
  const rows: number[] = [];
  for (let row = chains.latest(number); row >= 0; row = chains.before(row)) rows.push(row);
  return rows;
};

test('rows are found by their number, the latest first, after many others and after a clear', () => {
  const chains = new RowChains();
  let state = 7;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 10) % below;
  };
  for (const round of [1, 2]) {
    const expected = new Map<number, number[]>();
    for (let row = 0; row < 30_000; row++) {
      // Few and many rows of a number, small numbers, and some that differ only above 32 bits.
      const number = draw(3) * 2 ** 43 + draw(2) * 2 ** 32 + draw(draw(2) === 0 ? 10 : 20_000);
      chains.add(number);
      expected.set(number, [row, ...(expected.get(number) ?? [])]);
    }
    assert.equal(chains.rowCount, 30_000);
    assert.ok(expected.size > 10_000, `${expected.size} numbers in round ${round}`);
    for (const [number, rows] of expected) assert.deepEqual(rowsOf(chains, number), rows);
    assert.deepEqual(rowsOf(chains, 2 ** 50), []);
    chains.clear();
    assert.deepEqual(rowsOf(chains, 5), []);
    assert.equal(chains.rowCount, 0);
  }
});
