import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DividedWork, inSteps, runDivided } from '../../src/divided-work.ts';

/** A reader whose calls take a millisecond of a clock that only they move. */
function openReader() {
  const clock = { now: 0 };
  const calls: string[] = [];
  const read = (name: string) => {
    clock.now += 1;
    calls.push(name);
    return [name];
  };
  const reader = {
    one: (name: string) => read(name),
    all(names: readonly string[]): string[] {
      return names.flatMap((name) => reader.one(name));
    },
  };
  return { clock, calls, reader: inSteps(reader, ['one', 'all']) };
}

/** Runs parts to the end; returns the result and what each part read. */
function runParts<T>(divided: DividedWork, calls: string[], work: () => T) {
  const parts: string[][] = [];
  for (;;) {
    const part = divided.run(work);
    parts.push(calls.splice(0));
    if (part.isDone) return { result: part.result, parts };
  }
}

describe('work in parts', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];

  it('reads as much in each part as its time allows, and nothing twice', () => {
    const { clock, calls, reader } = openReader();
    const divided = new DividedWork(
      () => 1,
      2,
      () => clock.now,
    );
    const { result, parts } = runParts(divided, calls, () => names.map((name) => reader.one(name)[0]));
    assert.deepEqual(result, names);
    assert.deepEqual(parts, [['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('divides a step that makes steps', () => {
    const { clock, calls, reader } = openReader();
    const divided = new DividedWork(
      () => 1,
      0,
      () => clock.now,
    );
    const { result, parts } = runParts(divided, calls, () => reader.all(names));
    assert.deepEqual(result, names);
    assert.deepEqual(parts, [['a'], ['b'], ['c'], ['d'], ['e']]);
  });

  it('makes one step at least, however long the steps before take', () => {
    const { calls, reader } = openReader();
    let time = 0;
    const divided = new DividedWork(
      () => 1,
      4,
      () => (time += 10),
    );
    const { parts } = runParts(divided, calls, () => reader.all(names));
    assert.deepEqual(parts, [['a'], ['b'], ['c'], ['d'], ['e']]);
  });

  it('begins anew when the state changes, and ends although it changes each time', () => {
    const { clock, calls, reader } = openReader();
    let state = 1;
    const divided = new DividedWork(
      () => state,
      2,
      () => clock.now,
    );
    const work = () => names.map((name) => reader.one(name)[0]);
    assert.equal(divided.run(work).isDone, false);
    state = 2;
    assert.equal(divided.run(work).isDone, false);
    assert.deepEqual(calls.splice(0), ['a', 'b', 'a', 'b']);
    const always = new DividedWork(
      () => ++state,
      2,
      () => clock.now,
    );
    const { result, parts } = runParts(always, calls, work);
    assert.deepEqual(result, names);
    assert.deepEqual(parts.at(-1), names);
    assert.equal(parts.length, 4);
  });

  it('passes on the errors of the work, and reads at once outside of parts', () => {
    const { calls, reader } = openReader();
    const divided = new DividedWork(() => 1);
    assert.throws(() => divided.run(() => assert.fail('broken')), /broken/);
    assert.deepEqual(reader.all(['x', 'y']), ['x', 'y']);
    assert.deepEqual(calls, ['x', 'y']);
  });

  it('keeps the work from changing what its next part gets again', () => {
    const { reader } = openReader();
    const divided = new DividedWork(() => 1);
    assert.throws(() => divided.run(() => reader.one('a').push('b')), TypeError);
  });

  it('runs each part in a turn, the later ones as continued', async () => {
    const { clock, reader } = openReader();
    const divided = new DividedWork(
      () => 1,
      2,
      () => clock.now,
    );
    const turns: boolean[] = [];
    const result = await runDivided(
      divided,
      (part, isContinued) => {
        turns.push(isContinued);
        return part();
      },
      () => reader.all(names),
    );
    assert.deepEqual(result, names);
    assert.deepEqual(turns, [false, true, true]);
  });
});
