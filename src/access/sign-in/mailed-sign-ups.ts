/**
 * Sign-ups of a service that sends mail. The response to a sign-up is the same for every email. The mail differs: it has a
 * link that confirms the address, or says that there is an account already. The account is created when the owner of the
 * address opens the link and types the password again. So a person cannot create an account with the address of another.
 */
import { dayMs } from '../../clock.ts';
import { AccountError } from '../account-error.ts';
import { parseFormEmail, parseFormPassword } from '../account-input.ts';
import { regionPrefix } from '../address-prefixes.ts';
import type { BrowserInfo } from '../device-cookies.ts';
import type { PendingAccounts } from '../pending-accounts.ts';
import type { Services } from '../services.ts';
import type { Session, Sessions } from '../sessions.ts';
import { attemptThrottleKeys, mailThrottleKeys, signUpThrottleKeys } from '../throttle-rules.ts';
import type { OneTimeLinks } from './one-time-links.ts';

/** A sign-up within the limits, before its address is confirmed. */
export type AcceptedSignUp = { email: string; passwordHash: string };
/** What the mail of a sign-up says. */
export type SignUpMail =
  | { kind: 'confirm'; email: string; path: string }
  | { kind: 'exists'; email: string; account: string };

const confirmLifetimeMs = dayMs;

type Dependencies = Services & { requests: PendingAccounts; links: OneTimeLinks; sessions: Sessions };

/** Accepts sign-ups, makes their mails, and creates accounts when their links are opened. */
export class MailedSignUps {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /**
   * Accepts a sign-up within the limits, and hashes its password. Rejects with an `AccountError`: `email`, `password`
   * (invalid), `slow`. It does not look for the account, so the response cannot depend on it.
   */
  async accept(email: string, password: string, address: string): Promise<AcceptedSignUp> {
    const { throttle, passwords } = this.#parts;
    const foldedEmail = parseFormEmail(email);
    const newPassword = parseFormPassword(password, foldedEmail);
    const throttleKeys = signUpThrottleKeys(address);
    await throttle.consume(throttleKeys.allOf, throttleKeys.anyOf);
    // Here a taken email gets the same response as a free one.
    await throttle.refund(throttleKeys.taken);
    return { email: foldedEmail, passwordHash: await passwords.hash(newPassword, regionPrefix(address)) };
  }

  /** Creates the mail of a sign-up; null if the address got too many mails. Call it after the response. */
  async createMail({ email, passwordHash }: AcceptedSignUp): Promise<SignUpMail | null> {
    const { engine, states, links, throttle } = this.#parts;
    return engine.writeDurably(async (tx): Promise<SignUpMail | null> => {
      if ((await throttle.tryConsume(tx, mailThrottleKeys(email))) > 0) return null;
      const row = await states.byEmail(tx, email);
      if (row !== undefined) return { kind: 'exists', email, account: row.id };
      const payload = JSON.stringify({ email, passwordHash });
      const { token } = await links.issue(tx, 'verify', null, payload, confirmLifetimeMs);
      return { kind: 'confirm', email, path: `/account/confirm/${token}` };
    });
  }

  /** Returns the email that a link confirms; null if the link is not valid any more. */
  async find(token: string): Promise<string | null> {
    return (await this.#read(token))?.email ?? null;
  }

  /**
   * Creates the account and signs in. Rejects with an `AccountError`: `credentials` (not the password of the sign-up),
   * `link` (not valid any more), `taken` (the email got an account meanwhile), `slow`.
   */
  async confirm(token: string, password: string, from: BrowserInfo): Promise<Session> {
    const { engine, lifecycle, states, links, sessions, clock } = this.#parts;
    const signUp = await this.#verify(token, password, from.address);
    const account = await engine.writeDurably(async (tx) => {
      if ((await links.take(tx, 'verify', token)) === null) throw voidLink();
      const row = await lifecycle.insert(tx, signUp.email, 'free', signUp.passwordHash);
      if (row === null) throw takenEmail();
      await states.setVerified(tx, row.id, clock.now());
      return row;
    });
    return sessions.open(account.id, from);
  }

  /**
   * With `--registration approval`: stores the confirmed sign-up for the operator, and returns its email. Rejects with an
   * `AccountError`, as `confirm` does; `slow` also if too many people wait.
   */
  async confirmRequest(token: string, password: string, address: string): Promise<string> {
    const { engine, states, requests, links } = this.#parts;
    const signUp = await this.#verify(token, password, address);
    await engine.writeDurably(async (tx) => {
      if ((await links.take(tx, 'verify', token)) === null) throw voidLink();
      if ((await states.byEmail(tx, signUp.email)) !== undefined) throw takenEmail();
      await requests.replace(tx, signUp.email, signUp.passwordHash, address);
    });
    return signUp.email;
  }

  async #read(token: string): Promise<AcceptedSignUp | null> {
    const { engine, links } = this.#parts;
    const link = await engine.read((tx) => links.find(tx, 'verify', token));
    return link?.payload == null ? null : (JSON.parse(link.payload) as AcceptedSignUp);
  }

  async #verify(token: string, password: string, address: string): Promise<AcceptedSignUp> {
    const { passwords, throttle } = this.#parts;
    const throttleKeys = attemptThrottleKeys(address);
    await throttle.consume(throttleKeys);
    const signUp = await this.#read(token);
    if (signUp === null) throw voidLink();
    const candidate = password.length > 4_000 ? '' : password;
    if (!(await passwords.matches(signUp.passwordHash, candidate, regionPrefix(address))))
      throw new AccountError('credentials', 'This is not the password that you chose when you signed up.', {
        code: 'credentials_of_sign_up',
      });
    await throttle.refund(throttleKeys);
    return signUp;
  }
}

/** Thrown within the transaction: the link stays, so that its page can say why. */
const takenEmail = (): AccountError =>
  new AccountError('taken', 'There is an account with this email already. Sign in to it.');

const voidLink = (): AccountError =>
  new AccountError('link', 'This link was used, or is more than a day old. Sign up again.');
