/**
 * Passkeys: discoverable WebAuthn credentials with user verification (W3C Web Authentication, level 3). A passkey is two
 * factors, the device and its PIN or fingerprint, so no code is asked for after it. Challenges are kept by the browser in
 * sealed form; an answered one is stored until it expires, so that no answer works twice.
 */
import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyRow } from '../../store/access/passkeys.ts';
import { AccountError, type AccountErrorCode } from '../account-error.ts';
import { parseFormKeyName } from '../account-input.ts';
import type { Services } from '../services.ts';
import { attemptThrottleKeys } from '../throttle-rules.ts';
import type { OneTimeLinks } from './one-time-links.ts';
import type { SealedValues } from './sealed-values.ts';

/** The site that passkeys belong to. */
export type PasskeySite = {
  /** The relying party id: the host of the account pages. */
  rpId: string;
  origin: string;
  /** The name of the service. */
  name: string;
};
/** What the page of a passkey needs: options for the browser, as JSON, and a ticket that returns with its answer. */
export type PasskeyRequest = { options: string; ticket: string };
export type PasskeySummary = { id: string; name: string; createdTs: number; usedTs: number | null };

type Challenge = { challenge: string; browser: string; expiresTs: number };

const challengeLifetimeMs = 10 * 60_000;
const maxPasskeys = 20;
const maxAnswerLength = 12_000;
/** Ed25519, P-256 and RSA, as COSE numbers (RFC 9053). */
const algorithms = [-8, -7, -257];

type Dependencies = Services & { links: OneTimeLinks; sealed: SealedValues };

/** Creates the requests for passkeys, checks the answers of browsers, and keeps the passkeys of accounts. */
export class Passkeys {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** Returns the passkeys of an account (its id). */
  async list(account: string): Promise<PasskeySummary[]> {
    const { engine, passkeyStore } = this.#parts;
    const rows = await engine.read((tx) => passkeyStore.ofAccount(tx, account));
    return rows.map(toSummary);
  }

  /**
   * Creates the request to sign in with any passkey of this site.
   * @param browser a value that only this browser has; the answer must come with the same
   */
  async requestSignIn(site: PasskeySite, browser: string): Promise<PasskeyRequest> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const { challenge, ticket } = this.#newChallenge('passkey sign-in', browser);
    const options = await generateAuthenticationOptions({
      rpID: site.rpId,
      challenge,
      timeout: challengeLifetimeMs,
      userVerification: 'required',
    });
    return { options: JSON.stringify(options), ticket };
  }

  /**
   * Checks an answer, and returns the id of the account. Rejects with an `AccountError`: `passkey`, `slow`.
   * @param answer the credential of the browser, as JSON
   */
  async signIn(
    site: PasskeySite,
    answer: string,
    { ticket, browser, address }: { ticket: string; browser: string; address: string },
  ): Promise<string> {
    const { engine, passkeyStore, links, throttle, clock } = this.#parts;
    const throttleKeys = attemptThrottleKeys(address);
    await throttle.consume(throttleKeys);
    const challenge = this.#openTicket('passkey sign-in', ticket, browser);
    const response = parseAnswer<AuthenticationResponseJSON>(answer);
    const row = await engine.read((tx) => passkeyStore.byId(tx, response.id));
    if (row === undefined)
      throw refusedPasskey('This passkey does not belong to an account here.', 'passkey_unknown');
    const count = await verifySignIn(site, response, challenge, row);
    const isFirst = await engine.writeDurably(async (tx) => {
      if (!(await links.markUsed(tx, challenge.challenge, challenge.expiresTs))) return false;
      await passkeyStore.use(tx, row.id, count, clock.now());
      return true;
    });
    if (!isFirst) throw refusedPasskey(usedUp, 'passkey_used_up');
    await throttle.refund(throttleKeys);
    return row.account_id;
  }

  /** Creates the request for a new passkey of an account. @param browser as for `requestSignIn` */
  async requestNew(
    site: PasskeySite,
    account: { id: string; email: string },
    browser: string,
  ): Promise<PasskeyRequest> {
    const { engine, passkeyStore } = this.#parts;
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const rows = await engine.read((tx) => passkeyStore.ofAccount(tx, account.id));
    if (rows.length >= maxPasskeys) throw tooManyPasskeys();
    const { challenge, ticket } = this.#newChallenge('new passkey', browser);
    const options = await generateRegistrationOptions({
      rpID: site.rpId,
      rpName: site.name,
      userID: new TextEncoder().encode(account.id),
      userName: account.email,
      userDisplayName: account.email,
      challenge,
      timeout: challengeLifetimeMs,
      attestationType: 'none',
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: rows.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { options: JSON.stringify(options), ticket };
  }

  /** Stores a new passkey. Rejects with an `AccountError`: `passkey`, `name`, `full`. */
  async add(
    site: PasskeySite,
    account: string,
    answer: string,
    { ticket, browser, name }: { ticket: string; browser: string; name: string },
  ): Promise<void> {
    const { engine, passkeyStore, links, clock } = this.#parts;
    const passkeyName = parseFormKeyName(name);
    const challenge = this.#openTicket('new passkey', ticket, browser);
    const response = parseAnswer<RegistrationResponseJSON>(answer);
    const credential = await verifyNew(site, response, challenge);
    const { transports = [] } = credential;
    const isStored = await engine.writeDurably(async (tx) => {
      if ((await passkeyStore.ofAccount(tx, account)).length >= maxPasskeys) throw tooManyPasskeys();
      if (!(await links.markUsed(tx, challenge.challenge, challenge.expiresTs))) return false;
      return await passkeyStore.insert(tx, {
        id: credential.id,
        account_id: account,
        name: passkeyName,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        sign_count: credential.counter,
        transports: JSON.stringify(transports),
        created_ts: clock.now(),
        last_used_ts: null,
      });
    });
    if (!isStored) throw refusedPasskey(usedUp, 'passkey_used_up');
  }

  /** Renames a passkey; false if the account has no such passkey. Rejects with an `AccountError` (`name`). */
  async rename(account: string, id: string, name: string): Promise<boolean> {
    const passkeyName = parseFormKeyName(name);
    const { engine, passkeyStore } = this.#parts;
    return engine.write((tx) => passkeyStore.rename(tx, account, id, passkeyName));
  }

  /** Removes a passkey; false if the account has no such passkey. */
  async remove(account: string, id: string): Promise<boolean> {
    const { engine, passkeyStore } = this.#parts;
    return engine.writeDurably((tx) => passkeyStore.delete(tx, account, id));
  }

  #newChallenge(purpose: string, browser: string) {
    const { sealed, clock } = this.#parts;
    const challenge = new Uint8Array(randomBytes(32));
    const value: Challenge = {
      challenge: Buffer.from(challenge).toString('base64url'),
      browser,
      expiresTs: clock.now() + challengeLifetimeMs,
    };
    return { challenge, ticket: sealed.seal(purpose, value, challengeLifetimeMs) };
  }

  #openTicket(purpose: string, ticket: string, browser: string): Challenge {
    const challenge = this.#parts.sealed.unseal<Challenge>(purpose, ticket);
    if (challenge === null || challenge.browser !== browser) throw refusedPasskey(usedUp, 'passkey_used_up');
    return challenge;
  }
}

