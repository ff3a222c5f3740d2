/** Lists the sign-in methods of an account, as the terminal and the console show them. */
import { formatUtc } from '../../clock.ts';
import type { Base } from '../parts.ts';
import { loginId } from './linked-logins.ts';
import type { SecondFactors } from './second-factors.ts';

export type SignInMethods = {
  password: boolean;
  /** When the owner proved to receive mail at the address; null: not yet. */
  verified_at: string | null;
  /** Codes of an authenticator app; null: not required. */
  second_factor: { enabled_at: string; recovery_codes_left: number } | null;
  passkeys: { name: string; created_at: string; last_used_at: string | null }[];
  /** Accounts at an OpenID provider. */
  external_logins: {
    id: string;
    issuer: string;
    email: string;
    created_at: string;
    last_used_at: string | null;
  }[];
};

type Dependencies = Base & { secondFactors: SecondFactors };

/** Returns how the owner of an account signs in. */
export async function findSignInMethods(parts: Dependencies, account: string): Promise<SignInMethods> {
  const { engine, states, secondFactors, logins, passkeyStore } = parts;
  const row = await engine.read((tx) => states.byId(tx, account));
  const passkeys = await engine.read((tx) => passkeyStore.ofAccount(tx, account));
  const externalLogins = await engine.read((tx) => logins.ofAccount(tx, account));
  const factor = await secondFactors.state(account);
  return {
    password: row?.password_hash != null,
    verified_at: row?.verified_ts == null ? null : formatUtc(row.verified_ts),
    second_factor:
      factor.enabledTs === null
        ? null
        : { enabled_at: formatUtc(factor.enabledTs), recovery_codes_left: factor.recoveryCodesLeft },
    passkeys: passkeys.map((passkey) => ({ name: passkey.name, ...timesOf(passkey) })),
    external_logins: externalLogins.map((login) => ({
      id: loginId(login),
      issuer: login.issuer,
      email: login.email,
      ...timesOf(login),
    })),
  };
}

const timesOf = ({ created_ts, last_used_ts }: { created_ts: number; last_used_ts: number | null }) => ({
  created_at: formatUtc(created_ts),
  last_used_at: last_used_ts === null ? null : formatUtc(last_used_ts),
});
