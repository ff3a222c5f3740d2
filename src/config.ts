/**
 * Reads the settings into a frozen object. A flag takes precedence over an environment variable, and that over the
 * default. `CRATEBASE_…_FILE` names a file with a secret. Each invalid value is reported on one line as a usage
 * error.
 */
import { readFileSync } from 'node:fs';
import { Failure } from './failure.ts';
import { type Setting, type SettingName, type Settings, settings } from './settings.ts';

/** Command-line values by setting; `undefined` or absent if not given. */
export type Flags = Readonly<Record<string, unknown>>;
export type Environment = Readonly<Record<string, string | undefined>>;

type RawValue = { texts: readonly string[]; from: string };

/** Returns the value of a setting and its origin, or null. An empty variable counts as absent. */
function findRawValue(name: SettingName, flags: Flags, env: Environment): RawValue | null {
  const setting = settings[name];
  const flag = flags[name];
  const from = setting.flags.split(' ')[0] as string;
  if (flag === true) return { texts: ['true'], from };
  if (Array.isArray(flag)) return { texts: flag as string[], from };
  if (typeof flag === 'string') {
    const problem = (setting as Setting<unknown>).checkFlag?.(flag) ?? null;
    if (problem !== null) throw new Failure(`${from} ${problem}`, 2);
    return { texts: [flag], from };
  }
  const text = env[setting.env];
  if (text)
    return {
      texts: setting.shape === 'list' ? text.split(',').map((part) => part.trim()) : [text],
      from: setting.env,
    };
  const path = setting.secret ? env[`${setting.env}_FILE`] : undefined;
  return path ? { texts: [readSecret(path, `${setting.env}_FILE`)], from: `${setting.env}_FILE` } : null;
}

function readSecret(path: string, from: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new Failure(`${from} names ${path}, which cannot be read (${code}).`, 2);
  }
}

function parseSetting<N extends SettingName>(name: N, raw: RawValue | null): Settings[N] {
  const setting: Setting<unknown> = settings[name];
  if (raw === null) return setting.fallback as Settings[N];
  const values = raw.texts.map((text) => {
    const value = setting.read(text);
    if (value !== undefined) return value;
    const suffix = setting.secret ? '' : `, not ${JSON.stringify(text)}`;
    throw new Failure(`${raw.from} must be ${setting.accepts}${suffix}.`, 2);
  });
  return (setting.shape === 'list' ? Object.freeze(values) : values[0]) as Settings[N];
}

/** Reads the named settings. Throws a `Failure` (wrong usage) that lists the accepted values. */
export function readSettings<N extends SettingName>(
  names: readonly N[],
  flags: Flags,
  env: Environment,
): Readonly<Pick<Settings, N>> {
  const entries = names.map((name) => [name, parseSetting(name, findRawValue(name, flags, env))]);
  return Object.freeze(Object.fromEntries(entries)) as Readonly<Pick<Settings, N>>;
}

/** Reads all settings of `serve`. */
export function readServeConfig(flags: Flags, env: Environment): Settings {
  const names = Object.keys(settings) as SettingName[];
  const config = readSettings(names, flags, env);
  const companions = {
    backupDir: ['backupEvery', 'backupKeep'],
    exportDir: ['exportEvery', 'exportKeep'],
  } as const;
  for (const folder of ['backupDir', 'exportDir'] as const)
    for (const name of companions[folder]) {
      const rawValue = config[folder] === null ? findRawValue(name, flags, env) : null;
      const needed = settings[folder].flags.split(' ')[0];
      if (rawValue) throw new Failure(`${rawValue.from} works only together with ${needed}.`, 2);
    }
  checkSignInSettings(config);
  if (config.dev) {
    const parts = config.fail.reduce((sum, { fraction }) => sum + (fraction ?? 0), 0);
    if (parts > 1) throw new Failure('The fractions of --fail add up to more than 1.', 2);
    return config;
  }
  for (const name of names) {
    const rawValue = settings[name].dev ? findRawValue(name, flags, env) : null;
    if (rawValue) throw new Failure(`${rawValue.from} works only together with --dev.`, 2);
  }
  return config;
}

/** Throws a `Failure` (wrong usage) for settings of mail and OpenID that need each other. */
function checkSignInSettings(config: Settings): void {
  const { smtpUrl, mailFrom, oidcIssuer, oidcClientId, localPasswords } = config;
  const problems: [boolean, string][] = [
    [smtpUrl !== null && mailFrom === null, '--smtp-url needs --mail-from, the sender of the mails.'],
    [
      oidcIssuer !== null && oidcClientId === null,
      '--oidc-issuer needs --oidc-client-id, the id of this service at the provider.',
    ],
    [
      oidcIssuer === null && oidcClientId !== null,
      '--oidc-client-id needs --oidc-issuer, the address of the provider.',
    ],
    [
      oidcIssuer === null && localPasswords === 'off',
      '--local-passwords off needs --oidc-issuer. Without both, no account can sign in.',
    ],
  ];
  const problem = problems.find(([isWrong]) => isWrong);
  if (problem !== undefined) throw new Failure(problem[1], 2);
}

/** A setting as `doctor` shows it; `problem` describes an invalid value. */
export type SettingReport = { name: string; value: unknown; from: string; problem: string | null };

/** Returns every setting with its origin. Secrets are hidden, and invalid values are reported instead of thrown. */
export function reportSettings(flags: Flags, env: Environment): SettingReport[] {
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const flagName = (settings[name].flags.split(' ')[0] as string).slice(2);
    try {
      const rawValue = findRawValue(name, flags, env);
      const result = parseSetting(name, rawValue);
      const value = settings[name].secret && result !== null ? '(hidden)' : result;
      return { name: flagName, value, from: rawValue?.from ?? 'default', problem: null };
    } catch (failure) {
      return { name: flagName, value: null, from: settings[name].env, problem: (failure as Error).message };
    }
  });
}

/** Returns `CRATEBASE_` environment variables that are not settings, usually misspelled ones. */
export function unknownVariables(env: Environment): string[] {
  const knownNames = new Set(['CRATEBASE_DEBUG', 'CRATEBASE_NATIVES', 'CRATEBASE_ROLE']);
  // Credentials of sources (sources/credentials.ts).
  for (const service of ['EVENTBRITE_TOKEN', 'SEATGEEK_KEY', 'TICKETMASTER_KEY', 'TICKETTAILOR_KEY'])
    knownNames.add(`CRATEBASE_${service}`).add(`CRATEBASE_${service}_FILE`);
  for (const setting of Object.values(settings)) {
    knownNames.add(setting.env);
    if (setting.secret) knownNames.add(`${setting.env}_FILE`);
  }
  return Object.keys(env)
    .filter((name) => name.startsWith('CRATEBASE_') && !knownNames.has(name))
    .sort();
}

/** Returns the URL of a host and port. */
export const serverUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const loopbackOfWildcard: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the local URL of a server on this machine, if no other is configured. */
export const localUrl = (host: string, port: number): string =>
  serverUrl(loopbackOfWildcard[host] ?? host, port);
