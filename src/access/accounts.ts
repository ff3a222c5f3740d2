/** Accounts: made, shown, changed, deleted (cli.md, `accounts`). */
import type { Clock } from '../clock.ts';
import { type Plan, windowSeconds } from '../contract/plans.ts';
import { Failure } from '../failure.ts';
import type { AccountRow, AccountStore } from '../store/accounts.ts';
import type { KeyStore } from '../store/keys.ts';
import { utc } from '../store/show.ts';
import type { Transactions } from '../store/transactions.ts';
import { hashPassword } from './hashing.ts';
import { readEmail, readLimit, readPassword, readPlan, unknownAccount } from './input.ts';
import { randomId } from './key-format.ts';
import { type KeySummary, summarize } from './keys.ts';
import { limitsOf } from './limits.ts';
import { periodOf } from './period.ts';

export type Account = { id: string; email: string; plan: Plan; created_at: string };
/** This month's usage, and the limits that hold: the account's own, or its plan's. */
export type Usage = {
  /** yyyy-mm, UTC */
  month: string;
  used: number;
  quota: number;
  remaining: number;
  resets_at: string;
  /** Requests that each key may make per `window_seconds`. */
  window: number;
  window_seconds: number;
};
export type AccountDetails = Account & { keys: KeySummary[]; connected_apps: []; usage: Usage };
export type NewAccountInput = { email: string; plan?: string | undefined; password?: string | undefined };

export class Accounts {
  readonly #transactions: Transactions;
  readonly #accounts: AccountStore;
  readonly #keys: KeyStore;
  readonly #clock: Clock;

  constructor(transactions: Transactions, accounts: AccountStore, keys: KeyStore, clock: Clock) {
    this.#transactions = transactions;
    this.#accounts = accounts;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** A new account, Free unless a plan is named; without a password it cannot sign in. Fails where the email has one. */
  async create(input: NewAccountInput): Promise<Account> {
    const email = readEmail(input.email);
    const plan = readPlan(input.plan ?? 'free');
    const hash = input.password === undefined ? null : await hashPassword(readPassword(input.password));
    const made = await this.#transactions.write(() =>
      this.#insert(email, plan, hash) ? this.#accounts.byEmail(email) : undefined,
    );
    if (made === undefined) {
      throw new Failure(
        `There is an account ${email} already. \`cratebase accounts show ${email}\` shows it.`,
      );
    }
    return show(made);
  }

  /** All accounts, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.#transactions.read(() => this.#accounts.all())).map(show);
  }

  /** One account with its keys and this month's usage. */
  async show(given: string): Promise<AccountDetails> {
    const email = readEmail(given);
    const period = periodOf(this.#clock.now());
    const row = await this.#transactions.read(() => this.#accounts.byEmail(email));
    if (row === undefined) throw unknownAccount(email);
    const keys = await this.#transactions.read(() => this.#keys.ofAccount(email));
    const used = await this.#transactions.read(() => this.#accounts.used(row.id, period.month));
    const limits = limitsOf(row);
    return {
      ...show(row),
      keys: keys.map(summarize),
      connected_apps: [],
      usage: {
        month: period.month,
        used,
        quota: limits.quota,
        remaining: Math.max(0, limits.quota - used),
        resets_at: utc(period.monthEnd),
        window: limits.window,
        window_seconds: windowSeconds,
      },
    };
  }

  /** Holds from the next request on, in every process. */
  async setPlan(email: string, plan: string): Promise<Account> {
    const name = readPlan(plan);
    return this.#change(email, (folded) => this.#accounts.setPlan(folded, name));
  }

  /** Ten characters at least. */
  async setPassword(email: string, password: string): Promise<Account> {
    const hash = await hashPassword(readPassword(password));
    return this.#change(email, (folded) => this.#accounts.setPassword(folded, hash));
  }

  /** Own limits in place of the plan's: requests per window and key, requests per month. Null: the plan's. */
  async setLimits(email: string, limits: { window: number | null; quota: number | null }): Promise<Account> {
    const window = readLimit('window', limits.window);
    const quota = readLimit('quota', limits.quota);
    return this.#change(email, (folded) => this.#accounts.setLimits(folded, window, quota));
  }

  /** Deletes the account with its keys (they stop at the next request) and its usage; gives what it was. */
  async delete(email: string): Promise<Account> {
    return this.#change(email, (folded) => this.#accounts.delete(folded));
  }

  /** The account with this email on this plan, made where there is none. */
  async ensure(given: string, plan: string): Promise<Account> {
    const email = readEmail(given);
    const name = readPlan(plan);
    const row = await this.#transactions.write(() => {
      if (!this.#insert(email, name, null)) this.#accounts.setPlan(email, name);
      return this.#accounts.byEmail(email) as AccountRow;
    });
    return show(row);
  }

  #insert(email: string, plan: Plan, hash: string | null): boolean {
    const id = randomId('acc');
    return this.#accounts.insert({ id, email, plan, password_hash: hash, created_ts: this.#clock.now() });
  }

  /** The account after the change; as it was, where the change deleted it. */
  async #change(given: string, change: (email: string) => void): Promise<Account> {
    const email = readEmail(given);
    const row = await this.#transactions.write(() => {
      const before = this.#accounts.byEmail(email);
      if (before === undefined) throw unknownAccount(email);
      change(email);
      return this.#accounts.byEmail(email) ?? before;
    });
    return show(row);
  }
}

function show(row: AccountRow): Account {
  return { id: row.id, email: row.email, plan: row.plan, created_at: utc(row.created_ts) };
}
