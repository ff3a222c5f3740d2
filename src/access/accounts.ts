/** Accounts as operators manage them: creation, plan, role, limits, password, suspension and deletion. */

import { formatUtc } from '../clock.ts';
import { windowSeconds } from '../contract/plans.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import type { AccountFilter, AccountRow } from '../store/access/accounts.ts';
import type { Tx } from '../store/engine/engine.ts';
import {
  parseAccountLimit,
  parseEmail,
  parseNewEmail,
  parsePassword,
  parsePlan,
  parseRole,
  unknownAccountFailure,
} from './account-input.ts';
import {
  type Account,
  type AccountDetails,
  type AppSummary,
  type OwnLimits,
  ownLimitsOf,
  summarizeApp,
  summarizeBrowser,
  toAccount,
} from './account-summaries.ts';
import { toApiKeySummary } from './api-key-summary.ts';
import type { ConnectedApps } from './connected-apps.ts';
import { hashPassword } from './hashing.ts';
import { record } from './parts.ts';
import type { PlanLimits } from './plan-limits.ts';
import { limitsOf } from './plan-schedule.ts';
import type { Services } from './services.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import type { UsageHistory } from './usage-history.ts';
import { usagePeriodAt } from './usage-period.ts';

export type NewAccountInput = {
  email: string;
  plan?: string | undefined;
  password?: string | undefined;
  /** `user` by default. */
  role?: string | undefined;
};

type Dependencies = Services & {
  apps: ConnectedApps;
  sessions: Sessions;
  history: UsageHistory;
  plans: PlanLimits;
  signIn: SignIn;
};

/**
 * The accounts, for the terminal and the console. Methods that take the email of an account throw a `Failure` if it
 * is no email or has no account. With an `actor`, a change adds an entry to the audit log.
 */
