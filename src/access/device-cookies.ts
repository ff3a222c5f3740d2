/**
 * Device cookies (OWASP): a browser keeps a signed entry for each account that signed in there, valid for a year. An
 * entry is not a credential. It separates sign-in attempts of the owner from those of strangers, so that guessing does
 * not slow down the owner.
 */

import { randomBytes } from 'node:crypto';
import { dayMs } from '../clock.ts';
import type { InstanceSecret } from './instance-secret.ts';

const yearMs = 365 * dayMs;
const maxAccountsPerBrowser = 4;
const entryPattern = /^([0-9a-z]{1,10})_([\w-]{16})_([\w-]{43})$/;

/** Origin of a request: the address as the server sees it, and data from the browser. */
export type BrowserInfo = {
  address: string;
  userAgent: string;
  /** The device cookie that this browser got before. */
  known?: string | undefined;
};

/** Issues and verifies the value of the device cookie: up to four signed entries, each for one account. */
export class DeviceCookies {
  readonly #secret: InstanceSecret;

  constructor(secret: InstanceSecret) {
    this.#secret = secret;
  }

  /**
   * Returns the nonce of the browser for an account; null without a valid entry.
   * @param cookie the value of the cookie, which may be forged
   */
  identify(cookie: string, account: string, now: number): string | null {
    for (const entry of splitCookie(cookie)) {
      const [, time = '', nonce = '', digest] = entryPattern.exec(entry) ?? [];
      const issuedTs = Number.parseInt(time, 36);
      if (this.#digest(account, time, nonce) === digest && Math.abs(now - issuedTs) < yearMs) return nonce;
    }
    return null;
  }

  /** Returns the new value of the cookie: a new entry of the account, and the entries of others. */
  issue(cookie: string, account: string, now: number): string {
    const time = now.toString(36);
    const nonce = randomBytes(12).toString('base64url');
    const entry = `${time}_${nonce}_${this.#digest(account, time, nonce)}`;
    const others = splitCookie(cookie).filter((other) => this.identify(other, account, now) === null);
    return [entry, ...others].slice(0, maxAccountsPerBrowser).join('.');
  }

  #digest(account: string, time: string, nonce: string): string {
    return this.#secret.digest('known browser', account, time, nonce);
  }
}

const splitCookie = (cookie: string): string[] =>
  cookie
    .slice(0, 1_000)
    .split('.')
    .filter((entry) => entryPattern.test(entry))
    .slice(0, maxAccountsPerBrowser);
