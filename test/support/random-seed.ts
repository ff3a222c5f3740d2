/** Seeds of tests with random operations. The error of a failed test names its seed. */

/** The seed of a run: `CRATEBASE_FUZZ_SEED`, or another one each time. */
const chooseSeed = (): number => Number(process.env.CRATEBASE_FUZZ_SEED ?? Math.floor(Math.random() * 1e9));

/** Runs the body of a test with a seed. An error in it gets the seed, and what was done last, into its message. */
export async function withSeed(body: (seed: number, done: string[]) => Promise<void>): Promise<void> {
  const seed = chooseSeed();
  const done: string[] = [];
  try {
    await body(seed, done);
  } catch (failure) {
    const last =
      done.length === 0 ? '' : `\nafter ${done.length} operations, the last: ${done.slice(-6).join('; ')}`;
    const text = failure instanceof Error ? failure.message : String(failure);
    throw new Error(`${text}${last}\nRepeat with CRATEBASE_FUZZ_SEED=${seed}`, { cause: failure });
  }
}
