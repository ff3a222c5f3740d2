/**
 * Links that make one account an operator, once. `serve` prints one when it starts on a file without an operator;
 * `accounts operator-link` prints one at any time. The file holds only the SHA-256 of the token.
 */
import { randomBytes } from 'node:crypto';
import { formatUtc } from '../clock.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import type { AccountRow } from '../store/access/accounts.ts';
import type { Tx } from '../store/engine/engine.ts';
import { AccountError } from './account-error.ts';
import { parseFormEmail, parseFormPassword } from './account-input.ts';
import { type Account, toAccount } from './account-summaries.ts';
import { regionPrefix } from './address-prefixes.ts';
import { digestOf } from './hashing.ts';
import { record } from './parts.ts';
import type { Services } from './services.ts';

/** How long a link is valid, in ms. */
export const operatorLinkMs = 3_600_000;
const tokenPattern = /^op_[\w-]{43}$/;
const purpose = 'operator';
/** The payload of a link that `serve` printed: it is valid only while there is no operator. */
const firstOnly = 'first';

export type OperatorLink = { token: string; expires_at: string };

/** Creates, checks and uses up links that make an account an operator. */
export class OperatorLinks {
  readonly #parts: Services;

  constructor(parts: Services) {
    this.#parts = parts;
  }

  /**
   * Creates a link for the first operator; null if there is an operator that is not suspended.
   * @param keepsEarlier whether earlier links stay valid until one is used: other nodes of a cluster printed them.
   *   Otherwise they are deleted
   */
  async createFirst(keepsEarlier = false): Promise<OperatorLink | null> {
    const { engine, accounts, linkStore } = this.#parts;
    return engine.write(async (tx) => {
      const hasOperator = (await accounts.countOperators(tx)) > 0;
      if (hasOperator || !keepsEarlier) await linkStore.deleteWith(tx, firstOnly, purpose);
      return hasOperator ? null : await this.#insert(tx, firstOnly);
    });
  }

  /** Creates a link for another operator, or for one who cannot sign in any more. */
  async create(actor: Actor): Promise<OperatorLink> {
    return this.#parts.engine.writeDurably(async (tx) => {
      await record(this.#parts, tx, actor, { action: 'account.operator-link', subject: 'operator' });
      return await this.#insert(tx, null);
    });
  }

  /** Whether the token of a link is valid. */
  isValid(token: string | undefined): Promise<boolean> {
    return this.#parts.engine.read((tx) => this.#isValid(tx, token));
  }

  /** Whether an account with the role operator exists that is not suspended. */
  hasOperator(): Promise<boolean> {
    return this.#parts.engine.read(async (tx) => (await this.#parts.accounts.countOperators(tx)) > 0);
  }

  /** Makes an account the operator and uses the link up. Fails if the link is not valid any more. */
  async claimFor(token: string, accountId: string): Promise<Account> {
    const { engine, accounts } = this.#parts;
    return engine.writeDurably(async (tx) => {
      const row = await accounts.byId(tx, accountId);
      if (row === undefined) throw new Failure('This account does not exist any more. Sign in again.');
      return await this.#claim(tx, token, row);
    });
  }

  /**
   * Creates an account with the role operator and uses the link up. Rejects with an `AccountError`: `email`, `password`
   * (invalid), `taken` (the email has an account: sign in to it first); and with a `Failure` if the link is not valid any
   * more.
   */
  async claimForNew(token: string, email: string, password: string, address: string): Promise<Account> {
    const { engine, lifecycle, passwords } = this.#parts;
    const foldedEmail = parseFormEmail(email);
    const newPassword = parseFormPassword(password, foldedEmail);
    if (!(await this.isValid(token))) throw invalidLink();
    const passwordHash = await passwords.hash(newPassword, regionPrefix(address));
    return engine.writeDurably(async (tx) => {
      if (!(await this.#isValid(tx, token))) throw invalidLink();
      const row = await lifecycle.insert(tx, foldedEmail, 'free', passwordHash);
      if (row === null)
        throw new AccountError('taken', 'There is an account with this email. Sign in to it first.');
      return await this.#claim(tx, token, row);
    });
  }

  async #claim(tx: Tx, token: string, row: AccountRow): Promise<Account> {
    const { accounts, linkStore } = this.#parts;
    if (!(await this.#isValid(tx, token))) throw invalidLink();
    await linkStore.delete(tx, digestOf(token), purpose);
    // An operator who is deleted or suspended later must not bring an earlier link back.
    await linkStore.deleteWith(tx, firstOnly, purpose);
    await accounts.setRole(tx, row.id, 'operator');
    await record(this.#parts, tx, `account:${row.email}`, {
      action: 'account.set-role',
      subject: row.id,
      details: { before: { role: row.role }, after: { role: 'operator' }, by: 'one-time link' },
    });
    return toAccount({ ...row, role: 'operator' });
  }

  async #isValid(tx: Tx, token: string | undefined): Promise<boolean> {
    const { linkStore, accounts, clock } = this.#parts;
    if (token === undefined || !tokenPattern.test(token)) return false;
    const link = await linkStore.find(tx, digestOf(token), purpose);
    if (link === undefined || link.expires_ts <= clock.now()) return false;
    return link.payload !== firstOnly || (await accounts.countOperators(tx)) === 0;
  }

  async #insert(tx: Tx, payload: string | null): Promise<OperatorLink> {
    const { linkStore, clock } = this.#parts;
    const now = clock.now();
    await linkStore.prune(tx, now);
    const token = `op_${randomBytes(32).toString('base64url')}`;
    const expires = now + operatorLinkMs;
    await linkStore.insert(tx, {
      token_hash: digestOf(token),
      purpose,
      account_id: null,
      payload,
      created_ts: now,
      expires_ts: expires,
    });
    return { token, expires_at: formatUtc(expires) };
  }
}

const invalidLink = (): Failure =>
  new Failure(
    'This link was used, has expired, or there is an operator already. `cratebase accounts operator-link` prints another one.',
  );
