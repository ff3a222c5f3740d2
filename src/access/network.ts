/** By what of an address those who try too much are told apart. */

/** Who has one address of IPv6 has the whole 64 bits below. */
export function network(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const filled = [
    ...groups,
    ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'),
    ...rest,
  ];
  return `${filled.slice(0, 4).join(':')}::/64`;
}