/** Verifies the answer of a sign-in, and returns the new counter of the passkey. */
async function verifySignIn(
  site: PasskeySite,
  response: AuthenticationResponseJSON,
  { challenge }: Challenge,
  row: PasskeyRow,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    credential: {
      id: row.id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.sign_count,
      transports: JSON.parse(row.transports),
    },
  }).catch(rejectAnswer);
  const { userHandle } = response.response;
  const isOwner = userHandle === undefined || decodeHandle(userHandle) === row.account_id;
  if (!verified || !isOwner) throw refusedPasskey(wrongAnswer);
  return authenticationInfo.newCounter;
}

async function verifyNew(site: PasskeySite, response: RegistrationResponseJSON, { challenge }: Challenge) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(rejectAnswer);
  if (!verified || registrationInfo === undefined) throw refusedPasskey(wrongAnswer);
  return registrationInfo.credential;
}

/** The library throws an error for each of its checks. */
function rejectAnswer(): never {
  throw refusedPasskey(wrongAnswer);
}

/** Parses the JSON of the browser. The library checks the members that it uses. */
function parseAnswer<T extends { id: string }>(text: string): T {
  try {
    const answer: unknown = text.length > maxAnswerLength ? null : JSON.parse(text);
    const { id, response } = answer as { id: unknown; response: unknown };
    if (typeof id === 'string' && typeof response === 'object' && response !== null) return answer as T;
  } catch {
    // Below.
  }
  throw refusedPasskey(wrongAnswer);
}

const decodeHandle = (handle: string): string => Buffer.from(handle, 'base64url').toString('utf8');

const toSummary = ({ id, name, created_ts, last_used_ts }: PasskeyRow): PasskeySummary => ({
  id,
  name,
  createdTs: created_ts,
  usedTs: last_used_ts,
});

const usedUp = 'This page was open for too long, or was used already. Try again.';
const wrongAnswer = 'The passkey could not be checked. Try again, or sign in in another way.';
const tooManyPasskeys = (): AccountError =>
  new AccountError('full', `An account has at most ${maxPasskeys} passkeys. Remove one first.`, {
    code: 'full_of_passkeys',
    value: maxPasskeys,
  });
const refusedPasskey = (message: string, code: AccountErrorCode = 'passkey'): AccountError =>
  new AccountError('passkey', message, { code });
