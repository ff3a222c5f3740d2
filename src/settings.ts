/** What may be set, as one table: the flag, the variable of the environment, the default, and what a text for it means. */
import { isIP } from 'node:net';

/** One setting: a flag, a variable of the environment, a default. */
export type Setting<T> = {
  /** As the command line declares it, such as `--port <number>`. */
  readonly flags: string;
  readonly env: string;
  readonly description: string;
  readonly shape: 'value' | 'list' | 'switch';
  readonly fallback: T;
  /** The end of "--port is …". */
  readonly accepts: string;
  /** The value; undefined where the text is none. Of a list, one entry of it. */
  readonly read: (text: string) => unknown;
  /** Never shown again, and may come from a file. */
  readonly secret: boolean;
  /** Has a meaning only with --dev. */
  readonly dev: boolean;
};

type Extras = Partial<Pick<Setting<unknown>, 'secret' | 'dev'>>;

const variable = (flags: string): string =>
  `CRATEBASE_${(flags.split(' ')[0] as string).slice(2).toUpperCase().replaceAll('-', '_')}`;

const define = <T>(
  shape: Setting<T>['shape'],
  flags: string,
  description: string,
  fallback: T,
  accepts: string,
  read: (text: string) => unknown,
  extras: Extras = {},
): Setting<T> => ({
  flags,
  env: variable(flags),
  description,
  shape,
  fallback,
  accepts,
  read,
  secret: false,
  dev: false,
  ...extras,
});

const value = <T, F extends T | null = T>(
  flags: string,
  description: string,
  fallback: F,
  accepts: string,
  read: (text: string) => T | undefined,
  extras: Extras = {},
): Setting<T | F> => define<T | F>('value', flags, description, fallback, accepts, read, extras);

const list = <T>(
  flags: string,
  description: string,
  accepts: string,
  read: (text: string) => T | undefined,
  extras: Extras = {},
): Setting<readonly T[]> =>
  define<readonly T[]>('list', flags, description, Object.freeze([]), accepts, read, extras);

const truths: Record<string, boolean> = {
  1: true,
  true: true,
  yes: true,
  on: true,
  0: false,
  false: false,
  no: false,
  off: false,
};
const toggle = (flags: string, description: string, extras: Extras = {}): Setting<boolean> =>
  define<boolean>(
    'switch',
    flags,
    description,
    false,
    'true or false',
    (text) => truths[text.toLowerCase()],
    extras,
  );

const nonEmpty = (text: string): string | undefined => (text.trim() === '' ? undefined : text);
const whole =
  (lowest: number, highest: number) =>
  (text: string): number | undefined => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= lowest && number <= highest ? number : undefined;
  };
const oneOf =
  <T extends string>(...names: T[]) =>
  (text: string): T | undefined =>
    names.find((name) => name === text.toLowerCase());

/** An http or https address without query; what follows its host's path is dropped with the slash at its end. */
function readAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!/^https?:$/.test(url.protocol) || !plain) return undefined;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** A timestamp with an offset, in ms since 1970. */
function readStamp(text: string): number | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (!match) return undefined;
  // Date.parse lets 30 February pass for 2 March.
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  const time = Date.parse(text);
  return Number.isNaN(time) || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day
    ? undefined
    : time;
}

function readRange(text: string): string | undefined {
  const [address = '', length, ...more] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  if (bits < 0 || more.length > 0) return undefined;
  return length === undefined || whole(0, bits)(length) !== undefined ? text : undefined;
}

/** Statuses that a client must be ready for whatever it asks. */
const failStatuses = ['429', '500', '503'] as const;
export type Fault = { readonly status: number; readonly fraction: number };
function readFault(text: string): Fault | undefined {
  const match = /^(\d{3}):(0|1|0?\.\d+|1\.0+|0\.\d+)$/.exec(text);
  const status = failStatuses.find((known) => known === match?.[1]);
  return match && status ? Object.freeze({ status: Number(status), fraction: Number(match[2]) }) : undefined;
}

const readName = (text: string): string | undefined =>
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(text) && text.trim() !== '' ? text.trim() : undefined;

