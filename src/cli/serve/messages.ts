/** Messages between the primary process and its workers. */
import type { App, FileState } from '../../app.ts';
import type { ProcessMetrics } from '../../doors.ts';
import type { Settings } from '../../settings.ts';

export type ToWorker =
  | { type: 'start'; config: Settings; file: FileState }
  /** The current state of the data file. */
  | { type: 'file'; file: FileState }
  | { type: 'stop' }
  /** Requests a `counts` message. */
  | { type: 'report'; requestId: number }
  /** The counts of all processes, in response to `totals` with this id. */
  | { type: 'totals'; requestId: number; counts: ProcessMetrics };

export type ToPrimary =
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'failed'; message: string; exitStatus: number }
  /** The counts of this process: periodically (id null), or in response to `report`. */
  | { type: 'counts'; counts: ProcessMetrics; requestId: number | null }
  /** Requests the counts of all processes. */
  | { type: 'totals'; requestId: number };

/** Announces that the service answers on a port; returns a function that unregisters it. */
export type Announce = (app: App, port: number) => () => void;
