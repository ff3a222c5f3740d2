/** The roles of accounts, from the least to the most. */
export const roles = ['user', 'editor', 'operator'] as const;
export type Role = (typeof roles)[number];

/** Whether a role includes the rights of another one: an operator may do what an editor may. */
export const includesRole = (role: Role, required: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(required);

/**
 * The person who acts, as the audit log names them: `account:ada@example.com` in the console, `terminal:root` in the
 * terminal.
 */
export type Actor = `account:${string}` | `terminal:${string}`;

/** Returns a person as the audit log names them: an email is an account, another name a user of the terminal. */
export const toActor = (text: string): string =>
  /^(?:account|terminal):/.test(text) ? text : `${text.includes('@') ? 'account' : 'terminal'}:${text}`;
