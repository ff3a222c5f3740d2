/** All settings in one table: flag, environment variable, default, and parser. */
import {
  type Fault,
  faultStatuses,
  nonEmpty,
  oneOf,
  parseCidr,
  parseDomain,
  parseFault,
  parseHttpUrl,
  parseIssuer,
  parseMailFrom,
  parseServiceName,
  parseSmtpUrl,
  parseSwitch,
  parseTimestamp,
  timeSpan,
  wholeNumber,
} from './setting-values.ts';

export type { Fault } from './setting-values.ts';

/** A setting: a flag, an environment variable, a default. */
export type Setting<T> = {
  /** The flag as declared on the command line, such as `--port <number>`. */
  readonly flags: string;
  readonly env: string;
  readonly description: string;
  readonly shape: 'value' | 'list' | 'switch';
  readonly fallback: T;
  /** The accepted values, as the end of the sentence "--port is …". */
  readonly accepts: string;
  /** Parses a value, or one entry of a list; undefined if it is invalid. */
  readonly read: (text: string) => unknown;
  /** Secret: never shown, and may be read from a file. */
  readonly secret: boolean;
  /** Only valid with --dev. */
  readonly dev: boolean;
};

type SettingFlags = Partial<Pick<Setting<unknown>, 'secret' | 'dev'>>;

const envNameOf = (flags: string): string =>
  `CRATEBASE_${(flags.split(' ')[0] as string).slice(2).toUpperCase().replaceAll('-', '_')}`;

const defineSetting = <T>(
  shape: Setting<T>['shape'],
  flags: string,
  description: string,
  fallback: T,
  accepts: string,
  read: (text: string) => unknown,
  extras: SettingFlags = {},
): Setting<T> => ({
  flags,
  env: envNameOf(flags),
  description,
  shape,
  fallback,
  accepts,
  read,
  secret: false,
  dev: false,
  ...extras,
});

const valueSetting = <T, F extends T | null = T>(
  flags: string,
  description: string,
  fallback: F,
  accepts: string,
  read: (text: string) => T | undefined,
  extras: SettingFlags = {},
): Setting<T | F> => defineSetting<T | F>('value', flags, description, fallback, accepts, read, extras);

const listSetting = <T>(
  flags: string,
  description: string,
  accepts: string,
  read: (text: string) => T | undefined,
  extras: SettingFlags = {},
): Setting<readonly T[]> =>
  defineSetting<readonly T[]>('list', flags, description, Object.freeze([]), accepts, read, extras);

const switchSetting = (flags: string, description: string, extras: SettingFlags = {}): Setting<boolean> =>
  defineSetting<boolean>('switch', flags, description, false, 'true or false', parseSwitch, extras);

/** A value of the identity. The room `identity` parses it, and the data file can have one as well. */
const identitySetting = (flags: string, description: string): Setting<string | null> =>
  valueSetting<string, null>(flags, description, null, 'a text that is not empty', nonEmpty);

