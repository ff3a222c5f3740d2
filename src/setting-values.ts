/** Parsers of the values of settings: each returns undefined for an invalid text. */
import { isIP } from 'node:net';
import { parseDurationWithin } from './clock.ts';

/** Accepts a text that is not empty. */
export const nonEmpty = (text: string): string | undefined => (text.trim() === '' ? undefined : text);
/** Parses a whole number between two bounds. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
/** Accepts one of several words, in upper or lower case. */
export const oneOf =
  <T extends string>(...names: T[]) =>
  (text: string): T | undefined =>
    names.find((name) => name === text.toLowerCase());

/** Parses an http or https URL without query. Trailing slashes are removed. */
export function parseHttpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!/^https?:$/.test(url.protocol) || !plain) return undefined;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Parses a timestamp with an offset to ms since 1970. */
export function parseTimestamp(text: string): number | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (!match) return undefined;
  // Date.parse accepts 30 February as 2 March.
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  const time = Date.parse(text);
  return Number.isNaN(time) || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day
    ? undefined
    : time;
}

/** Accepts an IP address or a range in CIDR notation. */
export function parseCidr(text: string): string | undefined {
  const [address = '', length, ...more] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  if (bits < 0 || more.length > 0) return undefined;
  return length === undefined || wholeNumber(0, bits)(length) !== undefined ? text : undefined;
}

/** Statuses that every client must handle for any request. */
export const faultStatuses = ['429', '500', '503'] as const;
/** A failure of a fraction of the requests, or of each n-th one. */
export type Fault = { readonly status: number } & (
  | { readonly fraction: number; readonly every?: undefined }
  | { readonly every: number; readonly fraction?: undefined }
);
/** Parses a failure to simulate: `503:0.1` or `503:every=10`. */
export function parseFault(text: string): Fault | undefined {
  const [code = '', share = ''] = text.split(':', 2);
  const status = Number(faultStatuses.find((one) => one === code));
  if (Number.isNaN(status) || text.length > 40) return undefined;
  if (/^(?:0|1|0?\.\d+|1\.0+|0\.\d+)$/.test(share)) return Object.freeze({ status, fraction: Number(share) });
  const every = share.startsWith('every=') ? wholeNumber(1, 1_000_000)(share.slice(6)) : undefined;
  return every === undefined ? undefined : Object.freeze({ status, every });
}

/**
 * Parses the address of an SMTP server: `smtp://user:password@host:port` or `smtps://…`. A % in the user or password is
 * written as %25.
 */
export function parseSmtpUrl(text: string): string | undefined {
  if (!/^smtps?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, hostname, pathname, search, hash } = new URL(text);
  if (!isPercentEncoded(username) || !isPercentEncoded(password)) return undefined;
  return hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === '' ? text : undefined;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Checks the start of the address of a cluster. `cluster/address.ts` parses it. */
export const parseClusterUrl = (text: string): string | undefined =>
  /^postgres(?:ql)?:\/\/\S{1,2000}$/.test(text) ? text : undefined;

/** Refuses an address with a password on the command line, which other users of the machine can see. */
export function rejectPassword(text: string): string | null {
  const login = text.slice(text.indexOf('//') + 2, Math.max(0, text.lastIndexOf('@')));
  return login.includes(':')
    ? 'must not contain a password: other users of this machine can see command lines. Put the address into CRATEBASE_CLUSTER, or into a file that CRATEBASE_CLUSTER_FILE names.'
    : null;
}

/** Accepts `s3://bucket/prefix`, which `cluster/publication/s3/address.ts` parses, or the path of a folder. */
export const parseObjectsPlace = (text: string): string | undefined =>
  text.includes('://') && !/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]{0,900})?$/.test(text)
    ? undefined
    : nonEmpty(text);

/** The sender of mails. `name` is empty if there is only an address. */
export type Sender = { name: string; address: string };

/** Parses the sender of mails: an address, or `Name <address>`. The name may be in quotation marks. */
export function parseSender(text: string): Sender | undefined {
  const match = /^(?:([^\p{Cc}<>@]{1,100}) )?<?([^\s\p{Cc}<>@]{1,64}@[^\s\p{Cc}<>@]{1,255}?)>?$/u.exec(text);
  if (match === null || text.includes('<') !== text.endsWith('>')) return undefined;
  const [, name = '', address = ''] = match;
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}
/** Accepts the sender of mails, as it is written. */
export const parseMailFrom = (text: string): string | undefined =>
  parseSender(text) === undefined ? undefined : text;

/** Parses the domain of an email address, in lower case. */
export const parseDomain = (text: string): string | undefined =>
  /^(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(text) ? text.toLowerCase() : undefined;

/** Parses the issuer of an OpenID provider, which is compared as it is written. */
export const parseIssuer = (text: string): string | undefined =>
  parseHttpUrl(text) === undefined ? undefined : text;

/** Parses a name on one line. */
export const parseServiceName = (text: string): string | undefined =>
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(text) && text.trim() !== '' ? text.trim() : undefined;

/** Parses a time span between two bounds, in ms; the text stays as it is shown. */
export const timeSpan =
  (minMs: number, maxMs: number) =>
  (text: string): string | undefined =>
    parseDurationWithin(text, minMs, maxMs) === null ? undefined : text.trim().toLowerCase();

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
]);
/** Parses the value of a switch: true or false, yes or no, on or off, 1 or 0. */
export const parseSwitch = (text: string): boolean | undefined => booleanWords.get(text.toLowerCase());
