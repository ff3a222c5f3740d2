/**
 * The table of all limits on attempts (docs/decisions/12-floods.md), applied by `Throttle`. `address-prefixes.ts` defines
 * network, site, customer, region and provider of an address.
 */
import {
  customerPrefix,
  networkPrefix,
  providerPrefix,
  regionPrefix,
  sitePrefix,
} from './address-prefixes.ts';
import { mailedAddress } from './email-address.ts';

/** Exponential back-off: after `free` attempts within an hour, each waits twice as long as the one before, from `firstMs` to `maxMs`. */
export type BackoffRule = { free: number; firstMs: number; maxMs: number };
/** A token bucket: `burst` attempts at once, and another one per `everyMs`. */
export type TokenBucketRule = { burst: number; everyMs: number };

const second = 1_000;
const minute = 60 * second;

const passwords = {
  /** Passwords of one account from one address. */
  pair: { free: 5, firstMs: second, maxMs: 5 * minute },
  /** Passwords of any accounts from one address. */
  address: { free: 30, firstMs: second, maxMs: 5 * minute },
  /** Passwords of any accounts from one site or one customer's /48: one password tried on many accounts. */
  site: { burst: 60, everyMs: 20 * second },
  customer: { burst: 120, everyMs: 10 * second },
  /** Passwords of one account from one region: an attacker may have many addresses there. */
  region: { free: 10, firstMs: second, maxMs: 5 * minute },
  /**
   * Passwords of one account from anywhere within an hour. Only attackers with hundreds of networks reach it: with a
   * lower limit, a stranger could lock out the owner.
   */
  account: { free: 2_000, firstMs: second, maxMs: 30 * second },
  /** Passwords of one account from a browser with its device cookie, instead of all rules above. */
  browser: { free: 5, firstMs: second, maxMs: 5 * minute },
} as const;

/** Codes of the second factor. Only those who know the password reach them. */
const codes = {
  /** Codes of one account from browsers without its device cookie: a million codes exist, three are valid. */
  code: { free: 5, firstMs: second, maxMs: 5 * minute },
  codeDay: { burst: 50, everyMs: 20 * minute },
  /** Codes of one account from a browser with its device cookie, instead of both rules above. */
  codeBrowser: { free: 5, firstMs: second, maxMs: 5 * minute },
} as const;

/** Failed sign-ins by other ways: passkeys, OpenID providers, one-time links. Guessing is futile; this limits the work. */
const otherWays = {
  attempt: { free: 20, firstMs: second, maxMs: 5 * minute },
  attemptSite: { burst: 60, everyMs: 20 * second },
  attemptCustomer: { burst: 120, everyMs: 10 * second },
} as const;

/** Requests for a mail with a link to set a new password. */
const resets = {
  reset: { free: 10, firstMs: 2 * second, maxMs: 5 * minute },
  resetSite: { burst: 20, everyMs: 5 * minute },
  resetRegion: { burst: 40, everyMs: 5 * minute },
  resetProvider: { burst: 80, everyMs: minute },
  resetService: { burst: 100, everyMs: 20 * second },
  resetReserve: { burst: 40, everyMs: minute },
  resetShare: { burst: 2, everyMs: 30 * minute },
  /** Mails to one address. Beyond it no mail is sent, and the response is the same. */
  mail: { burst: 3, everyMs: 20 * minute },
} as const;

/** Sign-ups, with a free or a taken email. */
const signUps = {
  signUp: { free: 30, firstMs: 2 * second, maxMs: 5 * minute },
  signUpSite: { burst: 40, everyMs: 5 * minute },
  signUpRegion: { burst: 60, everyMs: 5 * minute },
  signUpProvider: { burst: 120, everyMs: minute },
  signUpService: { burst: 200, everyMs: 12 * second },
  /** For providers with few sign-ups, when others have used up the limit of the service. */
  signUpReserve: { burst: 60, everyMs: 30 * second },
  signUpShare: { burst: 2, everyMs: 30 * minute },
} as const;

/** Sign-ups with a taken email: these responses reveal that it has an account. */
const taken = {
  taken: { free: 10, firstMs: 2 * second, maxMs: 5 * minute },
  takenSite: { burst: 15, everyMs: 5 * minute },
  takenRegion: { burst: 20, everyMs: 5 * minute },
  takenProvider: { burst: 40, everyMs: 2 * minute },
} as const;

