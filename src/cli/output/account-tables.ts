/** Tables for the terminal: keys, connected apps, sessions, ways to sign in and usage of an account. */
import type { Access } from '../../app.ts';
import { describeBrowser, englishBrowserWords } from '../../contract/user-agent.ts';
import { formatTable } from './terminal.ts';

type KeyRows = Awaited<ReturnType<Access['keys']['list']>>;

/** Returns keys as a table; `withAccount` adds the column of their accounts. */
export function keyTable(keys: KeyRows, withAccount = false): string {
  const titles = [
    'ID',
    ...(withAccount ? ['ACCOUNT'] : []),
    'NAME',
    'KEY',
    'SCOPE',
    'CREATED',
    'LAST USED',
    'EXPIRES',
    'REVOKED',
  ];
  return formatTable(
    titles,
    keys.map((key) => [
      key.id,
      ...(withAccount ? [key.account] : []),
      key.name,
      key.hint,
      key.scope,
      key.created_at,
      key.last_used_at,
      key.expires_at,
      key.revoked_at,
    ]),
  );
}

type AppRows = Awaited<ReturnType<Access['accounts']['show']>>['connected_apps'];

/** Returns the connected apps of an account as a table. */
export function appTable(apps: AppRows): string {
  return formatTable(
    ['ID', 'APP', 'HOST', 'VERIFIED', 'MAY', 'CONNECTED', 'LAST USED'],
    apps.map((app) => [
      app.id,
      app.name,
      app.host,
      app.verified ? 'yes' : 'no',
      app.scopes.join(' '),
      app.created_at,
      app.last_used_at,
    ]),
  );
}

type ShownAccount = Awaited<ReturnType<Access['accounts']['show']>>;

/** "Firefox on Linux"; what the program calls itself if it is no known browser. */
const nameBrowser = (agent: string): string =>
  describeBrowser(agent, { ...englishBrowserWords, unknown: agent || englishBrowserWords.unknown });

/** Returns the browsers that are signed in to an account as a table. */
export const sessionTable = (sessions: ShownAccount['sessions']): string =>
  formatTable(
    ['ID', 'BROWSER', 'ADDRESS', 'SIGNED IN', 'LAST USED'],
    sessions.map((session) => [
      session.id,
      nameBrowser(session.user_agent),
      session.address,
      session.created_at,
      session.last_used_at,
    ]),
  );

/** Returns the ways to sign in as fields. */
export function signInFields(ways: ShownAccount['sign_in']): [string, string][] {
  const factor = ways.second_factor;
  return [
    ['Password', ways.password ? 'yes' : 'none'],
    ['Address', ways.verified_at === null ? 'not confirmed' : `confirmed ${ways.verified_at}`],
    [
      '2nd factor',
      factor === null
        ? 'none'
        : `codes since ${factor.enabled_at}, ${factor.recovery_codes_left} recovery codes left`,
    ],
    ['Passkeys', ways.passkeys.length === 0 ? 'none' : ways.passkeys.map(({ name }) => name).join(', ')],
    ...ways.external_logins.map(({ id, issuer, email }): [string, string] => [
      'OpenID',
      `${email} at ${issuer} (${id})`,
    ]),
  ];
}

/** Returns tables of the days and months with requests. --json also has those without. */
export function usageTables({ days, months }: ShownAccount['history']): string[] {
  const tableOf = (title: string, points: typeof days) => {
    const some = points.filter(({ total }) => total > 0);
    if (some.length === 0) return [];
    return [
      '',
      formatTable(
        [title, 'REST', 'MCP', 'ALL'],
        some.map((at) => [at.period, at.rest, at.mcp, at.total]),
      ),
    ];
  };
  return [...tableOf('DAY', days), ...tableOf('MONTH', months)];
}
