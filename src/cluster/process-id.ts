/**
 * Names nodes and commands by their process, so that another process of the machine can take the lease of a killed
 * one at once.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const processId = /^(command|node)_(\d{1,10})_(\d{1,20})_([0-9a-f-]{36}|0)_[0-9a-f-]{36}_(.+)$/;

/** What a process is in the cluster: a `serve` with its workers, or a command that reads or changes the catalogue. */
export type ProcessKind = 'command' | 'node';

/**
 * The process of a node or command. Process numbers are those of a `namespace` (containers of one host name may have
 * different ones) and of a `boot` of the system (machines of one host name have different ones).
 */
export type ClusterProcess = {
  kind: ProcessKind;
  machine: string;
  pid: number;
  namespace: string;
  boot: string;
};

/** A name for this process as a node or command of the cluster. */
export const createProcessId = (kind: ProcessKind): string =>
  `${kind}_${process.pid}_${readNamespace()}_${readBoot()}_${randomUUID()}_${hostname()}`;

/** Returns the process that a name names; null: it does not say, because a program of an older version made it. */
export function parseProcessId(id: string): ClusterProcess | null {
  const [, kind, pid, namespace, boot, machine] = processId.exec(id) ?? [];
  if (namespace === undefined || boot === undefined || machine === undefined) return null;
  return { kind: kind as ProcessKind, machine, pid: Number(pid), namespace, boot };
}

/** Whether it is certain that a node or command has ended: its process number is of this machine, and is not in use. */
export function isEndedProcess(id: string, isAlive: (pid: number) => boolean = isProcessAlive): boolean {
  const about = parseProcessId(id);
  return about !== null && isOnThisMachine(about) && !isAlive(about.pid);
}

/** Whether the process numbers of a node or command are those of this process. */
export const isOnThisMachine = ({ machine, namespace, boot }: ClusterProcess): boolean =>
  machine === hostname() && namespace === readNamespace() && boot === readBoot();

/** Whether a process of this machine has this number. */
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

/** A UUID that the system has from one start to the next; 0 where there is none. */
function readBoot(): string {
  try {
    return /^[0-9a-f-]{36}/.exec(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