/** All settings by their name in the configuration. */
export const settings = {
  data: valueSetting<string>(
    '--data <file>',
    'the data file',
    './cratebase.db',
    'the path of a file',
    nonEmpty,
  ),
  empty: switchSetting('--empty', 'create a missing data file without the starter catalogue'),
  samples: switchSetting('--samples', 'create a missing data file with sample events; --dev does so too'),
  noSamples: switchSetting(
    '--no-samples',
    'with --dev: create a missing data file without the sample events',
  ),
  host: valueSetting<string>(
    '--host <address>',
    'the address to listen on; 0.0.0.0 for all addresses of this machine',
    '127.0.0.1',
    'an address or a host name',
    (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  ),
  port: valueSetting<number>(
    '--port <number>',
    'the port to listen on; 0 picks a free one',
    4880,
    'a whole number from 0 to 65535',
    wholeNumber(0, 65_535),
  ),
  baseUrl: valueSetting<string, null>(
    '--base-url <url>',
    'the public address of the service (default: http://host:port)',
    null,
    'an http or https address such as https://music.example.org',
    parseHttpUrl,
  ),
  accountUrl: valueSetting<string, null>(
    '--account-url <url>',
    'the address of the account dashboard (default: the base address)',
    null,
    'an http or https address such as https://account.example.org',
    parseHttpUrl,
  ),
  name: valueSetting<string, null>(
    '--name <name>',
    'the name of the service, on pages and in its attribution (default: cratebase)',
    null,
    'a name of at most 100 characters on one line',
    parseServiceName,
  ),
  logo: identitySetting('--logo <file>', 'a PNG, WebP or SVG file of at most 64 KB, shown beside the name'),
  accent: identitySetting('--accent <color>', 'the accent colour of the pages, such as #0057b8'),
  contact: identitySetting('--contact <address>', 'how visitors reach you: an email address or a URL'),
  imprint: identitySetting('--imprint <url>', 'the address of your imprint'),
  privacy: identitySetting('--privacy <url>', 'the address of your privacy policy'),
  terms: identitySetting('--terms <url>', 'the address of your terms of use'),
  footer: identitySetting('--footer <text>', 'a sentence at the bottom of every page'),
  about: identitySetting('--about <text>', 'the text of the page /about'),
  attribution: identitySetting(
    '--attribution <sentence>',
    'the sentence that Free accounts show with the data (default: Data from NAME (BASE-URL))',
  ),
  license: identitySetting(
    '--license <license>',
    'the licence of the data, for the OpenAPI document: an SPDX identifier or an address',
  ),
  indexing: valueSetting<'on' | 'off', null>(
    '--indexing <mode>',
    'whether search engines may list the pages: on or off (default: on)',
    null,
    'on or off',
    oneOf('on', 'off'),
  ),
  homeCity: identitySetting('--home-city <slug>', 'the city that the home page shows first, such as berlin'),
  media: valueSetting<'on' | 'off', null>(
    '--media <mode>',
    'show the pictures of records, fetched from the addresses in the catalogue: on or off (default: on)',
    null,
    'on or off',
    oneOf('on', 'off'),
  ),
  mediaDir: valueSetting<string, null>(
    '--media-dir <folder>',
    'the folder of these pictures (default: the data file with the ending .media)',
    null,
    'the path of a folder',
    nonEmpty,
  ),
  mediaCacheMb: valueSetting<number>(
    '--media-cache-mb <number>',
    'the maximum size of this folder in MB; the least recently used pictures are removed',
    1_000,
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  mapTiles: identitySetting(
    '--map-tiles <template>',
    'a tile server for maps, such as https://tile.example.org/{z}/{x}/{y}.png; without it, the service draws them',
  ),
  mapAttribution: identitySetting(
    '--map-attribution <text>',
    'with --map-tiles: the credit below these maps (default: © OpenStreetMap contributors)',
  ),
  mcpRegistryKey: valueSetting<string, null>(
    '--mcp-registry-key <key>',
    'your public key at the MCP registry, served at /.well-known/mcp-registry-auth',
    null,
    'an Ed25519 public key in base64, 44 characters',
    (text) => (/^[A-Za-z0-9+/]{43}=$/.test(text) ? text : undefined),
  ),
  workers: valueSetting<number>(
    '--workers <number>',
    'number of processes that answer requests',
    1,
    'a whole number from 1 to 64',
    wholeNumber(1, 64),
  ),
  registration: valueSetting<'open' | 'approval' | 'closed'>(
    '--registration <mode>',
    'who can create accounts: open (visitors), approval (you approve each) or closed (only the terminal)',
    'open',
    'open, approval or closed',
    oneOf('open', 'approval', 'closed'),
  ),
  smtpUrl: valueSetting<string, null>(
    '--smtp-url <url>',
    'the SMTP server that sends mails to people; without it, the service sends none',
    null,
    'an address such as smtp://user:password@mail.example.org:587 or smtps://…:465',
    parseSmtpUrl,
    { secret: true },
  ),
  mailFrom: valueSetting<string, null>(
    '--mail-from <address>',
    'the sender of these mails',
    null,
    'an address such as noreply@example.org, or "Our club <noreply@example.org>"',
    parseMailFrom,
  ),
  oidcIssuer: valueSetting<string, null>(
    '--oidc-issuer <url>',
    'the OpenID provider that people can sign in with',
    null,
    'an http or https address such as https://login.example.org/realms/club',
    parseIssuer,
  ),
  oidcClientId: valueSetting<string, null>(
    '--oidc-client-id <id>',
    'the client id of this service at the OpenID provider',
    null,
    'the id that the provider shows',
    (text) => (/^[\x21-\x7e]{1,500}$/.test(text) ? text : undefined),
  ),
  oidcClientSecret: valueSetting<string, null>(
    '--oidc-client-secret <secret>',
    'the client secret of this service at the OpenID provider; none for a public client',
    null,
    'the secret that the provider shows',
    (text) => (/^[\x20-\x7e]{1,1000}$/.test(text) ? text : undefined),
    { secret: true },
  ),
  oidcName: valueSetting<string>(
    '--oidc-name <name>',
    'the name of the OpenID provider on the sign-in page',
    'OpenID',
    'a name of at most 100 characters on one line',
    (text) => parseServiceName(text),
  ),
  oidcDomains: listSetting<string>(
    '--oidc-domains <domain...>',
    'only people with an email address in these domains can sign in with the OpenID provider',
    'a domain such as example.org',
    parseDomain,
  ),
  localPasswords: valueSetting<'on' | 'off'>(
    '--local-passwords <mode>',
    'sign in and sign up with a password of this service: on, or off with an OpenID provider',
    'on',
    'on or off',
    oneOf('on', 'off'),
  ),
  site: valueSetting<'on' | 'off'>(
    '--site <mode>',
    'serve the public pages of the catalogue: on or off',
    'on',
    'on or off',
    oneOf('on', 'off'),
  ),
  pageLimit: valueSetting<number, null>(
    '--page-limit <ms>',
    'processing time for visitors without a key, in ms per second and network; 0 means no limit (default: 100, with --dev 0)',
    null,
    'a whole number from 0 to 1000',
    wholeNumber(0, 1_000),
  ),
  trustProxy: switchSetting('--trust-proxy', 'trust the X-Forwarded-… headers of the proxy in front'),
  fetchAllow: listSetting<string>(
    '--fetch-allow <cidr...>',
    'private addresses that may be fetched',
    'an address or a range such as 10.0.0.0/8',
    parseCidr,
  ),
  compression: valueSetting<'on' | 'off'>(
    '--compression <choice>',
    'compress responses for clients that accept it; off for a proxy that compresses them itself',
    'on',
    'on or off',
    oneOf('on', 'off'),
  ),
  noSync: switchSetting('--no-sync', 'do not read sources on schedule'),
  backupDir: valueSetting<string, null>(
    '--backup-dir <folder>',
    'back up the data file into this folder on schedule',
    null,
    'the path of a folder',
    nonEmpty,
  ),
  backupEvery: valueSetting<string>(
    '--backup-every <span>',
    'with --backup-dir: time between two backups',
    '24h',
    'a time span from 1m to 31d, such as 12h',
    timeSpan(60_000, 31 * 86_400_000),
  ),
  backupKeep: valueSetting<number>(
    '--backup-keep <number>',
    'with --backup-dir: how many backups stay; older ones are removed',
    7,
    'a whole number from 1 to 1000',
    wholeNumber(1, 1_000),
  ),
  exportDir: valueSetting<string, null>(
    '--export-dir <folder>',
    'export the catalogue into this folder on schedule, and serve the files below /exports',
    null,
    'the path of a folder',
    nonEmpty,
  ),
  exportEvery: valueSetting<string>(
    '--export-every <span>',
    'with --export-dir: time between two exports',
    '24h',
    'a time span from 1m to 31d, such as 12h',
    timeSpan(60_000, 31 * 86_400_000),
  ),
  exportKeep: valueSetting<number>(
    '--export-keep <number>',
    'with --export-dir: how many exports stay; older ones are removed',
    2,
    'a whole number from 1 to 1000',
    wholeNumber(1, 1_000),
  ),
  metricsToken: valueSetting<string, null>(
    '--metrics-token <token>',
    'the token that /metrics requires; without it, /metrics is off',
    null,
    'a token without spaces',
    (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
    { secret: true },
  ),
  dev: switchSetting('--dev', 'development mode: creates the account dev@localhost and prints its key'),
  now: valueSetting<number, null>(
    '--now <time>',
    'with --dev: freeze the clock at this time; without --window, requests are not limited per 60 seconds',
    null,
    'a timestamp with an offset or Z, such as 2026-11-20T12:00:00Z',
    parseTimestamp,
    { dev: true },
  ),
  plan: valueSetting<'free' | 'premium' | 'pro', null>(
    '--plan <plan>',
    'with --dev: plan of the account: free, premium or pro (default: free)',
    null,
    'free, premium or pro',
    oneOf('free', 'premium', 'pro'),
    { dev: true },
  ),
  quota: valueSetting<number, null>(
    '--quota <number>',
    'with --dev: monthly quota of the account',
    null,
    'a whole number',
    wholeNumber(0, 1e12),
    { dev: true },
  ),
  window: valueSetting<number, null>(
    '--window <number>',
    'with --dev: requests per key and 60 seconds; default: those of the plan, with --now no limit',
    null,
    'a whole number, at least 1',
    wholeNumber(1, 1e12),
    { dev: true },
  ),
  fail: listSetting<Fault>(
    '--fail <status:share...>',
    'with --dev: answer a fraction of the requests, or each n-th one, with this status',
    `a status (${faultStatuses.join(', ')}) and a fraction, such as 503:0.1, or 503:every=10`,
    parseFault,
    { dev: true },
  ),
} as const;
export type SettingName = keyof typeof settings;
type SettingValue<S> = S extends Setting<infer T> ? T : never;
export type Settings = { readonly [N in SettingName]: SettingValue<(typeof settings)[N]> };
