/** Which addresses may be connected to: public ones, and those that the operator allows. */
import ipaddr from 'ipaddr.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
type IpRange = [IpAddress, number];

/** `allowed`: by the operator, whatever it is; `public`: reachable for everybody; `private`: all else. */
export type AddressClass = 'allowed' | 'public' | 'private';
export type AddressPolicy = (address: string) => AddressClass;

/** All that is assigned to the public so far (RFC 4291, 2.4); the rest of IPv6 is somebody's own, or nobody's. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** @param allowedMethods addresses or CIDR ranges that the operator lets be fetched from, such as `10.0.0.0/8` */
export function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const ranges = allow.map(parseRange);
  return (text) => {
    if (!ipaddr.isValid(text)) return 'private';
    const written = ipaddr.parse(text);
    const plain = ipaddr.process(text);
    if (ranges.some((range) => contains(range, plain) || contains(range, written))) return 'allowed';
    return isPublic(written) ? 'public' : 'private';
  };
}

function parseRange(text: string): IpRange {
  return text.includes('/')
    ? ipaddr.parseCIDR(text)
    : [ipaddr.parse(text), ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128];
}

const contains = ([network, bits]: IpRange, address: IpAddress): boolean =>
  network.kind() === address.kind() && address.match(network, bits);

/**
 * Loopback, link-local, shared, reserved, documentation and multicast addresses are not; nor is an IPv6 address that
 * only wraps an IPv4 one (mapped, NAT64, 6to4, Teredo): what is inside might be private.
 */
function isPublic(address: IpAddress): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
