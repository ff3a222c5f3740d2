/** The account that `serve --dev` creates. */
import type { Access } from '../access/access.ts';
import type { Plan } from '../contract/plans.ts';

/** `now`: the time (ms) at which the clock is frozen; null if it runs. */
export type DevLimits = {
  plan: Plan | null;
  window: number | null;
  quota: number | null;
  now?: number | null;
};

/** No window: with a frozen clock it would never end. */
const unlimited = 1e12;

const devEmail = 'dev@localhost';

/**
 * The account `dev@localhost` with its key, which depends on the secret of the installation: each start of one
 * data file prints the same key.
 */
export class DevelopmentAccount {
  readonly #readSecret: () => Buffer;
  readonly #openAccess: () => Promise<Access>;

  /** @param readSecret the secret of the installation, after the accounts are open */
  constructor(readSecret: () => Buffer, openAccess: () => Promise<Access>) {
    this.#readSecret = readSecret;
    this.#openAccess = openAccess;
  }

  /** Returns the account with its plan, limits and key; creates it if necessary. */
  async ensure(limits: DevLimits): Promise<{ account: string; key: string; plan: Plan }> {
    const { accounts, keys } = await this.#openAccess();
    const { email, plan } = await accounts.ensure(devEmail, limits.plan ?? 'free');
    await accounts.setLimits(email, {
      window: limits.window ?? (limits.now == null ? null : unlimited),
      quota: limits.quota,
    });
    const { key } = await keys.ensureDevKey(email, this.#readSecret());
    return { account: email, key, plan };
  }

  /** Whether `serve --dev` was ever run on this file. */
  async exists(): Promise<boolean> {
    const { accounts } = await this.#openAccess();
    return accounts.exists(devEmail);
  }
}
