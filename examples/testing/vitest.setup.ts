/** One server for all test files. In vitest.config.ts: `test: { globalSetup: './vitest.setup.ts' }`. */
import { startCratebase } from './cratebase.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const cratebase = await startCratebase({ now: '2026-11-20T12:00:00Z', plan: 'pro' });
  process.env.BASE = cratebase.url;
  process.env.KEY = cratebase.key;
  return () => cratebase.stop();
}
