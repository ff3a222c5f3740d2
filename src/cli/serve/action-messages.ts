/** Messages between the service and its action process: one JSON document per line. */
import type { Actor, Role } from '../../contract/roles.ts';
import type { FailureDetails } from '../../failure.ts';

export type ActionRequest = {
  id: number;
  action: string;
  input: unknown;
  actor: Actor;
  role: Role;
} & ActionPlace;

/** The data file of an action; absent: that of the settings. */
export type ActionPlace = { data?: string; readOnly?: boolean };

export type ActionReply =
  /** The action waits for another writer. */
  | { id: number; type: 'waiting'; writer: string }
  | { id: number; type: 'done'; result: unknown }
  /** An expected failure: the message is for the person. */
  | { id: number; type: 'refused'; message: string; exitStatus: number; details: FailureDetails }
  /** An unexpected failure: its details are on standard error. */
  | { id: number; type: 'failed' };