/** Every setting, by the name it has in the configuration. */
export const settings = {
  data: value<string>('--data <file>', 'the data file', './cratebase.db', 'the path of a file', nonEmpty),
  empty: toggle('--empty', 'create a missing data file without the starter catalogue'),
  noSamples: toggle('--no-samples', 'create a missing data file without the sample events'),
  host: value<string>(
    '--host <address>',
    'the address to listen on; 0.0.0.0 for all addresses of this machine',
    '127.0.0.1',
    'an address or a host name',
    (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  ),
  port: value<number>(
    '--port <number>',
    'the port to listen on; 0 picks a free one',
    4880,
    'a whole number from 0 to 65535',
    whole(0, 65_535),
  ),
  baseUrl: value<string, null>(
    '--base-url <url>',
    'the public address of the service (default: http://host:port)',
    null,
    'an http or https address such as https://music.example.org',
    readAddress,
  ),
  accountUrl: value<string, null>(
    '--account-url <url>',
    'the address of the account dashboard (default: the base address)',
    null,
    'an http or https address such as https://account.example.org',
    readAddress,
  ),
  name: value<string>(
    '--name <name>',
    'the name of the service in its attribution',
    'cratebase',
    'a name of at most 100 characters on one line',
    readName,
  ),
  workers: value<number>(
    '--workers <number>',
    'number of processes that answer requests',
    1,
    'a whole number from 1 to 64',
    whole(1, 64),
  ),
  registration: value<'open' | 'approval' | 'closed'>(
    '--registration <mode>',
    'who can create accounts: open (visitors), approval (you approve each) or closed (only the terminal)',
    'open',
    'open, approval or closed',
    oneOf('open', 'approval', 'closed'),
  ),
  site: value<'on' | 'off'>(
    '--site <mode>',
    'serve the public pages of the catalogue: on or off',
    'on',
    'on or off',
    oneOf('on', 'off'),
  ),
  pageLimit: value<number, null>(
    '--page-limit <ms>',
    'processing time for visitors without a key, in ms per second and network; 0 means no limit (default: 100, with --dev 0)',
    null,
    'a whole number from 0 to 1000',
    whole(0, 1_000),
  ),
  trustProxy: toggle('--trust-proxy', 'trust the X-Forwarded-… headers of the proxy in front'),
  fetchAllow: list<string>(
    '--fetch-allow <cidr...>',
    'private addresses that may be fetched',
    'an address or a range such as 10.0.0.0/8',
    readRange,
  ),
  noSync: toggle('--no-sync', 'do not read sources on schedule'),
  metricsToken: value<string, null>(
    '--metrics-token <token>',
    'the token that /metrics requires; without it, /metrics is off',
    null,
    'a token without spaces',
    (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
    { secret: true },
  ),
  dev: toggle('--dev', 'development mode: creates the account dev@localhost and prints its key'),
  now: value<number, null>(
    '--now <time>',
    'with --dev: freeze the clock at this time',
    null,
    'a timestamp with an offset or Z, such as 2026-11-20T12:00:00Z',
    readStamp,
    { dev: true },
  ),
  plan: value<'free' | 'premium' | 'pro', null>(
    '--plan <plan>',
    'with --dev: plan of the account: free, premium or pro (default: free)',
    null,
    'free, premium or pro',
    oneOf('free', 'premium', 'pro'),
    { dev: true },
  ),
  quota: value<number, null>(
    '--quota <number>',
    'with --dev: monthly quota of the account',
    null,
    'a whole number',
    whole(0, 1e12),
    { dev: true },
  ),
  window: value<number, null>(
    '--window <number>',
    'with --dev: requests per key and 60 seconds',
    null,
    'a whole number, at least 1',
    whole(1, 1e12),
    { dev: true },
  ),
  fail: list<Fault>(
    '--fail <status:fraction...>',
    'with --dev: answer a fraction of the requests with this status',
    `a status (${failStatuses.join(', ')}) and a fraction, such as 503:0.1`,
    readFault,
    { dev: true },
  ),
} as const;
export type SettingName = keyof typeof settings;
type Value<S> = S extends Setting<infer T> ? T : never;
export type Settings = { readonly [N in SettingName]: Value<(typeof settings)[N]> };
