/** Describes blocked private addresses for the operator. Clients of the service never see these texts. */
import { isIP } from 'node:net';
import { createAddressPolicy } from './address-policy.ts';

/** A host that may not be fetched from, its addresses, and advice for the operator. */
export type BlockedHost = { host: string; addresses: readonly string[]; advice: string };

/** Returns the host of a URL: a name, or an IP address without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Says why a host is blocked and which option allows it. */
export function describeBlockedHost(host: string, addresses: readonly string[]): BlockedHost {
  const hostText = addresses[0] === host ? host : `${host} (${addresses.join(', ')})`;
  const options = `--fetch-allow ${addresses.join(' ')} (or CRATEBASE_FETCH_ALLOW=${addresses.join(',')})`;
  const advice = `${hostText} is not a public address. \`serve\` and \`sync\` fetch it only with ${options}.`;
  return { host, addresses, advice };
}

/** Names of this machine (RFC 6761, section 6.3). */
const isLocalhost = (host: string): boolean => /(?:^|\.)localhost$/i.test(host);

/**
 * Checks the host of a URL without a DNS lookup.
 * @param allow addresses and ranges that the operator allows, as in `FetchSettings`
 * @returns null where the host is allowed, or where only a DNS lookup can tell
 */
export function findBlockedHost(address: string, allow: readonly string[]): BlockedHost | null {
  if (!URL.canParse(address)) return null;
  const host = hostOf(new URL(address));
  const addresses = isIP(host) !== 0 ? [host] : isLocalhost(host) ? ['127.0.0.1', '::1'] : [];
  const classify = createAddressPolicy(allow);
  const blocked = addresses.filter((one) => classify(one) === 'private');
  return blocked.length === 0 ? null : describeBlockedHost(host, blocked);
}
