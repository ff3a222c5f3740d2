/** Accounts, credentials and the meter that counts requests. Other folders import only this file. */
import type Database from 'better-sqlite3';
import { type Clock, systemClock } from '../clock.ts';
import { readSetting } from '../store/database.ts';
import { countOn, countOnReader, type ReadingConnection } from '../store/engine/counting-writer.ts';
import { SqliteEngine } from '../store/engine/sqlite-engine.ts';
import { enableSecureDelete } from '../store/file/maintenance.ts';
import { type Access, constructAccess } from './construct.ts';
import { InstanceSecret } from './instance-secret.ts';
import { SqliteCounting } from './sqlite-counting.ts';

export { AccountError } from './account-error.ts';
export type { Account, AccountDetails } from './account-summaries.ts';
export { customerPrefix, networkPrefix } from './address-prefixes.ts';
export { apiKeyPattern } from './api-key-format.ts';
export { type ApiKeySummary, type CreatedApiKey, isActive } from './api-key-summary.ts';
export { matchesClientSecret, sharedClientPrefix, TooManyClients } from './client-registration.ts';
export type { ConnectedApp } from './connected-apps.ts';
export { type Access, constructAccess } from './construct.ts';
export type {
  AdmissionResult,
  ApiChannel,
  Counting,
  MeteredRequest,
  PendingRequest,
} from './counting.ts';
export type { Credential } from './credential.ts';
export type { BrowserInfo } from './device-cookies.ts';
export { InstanceSecret } from './instance-secret.ts';
export { secondsUntil, toLimitHeaderValues, windowEnd } from './limit-values.ts';
export {
  GrantRevoked,
  type OAuthPayload,
  type OAuthRepository,
} from './oauth-repository.ts';
export { operatorLinkMs } from './operator-links.ts';
export type { PlanSummary } from './plan-limits.ts';
export { maxSessionMs, type Session, type SessionSummary } from './sessions.ts';
export type { ExternalIdentity, ExternalSignIn } from './sign-in/external-logins.ts';
export { isSameIssuer, type LinkedLogin, type OfferedWays } from './sign-in/linked-logins.ts';
export type { PasskeyRequest, PasskeySite, PasskeySummary } from './sign-in/passkeys.ts';
export type { ResetLink } from './sign-in/password-resets.ts';
export { SecondFactorRequired, type SecondFactorState, type TotpSetup } from './sign-in/second-factors.ts';
export type { UsageReport } from './usage-history.ts';
export { usagePeriodAt } from './usage-period.ts';
export { VisitorLimit } from './visitor-limit.ts';

/**
 * Opens the accounts and credentials of a data file.
 *
 * @param sqlite a connection of its own (`openDatabase`); `close` closes it
 * @param throttleClock the clock of throttles and tokens: real time even if `clock` is frozen
 * @param reading opens the connection that reads the catalogue: requests are counted there. By default they are counted
 *   on `sqlite`
 */
export function openAccess(
  sqlite: Database.Database,
  clock: Clock,
  throttleClock: Clock = systemClock,
  reading?: () => ReadingConnection,
): Access {
  enableSecureDelete(sqlite);
  const engine = new SqliteEngine(sqlite);
  const ownWriter = countOn(engine, sqlite);
  const writer = reading === undefined ? ownWriter : countOnReader(reading, ownWriter);
  return constructAccess({
    engine,
    counting: (plans) => new SqliteCounting(writer, plans, clock),
    secret: new InstanceSecret(Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex')),
    clock,
    throttleClock,
    close: () => {
      sqlite.close();
    },
  });
}
