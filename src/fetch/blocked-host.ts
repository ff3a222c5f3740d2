/** Private addresses, as the operator is told of them: which it is, and the way out. Strangers are not told. */
import { isIP } from 'node:net';
import { createAddressPolicy } from './address-policy.ts';

/** A host that may not be fetched from, the addresses that it stands for, and what to do about it. */
export type BlockedHost = { host: string; addresses: readonly string[]; advice: string };

/** The host of an address: a name, or figures without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** What is in the way and what lets it be read, in two sentences. */
export function describeBlockedHost(host: string, addresses: readonly string[]): BlockedHost {
  const what = addresses[0] === host ? host : `${host} (${addresses.join(', ')})`;
  const way = `--fetch-allow ${addresses.join(' ')} (or CRATEBASE_FETCH_ALLOW=${addresses.join(',')})`;
  const advice = `${what} is not a public address. \`serve\` and \`sync\` fetch it only with ${way}.`;
  return { host, addresses, advice };
}

/** This machine has the same name everywhere (RFC 6761, 6.3). */
const isLocalhost = (host: string): boolean => /(?:^|\.)localhost$/i.test(host);

/**
 * What can be told of an address without asking anybody.
 * @param allowedMethods what the operator allows, as in `FetchSettings`
 * @returns null where nothing is in the way, or only who resolves the name can tell
 */
export function findBlockedHost(address: string, allow: readonly string[]): BlockedHost | null {
  if (!URL.canParse(address)) return null;
  const host = hostOf(new URL(address));
  const addresses = isIP(host) !== 0 ? [host] : isLocalhost(host) ? ['127.0.0.1', '::1'] : [];
  const judge = createAddressPolicy(allow);
  const closed = addresses.filter((one) => judge(one) === 'private');
  return closed.length === 0 ? null : describeBlockedHost(host, closed);
}
