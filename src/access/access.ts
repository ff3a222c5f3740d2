/** Accounts, credentials and the meter that counts requests. Other rooms import only this file. */
import type Database from 'better-sqlite3';
import { type Clock, systemClock } from '../clock.ts';
import { MeterStore } from '../store/access/meter.ts';
import { readSetting } from '../store/database.ts';
import { SqliteEngine } from '../store/engine/sqlite-engine.ts';
import { enableSecureDelete } from '../store/file/maintenance.ts';
import type { AccountUndo } from './account-undo.ts';
import type { Accounts } from './accounts.ts';
import type { ApiKeys } from './api-keys.ts';
import type { CredentialKind } from './authenticate.ts';
import type { ConnectedAppList } from './connected-apps.ts';
import { constructAccess } from './construct.ts';
import type { AdmissionResult, ApiChannel } from './counting.ts';
import type { Credential } from './credential.ts';
import type { ExportPermission } from './export-permission.ts';
import { InstanceSecret } from './instance-secret.ts';
import type { OAuthRepository } from './oauth-repository.ts';
import type { OperatorLinks } from './operator-links.ts';
import type { PendingAccounts } from './pending-accounts.ts';
import type { PlanLimits } from './plan-limits.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { SqliteCounting } from './sqlite-counting.ts';
import type { UsageHistory } from './usage-history.ts';

export { AccountError, type AccountErrorReason } from './account-error.ts';
export type { Account, AccountDetails, OwnLimits, Usage } from './account-summaries.ts';
export { customerPrefix, networkPrefix } from './address-prefixes.ts';
export { apiKeyPattern, apiKeyPrefix } from './api-key-format.ts';
export type { ApiKeySummary, CreatedApiKey, RotatedApiKey } from './api-keys.ts';
export type { BrowserInfo } from './browser-info.ts';
export type { ConnectedApp, ConnectedAppList } from './connected-apps.ts';
export type { AdmissionResult, ApiChannel, LimitHeaderValues } from './counting.ts';
export type { Credential } from './credential.ts';
export {
  type AppDescription,
  GrantRevoked,
  matchesClientSecret,
  type OAuthPayload,
  type OAuthRepository,
  TooManyClients,
} from './oauth-repository.ts';
export { type OperatorLink, operatorLinkMs } from './operator-links.ts';
export type { PlanChangeSummary, PlanSummary } from './plan-limits.ts';
export { maxSessionMs, type Session, type SessionSummary } from './sessions.ts';
export type { ExternalIdentity, ExternalSignIn } from './sign-in/external-logins.ts';
export { isSameIssuer, type LinkedLogin, type OfferedWays } from './sign-in/linked-logins.ts';
export type { CountedSignUp, SignUpMail } from './sign-in/mailed-sign-ups.ts';
export type { PasskeyRequest, PasskeySite, PasskeySummary } from './sign-in/passkeys.ts';
export type { MailedLink, ResetLink } from './sign-in/password-resets.ts';
export { SecondFactorRequired, type SecondFactorState, type TotpSetup } from './sign-in/second-factors.ts';
export type { SignIn } from './sign-in/sign-in.ts';
export type { UsagePoint, UsageReport } from './usage-history.ts';
export { VisitorLimit } from './visitor-limit.ts';

export type Access = {
  readonly accounts: Accounts;
  readonly keys: ApiKeys;
  /** Sessions of people in browsers. */
  readonly sessions: Sessions;
  /** Ways to sign in besides the password, and links that replace a forgotten one. */
  readonly signIn: SignIn;
  /** Accounts that wait for approval. */
  readonly pending: PendingAccounts;
  /** Undoes changes of accounts. */
  readonly accountUndo: AccountUndo;
  /** Links that make an account an operator. */
  readonly operatorLinks: OperatorLinks;
  /** Apps that people connected through OAuth. */
  readonly apps: ConnectedAppList;
  /** The storage of the authorization server. */
  readonly oauth: OAuthRepository;
  /** The usage of an account by day and by month. */
  readonly usage: UsageHistory;
  /** The limits of the plans. */
  readonly plans: PlanLimits;
  /** Which plans may read the change feed and the exports. */
  readonly exports: ExportPermission;
  /** The token of a form without a session. It is bound to a cookie of the browser and to this data file. */
  formToken(cookie: string): string;
  /** The id of the account with an email, for the log; without an account, a digest of the email. */
  accountNameForLog(email: string): Promise<string>;
  /** Deletes expired rows: sessions, attempts, tokens, days of usage that are not shown. */
  prune(): Promise<void>;
  /**
   * Returns the credential of an `Authorization` header: of an API key, or of an access token issued for `audience`. Null
   * means 401. Valid credentials are cached; `admit` notices a revocation.
   */
  authenticate(authorization: string | undefined, audience?: string): Promise<Credential | null>;
  /** Classifies an `Authorization` header by its format alone, for the message of a 401. */
  credentialKind(authorization: string | undefined): CredentialKind;
  /**
   * Counts a request and decides whether it may be answered. `revoked` means 401: the credential was revoked, or has expired. Rejects with `unavailable` if the data
   * file stays locked for ten seconds.
   *
   * @param cost 0 for a 304, a 5xx and an MCP notification; the number of requests in a batch; else 1
   */
  admit(credential: Credential, cost: number, door: ApiChannel): Promise<AdmissionResult>;
  /** Closes the connection; waiting requests are rejected with `unavailable`. */
  close(): void;
};

/**
 * Opens the accounts and credentials of a data file.
 *
 * @param sqlite a connection of its own (`openDatabase`); `close` closes it
 * @param throttleClock the clock of throttles and tokens: real time even if `clock` is frozen
 */
export function openAccess(
  sqlite: Database.Database,
  clock: Clock,
  throttleClock: Clock = systemClock,
): Access {
  enableSecureDelete(sqlite);
  const engine = new SqliteEngine(sqlite);
  return constructAccess({
    engine,
    counting: (plans) => new SqliteCounting(engine, new MeterStore(sqlite), plans, clock),
    secret: new InstanceSecret(Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex')),
    clock,
    throttleClock,
    close: () => {
      sqlite.close();
    },
  });
}
