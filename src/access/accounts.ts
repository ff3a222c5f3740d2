/** Accounts: made, shown, changed, deleted (docs/spec/command-line.md#commands). */
import type { Clock } from '../clock.ts';
import { type Plan, windowSeconds } from '../contract/plans.ts';
import { Failure } from '../failure.ts';
import type { AccountRow, AccountStore } from '../store/accounts.ts';
import type { KeyStore } from '../store/keys.ts';
import type { SessionStore } from '../store/sessions.ts';
import { utc } from '../store/show.ts';
import type { Transactions } from '../store/transactions.ts';
import type { App, Apps } from './apps.ts';
import { hashPassword } from './hashing.ts';
import { readEmail, readLimit, readNewEmail, readPassword, readPlan, unknownAccount } from './input.ts';
import { type KeySummary, summarize } from './keys.ts';
import { limitsOf } from './limits.ts';
import type { Membership } from './membership.ts';
import { periodOf } from './period.ts';
import type { SessionSummary, Sessions } from './sessions.ts';
import type { UsageHistory, UsagePoint } from './usage.ts';

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
/** What an account used of late, REST and MCP apart, the oldest first. */
export type UsageSeries = {
  /** The last 30 days ('yyyy-mm-dd'). */
  days: UsagePoint[];
  /** The last 12 months ('yyyy-mm'). */
  months: UsagePoint[];
};
/** A browser that is signed in. */
export type BrowserSummary = {
  id: string;
  address: string;
  user_agent: string;
  created_at: string;
  last_used_at: string;
};
/** A connected app, as the terminal shows it. */
export type AppSummary = {
  id: string;
  name: string;
  host: string | null;
  verified: boolean;
  scopes: string[];
  created_at: string;
  last_used_at: string | null;
};
export type AccountDetails = Account & {
  keys: KeySummary[];
  connected_apps: AppSummary[];
  sessions: BrowserSummary[];
  usage: Usage;
  history: UsageSeries;
};
export type NewAccountInput = { email: string; plan?: string | undefined; password?: string | undefined };

type AccountParts = {
  transactions: Transactions;
  accounts: AccountStore;
  keys: KeyStore;
  membership: Membership;
  sessions: SessionStore;
  apps: Apps;
  browsers: Sessions;
  history: UsageHistory;
  clock: Clock;
};

export class Accounts {
  readonly #transactions: Transactions;
  readonly #accounts: AccountStore;
  readonly #keys: KeyStore;
  readonly #membership: Membership;
  readonly #sessions: SessionStore;
  readonly #apps: Apps;
  readonly #browsers: Sessions;
  readonly #history: UsageHistory;
  readonly #clock: Clock;

  constructor(parts: AccountParts) {
    this.#transactions = parts.transactions;
    this.#accounts = parts.accounts;
    this.#keys = parts.keys;
    this.#membership = parts.membership;
    this.#sessions = parts.sessions;
    this.#apps = parts.apps;
    this.#browsers = parts.browsers;
    this.#history = parts.history;
    this.#clock = parts.clock;
  }

  /** A new account, Free unless a plan is named; without a password it cannot sign in. Fails where the email has one. */
  async create(input: NewAccountInput): Promise<Account> {
    const email = readNewEmail(input.email);
    const plan = readPlan(input.plan ?? 'free');
    const hash =
      input.password === undefined ? null : await hashPassword(readPassword(input.password, email));
    const made = await this.#transactions.writeDurably(() => this.#membership.insert(email, plan, hash));
    if (made === null) {
      throw new Failure(
        `There is an account ${email} already. \`cratebase accounts show ${email}\` shows it.`,
      );
    }
    return showAccount(made);
  }

