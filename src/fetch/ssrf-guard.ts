/** Checks addresses before a connection: in the URL, and again after the DNS lookup. */
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { describeBlockedHost, hostOf } from './blocked-host.ts';
import { FetchFailure } from './fetch-failure.ts';

/** Resolves a name to all of its addresses. */
export type HostResolver = (name: string) => Promise<{ address: string; family: number }[]>;

/**
 * Returns the DNS lookup that Node uses for connections, so that the checked addresses are the connected ones.
 * @param allowedOnly whether only addresses that the operator allows are accepted
 */
export function guardedLookup(
  resolve: HostResolver,
  classify: AddressPolicy,
  allowedOnly: boolean,
): LookupFunction {
  return (name, options, callback) => {
    const fail = (failure: unknown) => callback(failure as NodeJS.ErrnoException, '', 0);
    resolve(name).then((records) => {
      if (records.length === 0) return fail(new FetchFailure('unreachable', 'Its host name has no address.'));
      // One blocked address blocks the name, whatever its other addresses are.
      const addresses = [...new Set(records.map(({ address }) => address))];
      const blocked = addresses.filter((address) => !mayConnect(classify(address), allowedOnly));
      if (blocked.length > 0) return fail(refusedFailure(allowedOnly, name, blocked));
      const matching = records.filter(({ family }) => !options.family || options.family === family);
      const first = matching[0];
      if (first === undefined) return fail(new FetchFailure('unreachable', 'Its host name has no address.'));
      if (options.all) callback(null, matching);
      else callback(null, first.address, first.family);
    }, fail);
  };
}

const mayConnect = (addressClass: ReturnType<AddressPolicy>, allowedOnly: boolean): boolean =>
  addressClass === 'allowed' || (addressClass === 'public' && !allowedOnly);

const refusedFailure = (allowedOnly: boolean, host: string, addresses: string[]): FetchFailure =>
  allowedOnly
    ? new FetchFailure(
        'refused',
        'It is not https. Plain http is allowed only for addresses that --fetch-allow lists.',
      )
    : new FetchFailure(
        'refused',
        'It is not a public address. Private addresses are fetched only if --fetch-allow lists them.',
        describeBlockedHost(host, addresses),
      );

/**
 * Checks a URL without a DNS lookup. IP addresses are never resolved, so they are checked here.
 * @throws FetchFailure `refused`
 */
export function checkUrl(url: URL, classify: AddressPolicy, allowedOnly: boolean): void {
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new FetchFailure('refused', 'It is neither https nor http.');
  }
  if (username !== '' || password !== '') {
    throw new FetchFailure('refused', 'It contains a user name or password. Remove them.');
  }
  if (hostname === '' || hostname.endsWith('.'))
    throw new FetchFailure('refused', 'Its host name is not valid.');
  // The URL parser has normalized decimal, octal, hexadecimal and shortened addresses.
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayConnect(classify(host), allowedOnly))
    throw refusedFailure(allowedOnly, host, [host]);
}
