import { userInfo } from 'node:os';
import type { Actor } from '../contract/roles.ts';

/** Returns the person at the terminal, for the audit log: the user who called `sudo`, else the user of the process. */
export function terminalActor(): Actor {
  const sudoUser = process.env.SUDO_USER;
  if (sudoUser !== undefined && sudoUser !== '') return `terminal:${sudoUser}`;
  try {
    return `terminal:${userInfo().username}`;
  } catch {
    // A container may run under a user id without a name.
    return `terminal:${process.getuid?.() ?? 'unknown'}`;
  }
}
