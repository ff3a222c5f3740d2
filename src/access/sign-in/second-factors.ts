/**
 * The second factor: time-based one-time passwords (TOTP, RFC 6238: SHA-1, six digits, 30 seconds), and recovery codes for a
 * lost device. A code is accepted once, up to one step early or late.
 */
import { randomInt } from 'node:crypto';
import type { Actor } from '../../contract/roles.ts';
import type { Tx } from '../../store/engine/engine.ts';
import { AccountError } from '../account-error.ts';
import { parseEmail, unknownAccountFailure } from '../account-input.ts';
import type { BrowserInfo } from '../device-cookies.ts';
import { record } from '../parts.ts';
import type { Services } from '../services.ts';
import { codeThrottleKeys } from '../throttle-rules.ts';

/** The person proved one factor and has to show a code. */
export class SecondFactorRequired extends AccountError {
  readonly account: string;

  constructor(account: string) {
    super('second_factor', 'Type the code of your authenticator app.');
    this.account = account;
  }
}

export type SecondFactorState = {
  /** When codes became required (ms since 1970); null: they are not. */
  enabledTs: number | null;
  recoveryCodesLeft: number;
};
/** A code that was accepted at a time (ms). */
type UsedCode = { kind: 'totp' | 'recovery'; now: number };
/** A new secret, as an authenticator app takes it. */
export type TotpSetup = { key: string; uri: string };

const stepMs = 30_000;
const recoveryCodeCount = 10;
/** Without letters and digits that look alike. */
const recoveryAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const recoveryPattern = /^[2-9a-z]{10}$/;

/** Sets up, checks and removes the second factor of accounts, by their ids. */
export class SecondFactors {
  readonly #parts: Services;

  constructor(parts: Services) {
    this.#parts = parts;
  }

  /** Whether signing in to the account takes a code. */
  async isEnabled(account: string): Promise<boolean> {
    return (await this.state(account)).enabledTs !== null;
  }

  /** Returns since when codes are required, and how many recovery codes are left. */
  async state(account: string): Promise<SecondFactorState> {
    const { engine, factors } = this.#parts;
    const row = await engine.read((tx) => factors.find(tx, account));
    const recoveryCodesLeft = await engine.read((tx) => factors.codesLeft(tx, account));
    return { enabledTs: row?.confirmed_ts ?? null, recoveryCodesLeft };
  }

  /** Creates a secret. It is not in use until `confirm`. @param issuer the name of the service */
  async begin(account: { id: string; email: string }, issuer: string): Promise<TotpSetup> {
    const { engine, factors, secret, clock } = this.#parts;
    const { Secret } = await import('otpauth');
    const key = new Secret({ size: 20 }).base32;
    await engine.writeDurably(async (tx) => {
      if ((await factors.find(tx, account.id))?.confirmed_ts != null) throw alreadyEnabled();
      await factors.set(tx, {
        account_id: account.id,
        secret: secret.encrypt('totp', account.id, key),
        confirmed_ts: null,
        last_step: 0,
        created_ts: clock.now(),
      });
    });
    return describeKey(key, account.email, issuer);
  }

  /** Returns the secret that waits for its first code; null if there is none. */
  async pendingSetup(account: { id: string; email: string }, issuer: string): Promise<TotpSetup | null> {
    const { engine, factors, secret } = this.#parts;
    const row = await engine.read((tx) => factors.find(tx, account.id));
    if (row === undefined || row.confirmed_ts !== null) return null;
    const key = secret.decrypt('totp', account.id, row.secret);
    return key === null ? null : describeKey(key, account.email, issuer);
  }

