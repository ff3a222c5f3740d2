/** What the process that supervises and those that answer tell each other. */
import type { App, FileState } from '../../app.ts';
import type { ProcessMetrics } from '../../doors.ts';
import type { Settings } from '../../settings.ts';

export type ToWorker =
  | { type: 'start'; config: Settings; file: FileState }
  /** How the data file stands now. */
  | { type: 'file'; file: FileState }
  | { type: 'stop' }
  /** Tell your counts now. */
  | { type: 'report'; ask: number }
  /** The counts of all processes, in answer to `totals` with this `ask`. */
  | { type: 'totals'; ask: number; counts: ProcessMetrics };

export type ToPrimary =
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'failed'; message: string; exitStatus: number }
  /** What this process answered so far: now and then, or in answer to `report`. */
  | { type: 'counts'; counts: ProcessMetrics; ask: number | null }
  /** How much did all answer? */
  | { type: 'totals'; ask: number };

/** Tells that the service answers on a port; gives what to do when it does no longer. */
export type Announce = (app: App, port: number) => () => void;
