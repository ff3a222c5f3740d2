/** Names commands that change the catalogue by their process, so that the lease of a killed one can be taken at once. */
import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const commandId = /^command_(\d{1,10})_(\d{1,20})_[0-9a-f-]{36}_(.+)$/;

/** A process of a command. Processes of different containers may have the same host name, and different `namespace`s. */
export type CommandProcess = { machine: string; pid: number; namespace: string };

/** A name for this process as the holder of a lease, with its machine. */
export const createCommandId = (): string =>
  `command_${process.pid}_${readNamespace()}_${randomUUID()}_${hostname()}`;

/** Returns the process that a holder is; null: it is not a command. */
export function parseCommandId(id: string): CommandProcess | null {
  const [, pid, namespace, machine] = commandId.exec(id) ?? [];
  if (pid === undefined || namespace === undefined || machine === undefined) return null;
  return { machine, pid: Number(pid), namespace };
}

/** Whether a holder is a command of this machine whose process has ended. */
export function isEndedCommand(id: string, isAlive: (pid: number) => boolean = isProcessAlive): boolean {
  const about = parseCommandId(id);
  return about !== null && isOnThisMachine(about) && !isAlive(about.pid);
}

/** Whether the process numbers of a command are those of this process. */
export const isOnThisMachine = ({ machine, namespace }: CommandProcess): boolean =>
  machine === hostname() && namespace === readNamespace();

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The PID namespace, such as `pid:[4026531836]`; 0 where there is none. */
function readNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