/**
 * Registrations of OAuth clients, in addition to 30 per hour and network and 120 per hour and region
 * (`client-registration.ts`). The service accepts 1,000 per hour, and 420 of known apps. So many unused clients are kept: each
 * lasts an hour.
 */
const clients = {
  clientSite: { burst: 60, everyMs: 2 * minute },
  clientProvider: { burst: 200, everyMs: 30 * second },
  clientService: { burst: 300, everyMs: 6 * second },
  clientReserve: { burst: 40, everyMs: minute },
  clientShare: { burst: 2, everyMs: 30 * minute },
  /** Clients with the metadata of an app that a person has authorized, by metadata and of all such apps. */
  clientMetadata: { burst: 60, everyMs: 20 * second },
  clientKnown: { burst: 120, everyMs: 12 * second },
  /** Repeated registrations of a stored client. They store nothing, so these bound the work alone. */
  clientRepeat: { burst: 600, everyMs: 6 * second },
  clientRepeatRegion: { burst: 1_800, everyMs: 2 * second },
  clientRepeatProvider: { burst: 3_600, everyMs: second },
} as const;

/**
 * Authorization requests that wait for a person: 1,880 per hour; 2,000 are kept. A network and its region have less
 * than their provider, so that one client cannot use up the limit of the provider.
 */
const requests = {
  requestNetwork: { burst: 100, everyMs: 15 * second },
  requestRegion: { burst: 280, everyMs: 15 * second },
  requestProvider: { burst: 400, everyMs: 30 * second },
  requestService: { burst: 1_000, everyMs: 6 * second },
  requestReserve: { burst: 100, everyMs: 20 * second },
  requestShare: { burst: 5, everyMs: 10 * minute },
} as const;

export type ThrottleRuleName =
  | keyof typeof passwords
  | keyof typeof codes
  | keyof typeof otherWays
  | keyof typeof resets
  | keyof typeof signUps
  | keyof typeof taken
  | keyof typeof clients
  | keyof typeof requests;
/** All rules by their names. */
export const throttleRules: Readonly<Record<ThrottleRuleName, BackoffRule | TokenBucketRule>> = {
  ...passwords,
  ...codes,
  ...otherWays,
  ...resets,
  ...signUps,
  ...taken,
  ...clients,
  ...requests,
};

/** A counter: a rule and its value (an address, an email, or both). */
export type ThrottleKey = { rule: ThrottleRuleName; value: string };
/** All counters of `allOf` must allow an attempt, and all of one entry of `anyOf` (unless it is empty). */
export type ThrottleKeys = { allOf: readonly ThrottleKey[]; anyOf: readonly (readonly ThrottleKey[])[] };

/** The value of a rule for the whole service. */
const wholeService = 'all';

/** The limit of the whole service, or the reserve, of which each provider has a small share. */
const serviceOrReserve = (
  service: ThrottleRuleName,
  reserve: ThrottleRuleName,
  share: ThrottleRuleName,
  address: string,
): readonly (readonly ThrottleKey[])[] => [
  [{ rule: service, value: wholeService }],
  [
    { rule: reserve, value: wholeService },
    { rule: share, value: providerPrefix(address) },
  ],
];

/**
 * The counters of a password from a browser without a device cookie of the account.
 * @param isAtHome whether the account has an open session from this network: strangers then do not slow it down
 */
export function passwordThrottleKeys(
  email: string,
  from: string,
  isAtHome: boolean,
  now: number,
): ThrottleKey[] {
  const address = networkPrefix(from);
  const own: ThrottleKey[] = [
    { rule: 'pair', value: `${email} ${address}` },
    { rule: 'address', value: address },
  ];
  if (isAtHome) return own;
  // The value includes the hour: a counter that never resets would eventually lock out the owner.
  const hour = Math.floor(now / 3_600_000);
  return [
    ...own,
    { rule: 'site', value: sitePrefix(from) },
    { rule: 'customer', value: customerPrefix(from) },
    { rule: 'region', value: `${email} ${regionPrefix(from)}` },
    { rule: 'account', value: `${email} ${hour}` },
  ];
}

