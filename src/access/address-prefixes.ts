/**
 * Prefixes of addresses, by which callers are counted. One customer of an IPv6 network holds 2^64 addresses or more, so
 * a limit per address alone limits nobody there (RFC 6177; RFC 7934, 4).
 */
import ipaddr from 'ipaddr.js';

/** Bits of a prefix: of an IPv6 address, and of an IPv4 address. */
export type PrefixBits = { six: number; four: number };

/**
 * The prefix of an address as text, such as `2001:db8:1::/48`. An IPv4 address inside IPv6 (`::ffff:192.0.2.1`) counts
 * as IPv4. Text that is no address is returned as it is, so that such callers share one count.
 */
export function addressPrefix(address: string, bits: PrefixBits): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const length = parsed.kind() === 'ipv6' ? bits.six : bits.four;
  const bytes = parsed.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    return byte & (0xff << (8 - kept));
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}

/** /64 of IPv6: one link. Of IPv4 the address itself. */
export const networkPrefix = (address: string): string => addressPrefix(address, { six: 64, four: 32 });

/** /56 of IPv6: what most providers give a household. Of IPv4 the address itself. */
export const sitePrefix = (address: string): string => addressPrefix(address, { six: 56, four: 32 });

/** /48 of IPv6, as `regionPrefix`, but of IPv4 the address itself: neighbours in a /24 are other customers. */
export const customerPrefix = (address: string): string => addressPrefix(address, { six: 48, four: 32 });

/** /48 of IPv6: the most that one customer gets as a rule. /24 of IPv4: a block of 256 addresses. */
export const regionPrefix = (address: string): string => addressPrefix(address, { six: 48, four: 24 });

/** /32 of IPv6: what a registry gives one provider. /16 of IPv4: 65,536 addresses. */
export const providerPrefix = (address: string): string => addressPrefix(address, { six: 32, four: 16 });
