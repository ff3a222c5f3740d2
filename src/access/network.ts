/** By what of an address those who try too much are told apart. */
import ipaddr from 'ipaddr.js';

/** The first `bits` of an address (of version 6, of version 4), as text; what is no address stays as it is. */
function prefix(address: string, bits: { six: number; four: number }): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const length = parsed.kind() === 'ipv6' ? bits.six : bits.four;
  const bytes = parsed.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    return byte & (0xff << (8 - kept));
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}

/** Who has one address of IPv6 has the whole 64 bits below; one of IPv4 stands for itself. */
export const network = (address: string): string => prefix(address, { six: 64, four: 32 });

/** What one customer of a network can have: 48 bits of IPv6, or a block of 256 addresses of IPv4. */
export const region = (address: string): string => prefix(address, { six: 48, four: 24 });