/** The counters of a sign-up. Refund those of `taken` if the email was free. */
export function signUpThrottleKeys(address: string): ThrottleKeys & { taken: readonly ThrottleKey[] } {
  const answers: ThrottleKey[] = [
    { rule: 'taken', value: networkPrefix(address) },
    { rule: 'takenSite', value: sitePrefix(address) },
    { rule: 'takenRegion', value: regionPrefix(address) },
    { rule: 'takenProvider', value: providerPrefix(address) },
  ];
  const every: ThrottleKey[] = [
    { rule: 'signUp', value: networkPrefix(address) },
    { rule: 'signUpSite', value: sitePrefix(address) },
    { rule: 'signUpRegion', value: regionPrefix(address) },
    { rule: 'signUpProvider', value: providerPrefix(address) },
    ...answers,
  ];
  const oneOf = serviceOrReserve('signUpService', 'signUpReserve', 'signUpShare', address);
  return { allOf: every, anyOf: oneOf, taken: answers };
}

/** The counters of the registration of an OAuth client. */
export const clientThrottleKeys = (address: string): ThrottleKeys => ({
  allOf: [
    { rule: 'clientSite', value: sitePrefix(address) },
    { rule: 'clientProvider', value: providerPrefix(address) },
  ],
  anyOf: serviceOrReserve('clientService', 'clientReserve', 'clientShare', address),
});

/**
 * The counters of the registration of a known app. A hosted app registers once per person, from few networks, so its
 * metadata counts instead of its network.
 * @param metadata a digest of the metadata
 */
export const knownClientThrottleKeys = (metadata: string): ThrottleKeys => ({
  allOf: [
    { rule: 'clientMetadata', value: metadata },
    { rule: 'clientKnown', value: wholeService },
  ],
  anyOf: [],
});

/** The counters of a repeated registration: it gets the id of a stored client. */
export const repeatedClientThrottleKeys = (address: string): ThrottleKeys => ({
  allOf: [
    { rule: 'clientRepeat', value: networkPrefix(address) },
    { rule: 'clientRepeatRegion', value: regionPrefix(address) },
    { rule: 'clientRepeatProvider', value: providerPrefix(address) },
  ],
  anyOf: [],
});

/** The counters of an authorization request. */
export const authorizationThrottleKeys = (address: string): ThrottleKeys => ({
  allOf: [
    { rule: 'requestNetwork', value: networkPrefix(address) },
    { rule: 'requestRegion', value: regionPrefix(address) },
    { rule: 'requestProvider', value: providerPrefix(address) },
  ],
  anyOf: serviceOrReserve('requestService', 'requestReserve', 'requestShare', address),
});

/** The counters of a request for a reset link, with or without an account. */
export const resetThrottleKeys = (address: string): ThrottleKeys => ({
  allOf: [
    { rule: 'reset', value: networkPrefix(address) },
    { rule: 'resetSite', value: sitePrefix(address) },
    { rule: 'resetRegion', value: regionPrefix(address) },
    { rule: 'resetProvider', value: providerPrefix(address) },
  ],
  anyOf: serviceOrReserve('resetService', 'resetReserve', 'resetShare', address),
});

/** The counters of a sign-in by a passkey, an OpenID provider or a one-time link. */
export const attemptThrottleKeys = (address: string): readonly ThrottleKey[] => [
  { rule: 'attempt', value: networkPrefix(address) },
  { rule: 'attemptSite', value: sitePrefix(address) },
  { rule: 'attemptCustomer', value: customerPrefix(address) },
];

/** The counters of a code of the second factor. @param mark the browser's device cookie of the account, or null */
export const codeThrottleKeys = (account: string, mark: string | null): readonly ThrottleKey[] =>
  mark === null
    ? [
        { rule: 'code', value: account },
        { rule: 'codeDay', value: account },
      ]
    : [{ rule: 'codeBrowser', value: `${account} ${mark}` }];

/** The counter of mails to one address, in each spelling of its domain. */
export const mailThrottleKeys = (email: string): ThrottleKeys => ({
  allOf: [{ rule: 'mail', value: mailedAddress(email) }],
  anyOf: [],
});