export class Accounts {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** Creates an account, on the Free plan by default. Without a password it cannot sign in. Fails if the email has an account. */
  async create(input: NewAccountInput, actor?: Actor): Promise<Account> {
    const email = parseNewEmail(input.email);
    const plan = parsePlan(input.plan ?? 'free');
    const role = parseRole(input.role ?? 'user');
    const hash =
      input.password === undefined ? null : await hashPassword(parsePassword(input.password, email));
    const account = await this.#parts.engine.writeDurably(async (tx) => {
      const row = await this.#parts.lifecycle.insert(tx, email, plan, hash);
      if (row === null) return null;
      if (role !== 'user') await this.#parts.accounts.setRole(tx, row.id, role);
      const details = role === 'user' ? { plan } : { plan, role };
      await record(this.#parts, tx, actor, { action: 'account.create', subject: row.id, details });
      return { ...row, role };
    });
    if (account === null) {
      throw new Failure(
        `There is an account ${email} already. \`cratebase accounts show ${email}\` shows it.`,
        1,
        { field: 'email', code: 'email_taken', value: email },
      );
    }
    return toAccount(account);
  }

  /** Returns all accounts, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.#parts.engine.read((tx) => this.#parts.accounts.all(tx))).map(toAccount);
  }

  /** Returns one account with its keys, apps, sessions and usage. */
  async show(input: string): Promise<AccountDetails> {
    const email = parseEmail(input);
    const period = usagePeriodAt(this.#parts.clock.now());
    const row = await this.#parts.engine.read((tx) => this.#parts.accounts.byEmail(tx, email));
    if (row === undefined) throw unknownAccountFailure(email);
    const keys = await this.#parts.engine.read((tx) => this.#parts.keys.ofAccount(tx, email));
    const used = await this.#parts.engine.read((tx) =>
      this.#parts.accounts.usedInMonth(tx, row.id, period.month),
    );
    const apps = await this.#parts.apps.list(row.id);
    const browsers = await this.#parts.sessions.list(row.id);
    const history = await this.#parts.history.forAccount(row.id);
    const { plans } = await this.#parts.plans.inForce();
    const limits = limitsOf(row, plans[row.plan]);
    return {
      ...toAccount(row),
      sign_in: await this.#parts.signIn.methodsOf(row.id),
      keys: keys.map(toApiKeySummary),
      connected_apps: apps.map(summarizeApp),
      sessions: browsers.map(summarizeBrowser),
      usage: {
        month: period.month,
        used,
        quota: limits.quota,
        remaining: Math.max(0, limits.quota - used),
        resets_at: formatUtc(period.monthEnd),
        window: limits.window,
        window_seconds: windowSeconds,
      },
      own_limits: ownLimitsOf(row),
      history: { days: history?.days ?? [], months: history?.months ?? [] },
    };
  }

  /** Changes the plan, from the next request on in every process. */
  async setPlan(email: string, plan: string, actor?: Actor): Promise<Account> {
    const name = parsePlan(plan);
    const change = (tx: Tx, row: AccountRow) => this.#parts.accounts.setPlan(tx, row.email, name);
    return this.#change(email, change, { actor, action: 'account.set-plan', fields: ['plan'] });
  }

  /**
   * Changes the role. The next request of each session has the new one. Fails if no operator would be left, unless
   * `force` is set.
   */
  async setRole(email: string, role: string, actor: Actor, { force = false } = {}): Promise<Account> {
    const name = parseRole(role);
    const change = async (tx: Tx, row: AccountRow) => {
      if (name !== 'operator' && !force) await this.#refuseIfLastOperator(tx, row, actor);
      await this.#parts.accounts.setRole(tx, row.id, name);
    };
    return this.#change(email, change, { actor, action: 'account.set-role', fields: ['role'] });
  }

  /**
   * Suspends an account: every credential of it is refused from the next request on. Fails if it is suspended already,
   * if the actor would suspend itself, or if no operator would be left and `force` is not set.
   */
  async suspend(
    email: string,
    { reason = '', force = false }: { reason?: string; force?: boolean },
    actor: Actor,
  ): Promise<Account> {
    const change = async (tx: Tx, row: AccountRow) => {
      if (actor === `account:${row.email}`)
        throw new Failure('This is your own account. Ask another operator to suspend it.');
      if (row.suspended_ts !== null) throw new Failure(`${row.email} is suspended already.`);
      if (!force) await this.#refuseIfLastOperator(tx, row, actor);
      await this.#parts.accounts.setSuspended(tx, row.id, this.#parts.clock.now());
    };
    const details = reason === '' ? {} : { reason };
    const action = 'account.suspend';
    return this.#change(email, change, { actor, action, fields: ['suspended_ts'], details });
  }

  /** Ends the suspension. Keys, apps and sessions that have not expired work again. */
  async unsuspend(email: string, actor: Actor): Promise<Account> {
    const change = async (tx: Tx, row: AccountRow) => {
      if (row.suspended_ts === null) throw new Failure(`${row.email} is not suspended.`);
      await this.#parts.accounts.setSuspended(tx, row.id, null);
    };
    return this.#change(email, change, { actor, action: 'account.unsuspend', fields: ['suspended_ts'] });
  }

  /** Sets a new password (`parsePassword`), and ends all sessions of the account and links for a new password. */
  async setPassword(email: string, password: string, actor?: Actor): Promise<Account> {
    const hash = await hashPassword(parsePassword(password, parseEmail(email)));
    const change = async (tx: Tx, row: AccountRow) => {
      await this.#parts.accounts.setPassword(tx, row.email, hash);
      await this.#parts.sessionStore.deleteOthers(tx, row.id, '');
      await this.#parts.linkStore.deleteOf(tx, row.id, 'reset');
    };
    return this.#change(email, change, { actor, action: 'account.set-password' });
  }

  /**
   * Sets limits that replace the plan's: requests per window and key, and requests per month. Null means the plan's
   * limit; a member that is left out stays.
   */
  async setLimits(email: string, limits: Partial<OwnLimits>, actor?: Actor): Promise<Account & OwnLimits> {
    const changes = {
      window: limits.window === undefined ? undefined : parseAccountLimit('window', limits.window),
      quota: limits.quota === undefined ? undefined : parseAccountLimit('quota', limits.quota),
    };
    let after: OwnLimits = { window: null, quota: null };
    const change = async (tx: Tx, row: AccountRow) => {
      const before = ownLimitsOf(row);
      const { window = before.window, quota = before.quota } = changes;
      after = { window, quota };
      await this.#parts.accounts.setLimits(tx, row.email, window, quota);
    };
    const fields = ['window_limit', 'quota_limit'] as const;
    const account = await this.#change(email, change, { actor, action: 'account.set-limits', fields });
    return { ...account, ...after };
  }

  /** Ends all browser sessions of the account; `sessions` is their number. */
  async signOut(email: string, actor?: Actor): Promise<Account & { sessions: number }> {
    let sessions = 0;
    const change = async (tx: Tx, row: AccountRow) => {
      sessions = await this.#parts.sessionStore.deleteOthers(tx, row.id, '');
    };
    const account = await this.#change(email, change, { actor, action: 'account.sign-out' });
    return { ...account, sessions };
  }

  /**
   * Disconnects an app of the account from its next request on, and returns it.
   * @param input the email of the account
   * @throws Failure if there is no such account, or it has no app with this id
   */
  async disconnect(input: string, id: string, actor: Actor): Promise<AppSummary> {
    const email = parseEmail(input);
    return this.#parts.engine.writeDurably(async (tx) => {
      const row = await this.#parts.accounts.byEmail(tx, email);
      if (row === undefined) throw unknownAccountFailure(email);
      const app = await this.#parts.apps.disconnectIn(tx, row.id, id);
      if (app === null)
        throw new Failure(
          `${email} has no app with the id ${JSON.stringify(id)}. \`cratebase accounts show ${email}\` shows all.`,
        );
      await record(this.#parts, tx, actor, {
        action: 'account.disconnect-app',
        subject: row.id,
        details: { app: id, name: app.name },
      });
      return summarizeApp(app);
    });
  }

  /** Revokes a key of the account with this id, and returns its name. */
  async revokeKey(account: string, key: string, actor: Actor): Promise<string> {
    return this.#parts.engine.writeDurably(async (tx) => {
      const [owner, row] = [
        await this.#parts.accounts.byId(tx, account),
        await this.#parts.keys.findOwned(tx, account, key),
      ];
      if (owner === undefined || row === undefined) throw new Failure('The account has no such key.');
      if (row.revoked_ts !== null) throw new Failure(`The key ${row.name} is revoked already.`);
      await this.#parts.keys.revoke(tx, key, this.#parts.clock.now());
      await record(this.#parts, tx, actor, {
        action: 'account.revoke-key',
        subject: owner.id,
        details: { key, name: row.name },
      });
      return row.name;
    });
  }

  /**
   * Deletes the account with all its data, and returns it. Its keys stop working at the next request. Fails if no
   * operator would be left, unless `force` is set.
   */
  async delete(email: string, actor?: Actor, { force = false } = {}): Promise<Account> {
    const change = async (tx: Tx, row: AccountRow) => {
      if (!force) await this.#refuseIfLastOperator(tx, row, actor);
      await this.#parts.lifecycle.delete(tx, row);
    };
    return this.#change(email, change, { actor, action: 'account.delete' });
  }

  /** Returns the account with this email on this plan; creates it if necessary. */
  async ensure(input: string, plan: string): Promise<Account> {
    const email = parseNewEmail(input);
    const name = parsePlan(plan);
    const row = await this.#parts.engine.writeDurably(async (tx) => {
      if ((await this.#parts.lifecycle.insert(tx, email, name, null)) === null)
        await this.#parts.accounts.setPlan(tx, email, name);
      return (await this.#parts.accounts.byEmail(tx, email)) as AccountRow;
    });
    return toAccount(row);
  }

  /** Whether there is an account with this email. */
  async exists(email: string): Promise<boolean> {
    return (await this.#parts.engine.read((tx) => this.#parts.accounts.byEmail(tx, email))) !== undefined;
  }

  /** Returns the email of the account with an id; undefined if there is none. */
  async emailOf(id: string): Promise<string | undefined> {
    return (await this.#parts.engine.read((tx) => this.#parts.accounts.byId(tx, id)))?.email;
  }

  /** Returns a page of accounts whose email contains a text, newest first, and the number of all. */
  async search(filter: AccountFilter): Promise<{ accounts: Account[]; total: number }> {
    const { rows, total } = await this.#parts.engine.read((tx) => this.#parts.accounts.search(tx, filter));
    return { accounts: rows.map(toAccount), total };
  }

  async #refuseIfLastOperator(tx: Tx, row: AccountRow, actor: Actor | undefined): Promise<void> {
    if (!(await this.#parts.accounts.isOnlyOperator(tx, row))) return;
    const advice = actor?.startsWith('terminal:') ? ', or repeat the command with --force' : '';
    throw new Failure(
      `${row.email} is the only operator. Give another account the role operator first${advice}.`,
    );
  }

  /** Applies a change and returns the account; if the change deleted it, as it was before. */
  async #change(
    input: string,
    change: (tx: Tx, row: AccountRow) => Promise<void>,
    entry: ChangeEntry,
  ): Promise<Account> {
    const email = parseEmail(input);
    const row = await this.#parts.engine.writeDurably(async (tx) => {
      const before = await this.#parts.accounts.byEmail(tx, email);
      if (before === undefined) throw unknownAccountFailure(email);
      await change(tx, before);
      const after = (await this.#parts.accounts.byEmail(tx, email)) ?? before;
      const { actor, action, fields = [] } = entry;
      const values = (of: AccountRow) => Object.fromEntries(fields.map((name) => [name, of[name]]));
      const changes = fields.length === 0 ? {} : { before: values(before), after: values(after) };
      const details = { ...changes, ...entry.details };
      await record(this.#parts, tx, actor, { action, subject: before.id, details });
      return after;
    });
    return toAccount(row);
  }
}

/** The entry of a change in the audit log: without an actor, none is written; `fields` have their values before and after. */
type ChangeEntry = {
  actor: Actor | undefined;
  action: string;
  fields?: readonly (keyof AccountRow)[];
  details?: Record<string, unknown>;
};
