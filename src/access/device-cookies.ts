/**
 * Browsers in which an account was signed in before. Each keeps a mark, good for that account alone and for a year, that
 * only this file can make; it lets nobody in. By it the owner's tries are told from those of strangers, so that nobody
 * who guesses keeps the owner waiting (OWASP calls it a device cookie).
 */

import { randomBytes } from 'node:crypto';
import { dayMs } from '../clock.ts';
import type { InstanceSecret } from './instance-secret.ts';

const yearMs = 365 * dayMs;
/** Of different accounts in one browser. */
const maxAccountsPerBrowser = 4;
const entryPattern = /^([0-9a-z]{1,10})_([\w-]{16})_([\w-]{43})$/;

export class DeviceCookies {
  readonly #secret: InstanceSecret;

  constructor(secret: InstanceSecret) {
    this.#secret = secret;
  }

  /**
   * What tells this browser from others of the account; null where it has no mark of it.
   * @param kept the text that the browser keeps; anything may stand there
   */
  identify(kept: string, account: string, now: number): string | null {
    for (const mark of splitCookie(kept)) {
      const [, time = '', nonce = '', digest] = entryPattern.exec(mark) ?? [];
      const made = Number.parseInt(time, 36);
      if (this.#digest(account, time, nonce) === digest && Math.abs(now - made) < yearMs) return nonce;
    }
    return null;
  }

  /** What the browser is to keep from now on: a new mark of the account, and those of others. */
  issue(kept: string, account: string, now: number): string {
    const time = now.toString(36);
    const nonce = randomBytes(12).toString('base64url');
    const mark = `${time}_${nonce}_${this.#digest(account, time, nonce)}`;
    const others = splitCookie(kept).filter((other) => this.identify(other, account, now) === null);
    return [mark, ...others].slice(0, maxAccountsPerBrowser).join('.');
  }

  #digest(account: string, time: string, nonce: string): string {
    return this.#secret.digest('known browser', account, time, nonce);
  }
}

const splitCookie = (kept: string): string[] =>
  kept
    .slice(0, 1_000)
    .split('.')
    .filter((mark) => entryPattern.test(mark))
    .slice(0, maxAccountsPerBrowser);
