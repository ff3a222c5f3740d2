/** Creates, shows, changes and deletes accounts (docs/spec/command-line.md#commands). */
import type { Clock } from '../clock.ts';
import { type Plan, windowSeconds } from '../contract/plans.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import type { AccountRow, AccountStore } from '../store/access/accounts.ts';
import type { ApiKeyStore } from '../store/access/api-keys.ts';
import type { SessionStore } from '../store/access/sessions.ts';
import { formatUtc } from '../store/records/serialize.ts';
import type { Transactions } from '../store/transactions.ts';
import {
  parseAccountLimit,
  parseEmail,
  parseNewEmail,
  parsePassword,
  parsePlan,
  unknownAccountFailure,
} from './account-input.ts';
import type { AccountLifecycle } from './account-lifecycle.ts';
import { limitsOf } from './account-limits.ts';
import { type ApiKeySummary, toApiKeySummary } from './api-keys.ts';
import type { ConnectedApp, ConnectedAppList } from './connected-apps.ts';
import { hashPassword } from './hashing.ts';
import type { SessionSummary, Sessions } from './sessions.ts';
import type { PasswordResets, ResetLink } from './sign-in/password-resets.ts';
import type { SecondFactors } from './sign-in/second-factors.ts';
import type { WaysIn } from './sign-in/ways-in.ts';
import type { UsageHistory, UsagePoint } from './usage-history.ts';
import { usagePeriodAt } from './usage-period.ts';

export type Account = { id: string; email: string; plan: Plan; created_at: string };
/** The usage of this month, and the limits of the account or its plan. */
export type Usage = {
  /** yyyy-mm, UTC */
  month: string;
  used: number;
  quota: number;
  remaining: number;
  resets_at: string;
  /** Requests of each key per `window_seconds`. */
  window: number;
  window_seconds: number;
};
/** Recent usage of an account, with REST and MCP apart, oldest first. */
export type UsageTimeSeries = {
  /** The last 30 days ('yyyy-mm-dd'). */
  days: UsagePoint[];
  /** The last 12 months ('yyyy-mm'). */
  months: UsagePoint[];
};
/** A browser with a session. */
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
  /** How the owner signs in. */
  sign_in: WaysIn;
  keys: ApiKeySummary[];
  connected_apps: AppSummary[];
  sessions: BrowserSummary[];
  usage: Usage;
  history: UsageTimeSeries;
};
export type NewAccountInput = { email: string; plan?: string | undefined; password?: string | undefined };

/** What accounts take from the ways to sign in (`sign-in/sign-in.ts`). */
type AccountSignIn = {
  readonly resets: PasswordResets;
  readonly externalLogins: {
    confirmAddress(email: string, actor: Actor): Promise<{ email: string; changed: boolean }>;
  };
  readonly secondFactors: SecondFactors;
  waysOf(account: string): Promise<WaysIn>;
};

type AccountDependencies = {
  transactions: Transactions;
  accounts: AccountStore;
  keys: ApiKeyStore;
  membership: AccountLifecycle;
  sessions: SessionStore;
  apps: ConnectedAppList;
  browsers: Sessions;
  history: UsageHistory;
  signIn: AccountSignIn;
  clock: Clock;
};

export class Accounts {
  readonly #transactions: Transactions;
  readonly #accounts: AccountStore;
  readonly #keys: ApiKeyStore;
  readonly #membership: AccountLifecycle;
  readonly #sessions: SessionStore;
  readonly #apps: ConnectedAppList;
  readonly #browsers: Sessions;
  readonly #history: UsageHistory;
  readonly #signIn: AccountSignIn;
  readonly #clock: Clock;

  constructor(parts: AccountDependencies) {
    this.#transactions = parts.transactions;
    this.#accounts = parts.accounts;
    this.#keys = parts.keys;
    this.#membership = parts.membership;
    this.#sessions = parts.sessions;
    this.#apps = parts.apps;
    this.#browsers = parts.browsers;
    this.#history = parts.history;
    this.#signIn = parts.signIn;
    this.#clock = parts.clock;
  }

  /** Creates an account, on the Free plan by default. Without a password it cannot sign in. Fails if the email has an account. */
  async create(input: NewAccountInput): Promise<Account> {
    const email = parseNewEmail(input.email);
    const plan = parsePlan(input.plan ?? 'free');
    const hash =
      input.password === undefined ? null : await hashPassword(parsePassword(input.password, email));
    const made = await this.#transactions.writeDurably(() => this.#membership.insert(email, plan, hash));
    if (made === null) {
      throw new Failure(
        `There is an account ${email} already. \`cratebase accounts show ${email}\` shows it.`,
      );
    }
    return toAccount(made);
  }

