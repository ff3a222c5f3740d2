/** The messages between a service and its thread that starts processes (`launch-thread.ts`). */
export type LaunchRequest =
  | { type: 'start'; id: number; command: string; args: string[]; env: NodeJS.ProcessEnv; priority?: number }
  | { type: 'input'; id: number; text: string }
  | { type: 'end'; id: number }
  | { type: 'kill'; id: number; signal: NodeJS.Signals };

export type LaunchReport =
  | { type: 'started'; id: number; pid: number }
  | { type: 'output'; id: number; stream: 'stdout' | 'stderr'; bytes: Uint8Array }
  | { type: 'failed'; id: number; message: string }
  | { type: 'closed'; id: number; status: number | null; signal: NodeJS.Signals | null };