  /** All accounts, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.#transactions.read(() => this.#accounts.all())).map(showAccount);
  }

  /** One account with its keys, apps, sessions, and what it used. */
  async show(given: string): Promise<AccountDetails> {
    const email = readEmail(given);
    const period = periodOf(this.#clock.now());
    const row = await this.#transactions.read(() => this.#accounts.byEmail(email));
    if (row === undefined) throw unknownAccount(email);
    const keys = await this.#transactions.read(() => this.#keys.ofAccount(email));
    const used = await this.#transactions.read(() => this.#accounts.used(row.id, period.month));
    const apps = await this.#apps.list(row.id);
    const browsers = await this.#browsers.list(row.id);
    const history = await this.#history.of(row.id);
    const limits = limitsOf(row);
    return {
      ...showAccount(row),
      keys: keys.map(summarize),
      connected_apps: apps.map(summarizeApp),
      sessions: browsers.map(summarizeBrowser),
      usage: {
        month: period.month,
        used,
        quota: limits.quota,
        remaining: Math.max(0, limits.quota - used),
        resets_at: utc(period.monthEnd),
        window: limits.window,
        window_seconds: windowSeconds,
      },
      history: { days: history?.days ?? [], months: history?.months ?? [] },
    };
  }

  /** Holds from the next request on, in every process. */
  async setPlan(email: string, plan: string): Promise<Account> {
    const name = readPlan(plan);
    return this.#change(email, (row) => this.#accounts.setPlan(row.email, name));
  }

  /** Sets a new password, under the rules of `readPassword`, and ends every session of the account. */
  async setPassword(email: string, password: string): Promise<Account> {
    const hash = await hashPassword(readPassword(password, readEmail(email)));
    return this.#change(email, (row) => {
      this.#accounts.setPassword(row.email, hash);
      this.#sessions.deleteOthers(row.id, '');
    });
  }

  /** Own limits in place of the plan's: requests per window and key, requests per month. Null: the plan's. */
  async setLimits(email: string, limits: { window: number | null; quota: number | null }): Promise<Account> {
    const window = readLimit('window', limits.window);
    const quota = readLimit('quota', limits.quota);
    return this.#change(email, (row) => this.#accounts.setLimits(row.email, window, quota));
  }

  /** Ends all its sessions in browsers; `sessions` says how many there were. */
  async signOut(email: string): Promise<Account & { sessions: number }> {
    let sessions = 0;
    const account = await this.#change(email, (row) => {
      sessions = this.#sessions.deleteOthers(row.id, '');
    });
    return { ...account, sessions };
  }

  /** Disconnects an app of the account, from its next request on; gives what it was. */
  async disconnect(given: string, id: string): Promise<AppSummary> {
    const email = readEmail(given);
    const row = await this.#transactions.read(() => this.#accounts.byEmail(email));
    if (row === undefined) throw unknownAccount(email);
    const app = (await this.#apps.list(row.id)).find((known) => known.id === id);
    if (app === undefined || !(await this.#apps.disconnect(row.id, id))) {
      throw new Failure(
        `${email} has no app with the id ${JSON.stringify(id)}. \`cratebase accounts show ${email}\` shows all.`,
      );
    }
    return summarizeApp(app);
  }

  /** Deletes the account with all that is its own; its keys stop at the next request. Gives what it was. */
  async delete(email: string): Promise<Account> {
    return this.#change(email, (row) => this.#membership.delete(row));
  }

  /** The account with this email on this plan, made where there is none. */
  async ensure(given: string, plan: string): Promise<Account> {
    const email = readNewEmail(given);
    const name = readPlan(plan);
    const row = await this.#transactions.write(() => {
      if (this.#membership.insert(email, name, null) === null) this.#accounts.setPlan(email, name);
      return this.#accounts.byEmail(email) as AccountRow;
    });
    return showAccount(row);
  }

  /** The account after the change; as it was, where the change deleted it. */
  async #change(given: string, change: (row: AccountRow) => void): Promise<Account> {
    const email = readEmail(given);
    const row = await this.#transactions.writeDurably(() => {
      const before = this.#accounts.byEmail(email);
      if (before === undefined) throw unknownAccount(email);
      change(before);
      return this.#accounts.byEmail(email) ?? before;
    });
    return showAccount(row);
  }
}

/** What may be told about an account. */
export function showAccount(row: AccountRow): Account {
  return { id: row.id, email: row.email, plan: row.plan, created_at: utc(row.created_ts) };
}

function summarizeBrowser(session: SessionSummary): BrowserSummary {
  const { id, address, userAgent, createdTs, usedTs } = session;
  return { id, address, user_agent: userAgent, created_at: utc(createdTs), last_used_at: utc(usedTs) };
}

function summarizeApp(app: App): AppSummary {
  const { id, name, host, verified, scopes, createdTs, lastUsedTs } = app;
  return {
    id,
    name,
    host,
    verified,
    scopes,
    created_at: utc(createdTs),
    last_used_at: lastUsedTs === null ? null : utc(lastUsedTs),
  };
}