  /** Returns all accounts, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.#transactions.read(() => this.#accounts.all())).map(toAccount);
  }

  /** Returns one account with its keys, apps, sessions and usage. */
  async show(input: string): Promise<AccountDetails> {
    const email = parseEmail(input);
    const period = usagePeriodAt(this.#clock.now());
    const row = await this.#transactions.read(() => this.#accounts.byEmail(email));
    if (row === undefined) throw unknownAccountFailure(email);
    const keys = await this.#transactions.read(() => this.#keys.ofAccount(email));
    const used = await this.#transactions.read(() => this.#accounts.usedInMonth(row.id, period.month));
    const apps = await this.#apps.list(row.id);
    const browsers = await this.#browsers.list(row.id);
    const history = await this.#history.forAccount(row.id);
    const limits = limitsOf(row);
    return {
      ...toAccount(row),
      sign_in: await this.#signIn.waysOf(row.id),
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
      history: { days: history?.days ?? [], months: history?.months ?? [] },
    };
  }

  /** Changes the plan, from the next request on in every process. */
  async setPlan(email: string, plan: string): Promise<Account> {
    const name = parsePlan(plan);
    return this.#change(email, (row) => this.#accounts.setPlan(row.email, name));
  }

  /** Sets a new password (`parsePassword`), and ends all sessions of the account. */
  async setPassword(email: string, password: string): Promise<Account> {
    const hash = await hashPassword(parsePassword(password, parseEmail(email)));
    return this.#change(email, (row) => {
      this.#accounts.setPassword(row.email, hash);
      this.#sessions.deleteOthers(row.id, '');
    });
  }

  /**
   * Sets limits that replace the plan's: requests per window and key, and requests per month. Null means the plan's
   * limit.
   */
  async setLimits(email: string, limits: { window: number | null; quota: number | null }): Promise<Account> {
    const window = parseAccountLimit('window', limits.window);
    const quota = parseAccountLimit('quota', limits.quota);
    return this.#change(email, (row) => this.#accounts.setLimits(row.email, window, quota));
  }

  /** Ends all browser sessions of the account; `sessions` is their number. */
  async signOut(email: string): Promise<Account & { sessions: number }> {
    let sessions = 0;
    const account = await this.#change(email, (row) => {
      sessions = this.#sessions.deleteOthers(row.id, '');
    });
    return { ...account, sessions };
  }

  /** Disconnects an app of the account from its next request on, and returns it. */
  async disconnect(input: string, id: string): Promise<AppSummary> {
    const email = parseEmail(input);
    const row = await this.#transactions.read(() => this.#accounts.byEmail(email));
    if (row === undefined) throw unknownAccountFailure(email);
    const app = (await this.#apps.list(row.id)).find((one) => one.id === id);
    if (app === undefined || !(await this.#apps.disconnect(row.id, id))) {
      throw new Failure(
        `${email} has no app with the id ${JSON.stringify(id)}. \`cratebase accounts show ${email}\` shows all.`,
      );
    }
    return summarizeApp(app);
  }

  /** Creates a one-time link to set a new password, valid for an hour. Earlier ones become void. */
  resetLink(email: string, actor: Actor): Promise<ResetLink> {
    return this.#signIn.resets.create(email, actor);
  }

  /** Deletes the second factor of an account whose owner lost the device; `removed` says whether there was one. */
  resetSecondFactor(email: string, actor: Actor): Promise<{ id: string; email: string; removed: boolean }> {
    return this.#signIn.secondFactors.reset(email, actor);
  }

  /** Records that the address belongs to the owner of the account; `changed` is false if that was known. */
  confirmAddress(email: string, actor: Actor): Promise<{ email: string; changed: boolean }> {
    return this.#signIn.externalLogins.confirmAddress(email, actor);
  }

  /** Deletes the account with all its data, and returns it. Its keys stop working at the next request. */
  async delete(email: string): Promise<Account> {
    return this.#change(email, (row) => this.#membership.delete(row));
  }

  /** Returns the account with this email on this plan; creates it if necessary. */
  async ensure(input: string, plan: string): Promise<Account> {
    const email = parseNewEmail(input);
    const name = parsePlan(plan);
    const row = await this.#transactions.write(() => {
      if (this.#membership.insert(email, name, null) === null) this.#accounts.setPlan(email, name);
      return this.#accounts.byEmail(email) as AccountRow;
    });
    return toAccount(row);
  }

  /** Applies a change and returns the account; if the change deleted it, as it was before. */
  async #change(input: string, change: (row: AccountRow) => void): Promise<Account> {
    const email = parseEmail(input);
    const row = await this.#transactions.writeDurably(() => {
      const before = this.#accounts.byEmail(email);
      if (before === undefined) throw unknownAccountFailure(email);
      change(before);
      return this.#accounts.byEmail(email) ?? before;
    });
    return toAccount(row);
  }
}

/** Returns the public fields of an account. */
export function toAccount(row: AccountRow): Account {
  return { id: row.id, email: row.email, plan: row.plan, created_at: formatUtc(row.created_ts) };
}

function summarizeBrowser(session: SessionSummary): BrowserSummary {
  const { id, address, userAgent, createdTs, usedTs } = session;
  return {
    id,
    address,
    user_agent: userAgent,
    created_at: formatUtc(createdTs),
    last_used_at: formatUtc(usedTs),
  };
}

function summarizeApp(app: ConnectedApp): AppSummary {
  const { id, name, host, verified, scopes, createdTs, lastUsedTs } = app;
  return {
    id,
    name,
    host,
    verified,
    scopes,
    created_at: formatUtc(createdTs),
    last_used_at: lastUsedTs === null ? null : formatUtc(lastUsedTs),
  };
}
