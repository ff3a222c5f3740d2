/** What the process that supervises and those that answer tell each other. */
import type { Counts } from '../app.ts';
import type { Settings } from '../config.ts';

export type ToWorker =
  | { type: 'start'; config: Settings }
  | { type: 'stop' }
  /** The counts of all other processes, in answer to `counts` with this `ask`. */
  | { type: 'totals'; ask: number; counts: Counts };

export type ToPrimary =
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'failed'; message: string; exitStatus: 1 | 2 }
  | { type: 'counts'; counts: Counts; ask: number | null };