  /**
   * Puts the new secret in use, after a first code of it. Rejects with an `AccountError`: `code` (its code is
   * `code_enabled` if a secret is in use already), `slow`.
   * @returns the recovery codes, which are shown once
   */
  async confirm(account: string, code: string, from: BrowserInfo): Promise<string[]> {
    return this.#withCode(account, code, from, false, async (tx, { now }) => {
      await this.#parts.factors.confirm(tx, account, now);
      return this.#replaceCodes(tx, account);
    });
  }

  /** Checks a code or a recovery code of a sign-in. Rejects with an `AccountError`: `code`, `slow`. */
  async check(account: string, code: string, from: BrowserInfo): Promise<'totp' | 'recovery'> {
    return this.#withCode(account, code, from, true, async (_tx, { kind }) => kind);
  }

  /** Replaces the recovery codes, after a code. Rejects with an `AccountError`: `code`, `slow`. */
  async renewCodes(account: string, code: string, from: BrowserInfo): Promise<string[]> {
    return this.#withCode(account, code, from, true, (tx) => this.#replaceCodes(tx, account));
  }

  /** Deletes the secret and the recovery codes, after a code. Rejects with an `AccountError`: `code`, `slow`. */
  async disable(account: string, code: string, from: BrowserInfo): Promise<void> {
    await this.#withCode(account, code, from, true, (tx) => this.#parts.factors.delete(tx, account));
  }

  /** Deletes the second factor of an account whose owner lost the device. Returns whether there was one. */
  async reset(input: string, actor: Actor): Promise<{ id: string; email: string; removed: boolean }> {
    const { engine, states, factors } = this.#parts;
    const email = parseEmail(input);
    return engine.writeDurably(async (tx) => {
      const row = await states.byEmail(tx, email);
      if (row === undefined) throw unknownAccountFailure(email);
      const removed = await factors.delete(tx, row.id);
      const entry = { action: 'account.reset-second-factor', subject: row.id, details: { email } };
      if (removed) await record(this.#parts, tx, actor, entry);
      return { id: row.id, email, removed };
    });
  }

  /**
   * Counts an attempt, then uses the code and runs `then` in one transaction: two requests with one code cannot both
   * succeed.
   * @param inUse whether the secret must be in use already
   */
  async #withCode<T>(
    account: string,
    code: string,
    from: BrowserInfo,
    inUse: boolean,
    then: (tx: Tx, usedCode: UsedCode) => Promise<T>,
  ): Promise<T> {
    const { engine, throttle, deviceCookies, clock } = this.#parts;
    const throttleKeys = codeThrottleKeys(
      account,
      deviceCookies.identify(from.known ?? '', account, clock.now()),
    );
    await throttle.consume(throttleKeys);
    const { TOTP, Secret } = await import('otpauth');
    const stepOf = (key: string, token: string): number | null => {
      const timestamp = clock.now();
      const delta = TOTP.validate({ token, secret: Secret.fromBase32(key), timestamp, window: 1 });
      return delta === null ? null : Math.floor(timestamp / stepMs) + delta;
    };
    const outcome = await engine.writeDurably(async (tx) => {
      const kind = await this.#useCode(tx, account, code, inUse, stepOf);
      return kind === null ? null : { result: await then(tx, { now: clock.now(), kind }) };
    });
    if (outcome === null)
      throw new AccountError('code', 'The code is not right, or it was used before. Wait for the next one.');
    await throttle.refund(throttleKeys);
    return outcome.result;
  }

  /** Uses a code, within a write transaction; null if it is not valid. Rejects with an `AccountError` (`code_enabled`). */
  async #useCode(
    tx: Tx,
    account: string,
    code: string,
    inUse: boolean,
    stepOf: (key: string, token: string) => number | null,
  ): Promise<'totp' | 'recovery' | null> {
    const { factors, secret, clock } = this.#parts;
    const row = await factors.find(tx, account);
    if (row === undefined) return null;
    const isConfirmed = row.confirmed_ts !== null;
    if (isConfirmed && !inUse) throw alreadyEnabled();
    if (isConfirmed !== inUse) return null;
    const input = code.slice(0, 100).toLowerCase().replace(/[\s-]/g, '');
    if (/^\d{6}$/.test(input)) {
      const key = secret.decrypt('totp', account, row.secret);
      const step = key === null ? null : stepOf(key, input);
      return step !== null && (await factors.useStep(tx, account, step)) ? 'totp' : null;
    }
    const isRecovery = inUse && recoveryPattern.test(input);
    return isRecovery && (await factors.useCode(tx, account, this.#codeDigest(account, input), clock.now()))
      ? 'recovery'
      : null;
  }

  async #replaceCodes(tx: Tx, account: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, makeRecoveryCode);
    await this.#parts.factors.setCodes(
      tx,
      account,
      codes.map((code) => this.#codeDigest(account, code)),
    );
    return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
  }

  /** A keyed digest without a slow hash: the codes are random, and the key also decrypts the TOTP secrets. */
  #codeDigest(account: string, code: string): string {
    return this.#parts.secret.digest('recovery code', account, code);
  }
}

const makeRecoveryCode = (): string =>
  Array.from({ length: 10 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('');

/** The URI of a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format), and the key to type. */
function describeKey(key: string, email: string, issuer: string): TotpSetup {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const query = new URLSearchParams({ secret: key, issuer }).toString().replaceAll('+', '%20');
  return { key, uri: `otpauth://totp/${label}?${query}` };
}

const alreadyEnabled = (): AccountError =>
  new AccountError('code', 'Codes are required already. Turn them off first to use another device.', {
    code: 'code_enabled',
  });
