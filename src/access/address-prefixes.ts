/**
 * Address prefixes by which callers are counted. One IPv6 customer has 2^64 addresses or more, so a limit per address
 * is ineffective there (RFC 6177; RFC 7934, section 4).
 */
import ipaddr from 'ipaddr.js';

/** Prefix lengths in bits: `six` for IPv6, `four` for IPv4. */
export type PrefixBits = { six: number; four: number };

/**
 * Returns the prefix of an address as text, such as `2001:db8:1::/48`. An IPv4-mapped IPv6 address
 * (`::ffff:192.0.2.1`) counts as IPv4. Other text is returned unchanged, so all such callers share one count.
 */
export function addressPrefix(address: string, bits: PrefixBits): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  const length = ip.kind() === 'ipv6' ? bits.six : bits.four;
  const bytes = ip.toByteArray().map((byte, index) => {
    const bitCount = Math.min(8, Math.max(0, length - index * 8));
    return byte & (0xff << (8 - bitCount));
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}

/** IPv6 /64: one link. IPv4: the address itself. */
export const networkPrefix = (address: string): string => addressPrefix(address, { six: 64, four: 32 });

/** IPv6 /56: the usual prefix of a household. IPv4: the address itself. */
export const sitePrefix = (address: string): string => addressPrefix(address, { six: 56, four: 32 });

/** IPv6 /48, as `regionPrefix`. IPv4: the address itself, because neighbours in a /24 are other customers. */
export const customerPrefix = (address: string): string => addressPrefix(address, { six: 48, four: 32 });

/** IPv6 /48: the usual maximum of one customer. IPv4 /24: a block of 256 addresses. */
export const regionPrefix = (address: string): string => addressPrefix(address, { six: 48, four: 24 });

/** IPv6 /32: the usual allocation of a provider. IPv4 /16: 65,536 addresses. */
export const providerPrefix = (address: string): string => addressPrefix(address, { six: 32, four: 16 });
