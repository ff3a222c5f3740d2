/**
 * Every limit on tries, as one table (docs/decisions/12-floods.md). `Throttle` applies it. Where a limit is per prefix
 * of an address, the prefixes are those of `address-prefixes.ts`.
 */
import { networkPrefix, providerPrefix, regionPrefix, sitePrefix } from './address-prefixes.ts';

/** `release` tries within the hour; the later ones wait `firstMs`, twice that, and so on, at most `mostMs`. */
export type BackoffRule = { free: number; firstMs: number; mostMs: number };
/** `burst` tries at once, and one more every `pollIntervalMs`. */
export type TokenBucketRule = { burst: number; everyMs: number };

const second = 1_000;
const minute = 60 * second;

const passwords = {
  /** Passwords of one account from one address. */
  pair: { free: 5, firstMs: second, mostMs: 5 * minute },
  /** Passwords of any accounts from one address. */
  address: { free: 30, firstMs: second, mostMs: 5 * minute },
  /** Passwords of any accounts from one site or one customer's /48: a caller who tries one password on many accounts. */
  site: { burst: 60, everyMs: 20 * second },
  customer: { burst: 120, everyMs: 10 * second },
  /** Passwords of one account from one region: a caller with many addresses there is one all the same. */
  region: { free: 10, firstMs: second, mostMs: 5 * minute },
  /**
   * Passwords of one account from anywhere within an hour. So many that only a caller with hundreds of networks comes
   * here: or a stranger could keep the owner out by using up what the owner needs.
   */
  account: { free: 2_000, firstMs: second, mostMs: 30 * second },
  /** Passwords of one account from a browser in which it was signed in before: none of the others hold there. */
  browser: { free: 5, firstMs: second, mostMs: 5 * minute },
} as const;

/** Sign-ups that are heard, whether the email turns out to be free or taken. */
const signUps = {
  signUp: { free: 30, firstMs: 2 * second, mostMs: 5 * minute },
  signUpSite: { burst: 40, everyMs: 5 * minute },
  signUpRegion: { burst: 60, everyMs: 5 * minute },
  signUpProvider: { burst: 120, everyMs: minute },
  signUpService: { burst: 200, everyMs: 12 * second },
  /** For providers that used little, when the others have used up what is above. */
  signUpReserve: { burst: 60, everyMs: 30 * second },
  signUpShare: { burst: 2, everyMs: 30 * minute },
} as const;

/** Sign-ups with an email that has an account: the answers that tell that it has. */
const taken = {
  taken: { free: 10, firstMs: 2 * second, mostMs: 5 * minute },
  takenSite: { burst: 15, everyMs: 5 * minute },
  takenRegion: { burst: 20, everyMs: 5 * minute },
  takenProvider: { burst: 40, everyMs: 2 * minute },
} as const;

/**
 * OAuth clients that register (beside 30 an hour of one network and 120 of one region, `oauth-repository.ts`). Of the whole
 * service 1,000 in an hour: as many as are kept without being used, so that each is kept for an hour.
 */
const clients = {
  clientSite: { burst: 60, everyMs: 2 * minute },
  clientProvider: { burst: 200, everyMs: 30 * second },
  clientService: { burst: 300, everyMs: 6 * second },
  clientReserve: { burst: 40, everyMs: minute },
  clientShare: { burst: 2, everyMs: 30 * minute },
} as const;

/**
 * Authorization requests that wait for a person: 1,880 in an hour, of which 2,000 are kept for an hour. A network and
 * its region have less than their provider, or one caller would use up what the others of the provider need.
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
  | keyof typeof signUps
  | keyof typeof taken
  | keyof typeof clients
  | keyof typeof requests;
export const throttleRules: Readonly<Record<ThrottleRuleName, BackoffRule | TokenBucketRule>> = {
  ...passwords,
  ...signUps,
  ...taken,
  ...clients,
  ...requests,
};

/** What a try is counted for: a rule, and the value that it is about (an address, an email, both). */
export type ThrottleKey = { rule: ThrottleRuleName; value: string };
/** All of `every` must be free, and all of one entry of `oneOf` (where it has any). */
export type ThrottleKeys = { allOf: readonly ThrottleKey[]; anyOf: readonly (readonly ThrottleKey[])[] };

/** The one value of a rule that counts for the whole service. */
const wholeService = 'all';

/** The whole service's pace; beside it the reserve, of which each provider has a small share. */
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

/** What a sign-up is counted for; `reservedSchemes` is to be released where the email was free. */
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

/** What the registration of an OAuth client is counted for. */
export const clientThrottleKeys = (address: string): ThrottleKeys => ({
  allOf: [
    { rule: 'clientSite', value: sitePrefix(address) },
    { rule: 'clientProvider', value: providerPrefix(address) },
  ],
  anyOf: serviceOrReserve('clientService', 'clientReserve', 'clientShare', address),
});

/** What an authorization request is counted for. */
export const authorizationThrottleKeys = (address: string): ThrottleKeys => ({
  allOf: [
    { rule: 'requestNetwork', value: networkPrefix(address) },
    { rule: 'requestRegion', value: regionPrefix(address) },
    { rule: 'requestProvider', value: providerPrefix(address) },
  ],
  anyOf: serviceOrReserve('requestService', 'requestReserve', 'requestShare', address),
});
