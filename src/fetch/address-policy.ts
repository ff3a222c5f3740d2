/** Decides which IP addresses the service may connect to: public ones, and those that the operator allows. */
import ipaddr from 'ipaddr.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
type IpRange = [IpAddress, number];

/** `allowed`: listed by the operator; `public`: globally reachable; `private`: everything else. */
type AddressClass = 'allowed' | 'public' | 'private';
export type AddressPolicy = (address: string) => AddressClass;

/** Global unicast (RFC 4291, section 2.4). The rest of IPv6 is local or unassigned. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Creates the policy.
 * @param allow addresses or CIDR ranges that may be fetched from, such as `10.0.0.0/8`
 */
export function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const ranges = allow.map(parseRange);
  return (text) => {
    if (!ipaddr.isValid(text)) return 'private';
    const ip = ipaddr.parse(text);
    const unwrapped = ipaddr.process(text);
    if (ranges.some((range) => contains(range, unwrapped) || contains(range, ip))) return 'allowed';
    return isPublic(ip) ? 'public' : 'private';
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
 * Whether an address is globally reachable. Loopback, link-local, shared, reserved, documentation and multicast
 * addresses are not. An IPv6 address that wraps an IPv4 address (mapped, NAT64, 6to4, Teredo) is not either: the inner
 * address may be private.
 */
function isPublic(address: IpAddress): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
