/**
 * The logins at OpenID providers that are linked to an account, and unlinking them. After an unlink, the address of the
 * account counts as not confirmed: a later sign-in with the login asks for the password of the account (`ExternalLogins`)
 * instead of linking it again.
 */
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import type { AccountStateRow } from '../../store/access/account-states.ts';
import type { ExternalLoginRow } from '../../store/access/external-logins.ts';
import type { Tx } from '../../store/engine/engine.ts';
import { AccountError } from '../account-error.ts';
import { parseEmail, unknownAccountFailure } from '../account-input.ts';
import { digestOf } from '../hashing.ts';
import { type Base, record } from '../parts.ts';

/** A login at an OpenID provider. */
export type LinkedLogin = {
  /** login_…: identifies the login to its owner and to operators; it is not a credential. */
  id: string;
  issuer: string;
  /** The email at the provider. */
  email: string;
  createdTs: number;
  lastUsedTs: number | null;
};
/** The ways to sign in that the service offers. */
export type OfferedWays = {
  passwords: boolean;
  passkeys: boolean;
  /** The issuer of the OpenID provider; null: the service has none. */
  issuer: string | null;
};
export type UnlinkedLogin = { id: string; email: string; issuer: string; login_email: string };

/** Returns the id of a login; the subject at the provider stays private. */
export const loginId = ({ issuer, subject }: Pick<ExternalLoginRow, 'issuer' | 'subject'>): string =>
  `login_${digestOf(JSON.stringify([issuer, subject])).slice(0, 16)}`;

/** Lists and unlinks the logins of accounts. */
export class LinkedLogins {
  readonly #parts: Base;

  constructor(parts: Base) {
    this.#parts = parts;
  }

  /** Returns the logins of an account, oldest first. */
  async list(account: string): Promise<LinkedLogin[]> {
    const { engine, logins } = this.#parts;
    const rows = await engine.read((tx) => logins.ofAccount(tx, account));
    return rows.map((row) => ({
      id: loginId(row),
      issuer: row.issuer,
      email: row.email,
      createdTs: row.created_ts,
      lastUsedTs: row.last_used_ts,
    }));
  }

  /** Whether the owner can sign in without this login. */
  hasOtherWay(account: string, login: string, offered: OfferedWays): Promise<boolean> {
    return this.#parts.engine.read((tx) => this.#hasOtherWay(tx, account, login, offered));
  }

  /**
   * Unlinks a login of a signed-in owner; false if the account has no such login. Rejects with an `AccountError`:
   * `only_way` (the owner could not sign in any more).
   */
  unlinkOwn(account: { id: string; email: string }, login: string, offered: OfferedWays): Promise<boolean> {
    const { engine, logins, states } = this.#parts;
    return engine.writeDurably(async (tx) => {
      const row = (await logins.ofAccount(tx, account.id)).find((one) => loginId(one) === login);
      const owner = await states.byId(tx, account.id);
      if (row === undefined || owner === undefined) return false;
      if (!(await this.#hasOtherWay(tx, account.id, login, offered))) {
        throw new AccountError(
          'only_way',
          'You have no other way to sign in. Add one first, then unlink this login.',
        );
      }
      await this.#unlink(tx, owner, row, `account:${account.email}`);
      return true;
    });
  }

  /** Unlinks a login for an operator, also the last way to sign in. Throws a `Failure` for an unknown account or login. */
  async unlink(input: string, login: string, actor: Actor): Promise<UnlinkedLogin> {
    const { engine, logins, states } = this.#parts;
    const email = parseEmail(input);
    return engine.writeDurably(async (tx) => {
      const owner = await states.byEmail(tx, email);
      if (owner === undefined) throw unknownAccountFailure(email);
      const row = (await logins.ofAccount(tx, owner.id)).find((one) => loginId(one) === login);
      if (row === undefined) {
        throw new Failure(
          `${email} has no login with the id ${JSON.stringify(login)}. \`cratebase accounts show ${email}\` shows all.`,
        );
      }
      await this.#unlink(tx, owner, row, actor);
      return { id: login, email, issuer: row.issuer, login_email: row.email };
    });
  }

  async #hasOtherWay(tx: Tx, account: string, login: string, offered: OfferedWays): Promise<boolean> {
    const { logins, passkeyStore, states } = this.#parts;
    if (offered.passwords && (await states.byId(tx, account))?.password_hash != null) return true;
    if (offered.passkeys && (await passkeyStore.ofAccount(tx, account)).length > 0) return true;
    const { issuer } = offered;
    if (issuer === null) return false;
    return (await logins.ofAccount(tx, account)).some(
      (row) => loginId(row) !== login && isSameIssuer(row.issuer, issuer),
    );
  }

  async #unlink(
    tx: Tx,
    owner: AccountStateRow,
    { issuer, subject, email }: ExternalLoginRow,
    actor: Actor,
  ): Promise<void> {
    const { logins, states } = this.#parts;
    await logins.delete(tx, issuer, subject);
    await states.clearVerified(tx, owner.id);
    await record(this.#parts, tx, actor, {
      action: 'account.unlink-login',
      subject: owner.id,
      details: { email: owner.email, issuer, login: email },
    });
  }
}

/** Whether two issuers are the same; settings may have a slash at the end that the provider leaves out. */
export const isSameIssuer = (one: string, other: string): boolean =>
  one.replace(/\/$/, '') === other.replace(/\/$/, '');
