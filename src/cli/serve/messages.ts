/** Messages between the primary process and its workers. */
import type { App, FileState } from '../../app.ts';
import type { ProcessMetrics, PublicationState } from '../../server.ts';
import type { Settings } from '../../settings.ts';
import type { NodeChange, NodeChangeReply } from './node/node-change.ts';

export type ToWorker =
  /** `node`: the slot that a node of a cluster serves; null: there is no cluster. */
  | { type: 'start'; config: Settings; file: FileState; node: NodeInStart | null }
  /** The current state of the data file. */
  | { type: 'file'; file: FileState }
  | { type: 'stop' }
  /** Requests a `counts` message. */
  | { type: 'report'; requestId: number }
  /** The counts of all processes, in response to `totals` with this id. */
  | { type: 'totals'; requestId: number; counts: ProcessMetrics }
  /** Prepares, serves or closes a slot; `moved` is the response. */
  | { type: 'slot'; requestId: number; step: SlotStep; path: string }
  | { type: 'publication'; publication: PublicationState }
  /** The outcome of a change, in response to `change` with this id. */
  | { type: 'changed'; requestId: number; reply: NodeChangeReply };

/** What a worker of a node serves first, and the secret of the cluster in hexadecimal. */
export type NodeInStart = { slot: string; publication: PublicationState; secret: string };
/** What a worker does with a slot of a node. */
export type SlotStep = 'makeReady' | 'serve' | 'release';

export type ToPrimary =
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'failed'; message: string; exitStatus: number }
  /** The counts of this process: periodically (id null), or in response to `report`. */
  | { type: 'counts'; counts: ProcessMetrics; requestId: number | null }
  /** Requests the counts of all processes. */
  | { type: 'totals'; requestId: number }
  | { type: 'moved'; requestId: number; error: string | null }
  /** The number of the active publication, as PostgreSQL said with a batch of requests. */
  | { type: 'head'; head: number }
  /** A request met damage in the slot of a node. */
  | { type: 'damage' }
  /** Requests a change of the catalogue. */
  | { type: 'change'; requestId: number; change: NodeChange };

/** Announces that the service answers on a port; returns a function that unregisters it. */
export type Announce = (app: App, port: number) => () => void;
