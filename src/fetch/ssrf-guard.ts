/** Where may be connected to: looked at in the address, and again in what its name stands for. */
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { describeBlockedHost, hostOf } from './blocked-host.ts';
import { FetchFailure } from './fetch-failure.ts';

/** Every address that a name stands for. */
export type HostResolver = (name: string) => Promise<{ address: string; family: number }[]>;

/** Node resolves a name with this when it connects: what is checked here is what is connected to. */
export function guardedLookup(
  resolve: HostResolver,
  judge: AddressPolicy,
  allowedOnly: boolean,
): LookupFunction {
  return (name, options, callback) => {
    const fail = (failure: unknown) => callback(failure as NodeJS.ErrnoException, '', 0);
    resolve(name).then((found) => {
      if (found.length === 0) return fail(new FetchFailure('unreachable', 'Its name has no address.'));
      // One good address among bad ones makes a name no better.
      const addresses = [...new Set(found.map(({ address }) => address))];
      const closed = addresses.filter((address) => !mayConnect(judge(address), allowedOnly));
      if (closed.length > 0) return fail(refusedFailure(allowedOnly, name, closed));
      const fitting = found.filter(({ family }) => !options.family || options.family === family);
      const first = fitting[0];
      if (first === undefined) return fail(new FetchFailure('unreachable', 'Its name has no address.'));
      if (options.all) callback(null, fitting);
      else callback(null, first.address, first.family);
    }, fail);
  };
}

const mayConnect = (standing: ReturnType<AddressPolicy>, allowedOnly: boolean): boolean =>
  standing === 'allowed' || (standing === 'public' && !allowedOnly);

const refusedFailure = (allowedOnly: boolean, host: string, addresses: string[]): FetchFailure =>
  allowedOnly
    ? new FetchFailure(
        'refused',
        'It is not https. Only addresses that --fetch-allow names are fetched without.',
      )
    : new FetchFailure(
        'refused',
        'It is not a public address. Private ones are fetched only where --fetch-allow names them.',
        describeBlockedHost(host, addresses),
      );

/** What can be told from the address alone. A host in figures is not resolved, so it is judged here. */
export function checkUrl(url: URL, judge: AddressPolicy, allowedOnly: boolean): void {
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new FetchFailure('refused', 'It is neither https nor http.');
  }
  if (username !== '' || password !== '') {
    throw new FetchFailure('refused', 'It has a name or password in it. Leave them out.');
  }
  if (hostname === '' || hostname.endsWith('.')) throw new FetchFailure('refused', 'Its host is not a name.');
  // URL has made one form of decimal, octal, hexadecimal and shortened addresses.
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayConnect(judge(host), allowedOnly))
    throw refusedFailure(allowedOnly, host, [host]);
}
