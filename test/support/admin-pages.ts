/** Tests of the console: a server whose actions run in real processes, and people with roles. */
import { type ActionProcesses, createActionProcesses } from '../../src/cli/serve/action-process.ts';
import type { Role } from '../../src/contract/roles.ts';
import { type Pages, Person, servePages } from './account-pages.ts';
import { program } from './cli-run.ts';

/** Opens the action processes of a data file, with the bundled command. */
export function openActions(data: string, fetchAllow: readonly string[] = []): ActionProcesses {
  return createActionProcesses({
    config: { data, baseUrl: null, fetchAllow },
    log: () => {},
    program: { command: process.execPath, args: [program] },
  });
}

/** Starts a server with a console that can change the catalogue. */
export const serveAdmin = (flags: Record<string, string | boolean> = {}): Promise<Pages> =>
  servePages(flags, undefined, (data) => openActions(data));

/** Signs up a person and gives them a role. */
export async function personWithRole(pages: Pages, email: string, role: Role): Promise<Person> {
  const person = new Person(pages);
  await person.signUp(email);
  await pages.access.accounts.setRole(email, role, 'terminal:test');
  return person;
}
