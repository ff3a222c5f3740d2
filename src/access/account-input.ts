/** What people type about accounts and keys, read once at the boundary; what cannot be is a `Failure`. */
import { type Plan, planNames } from '../contract/plans.ts';
import { Failure } from '../failure.ts';
import { AccountError } from './account-error.ts';
import { commonPasswords } from './common-passwords.ts';

const usageExitStatus = 2;
const minPasswordLength = 10;
const maxPasswordLength = 1_000;

/** What is not seen, or turns what stands around it. */
const invisibleCharacter = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Trimmed and in lower case; undefined where it is none. `dev@localhost` is an address too. */
function normalizeEmail(given: string): string | undefined {
  const email = given.trim().toLowerCase();
  return /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email) && email.length <= 254 ? email : undefined;
}

export function parseEmail(given: string): string {
  const email = normalizeEmail(given);
  if (email === undefined) {
    throw new Failure(
      `${JSON.stringify(given)} is not an email address. Write it like name@example.com.`,
      usageExitStatus,
    );
  }
  return email;
}

/** The same of a new account: with nothing in it that cannot be seen. */
export function parseNewEmail(given: string): string {
  const email = parseEmail(given);
  if (invisibleCharacter.test(email)) {
    throw new Failure(
      `${JSON.stringify(given.replace(/[^ -~]+/g, '…'))} has characters in it that cannot be seen. Type it anew.`,
      usageExitStatus,
    );
  }
  return email;
}

/** The same, typed into a form. */
export function parseFormEmail(given: string): string {
  const email = normalizeEmail(given);
  if (email === undefined || invisibleCharacter.test(email))
    throw new AccountError('email', 'Write an email address like name@example.com.');
  return email;
}

export function parsePlan(given: string): Plan {
  const plan = planNames.find((name) => name === given);
  if (plan === undefined) {
    throw new Failure(
      `There is no plan ${JSON.stringify(given)}. Choose one of ${planNames.join(', ')}.`,
      usageExitStatus,
    );
  }
  return plan;
}

/**
 * Why a new password cannot be used; null where it can. Passwords that were chosen earlier stay valid.
 * NIST SP 800-63B, section 5.1.1.2.
 */
function passwordProblem(password: string, email: string): string | null {
  const { length } = [...password];
  if (length < minPasswordLength || length > maxPasswordLength)
    return `A password has ${minPasswordLength} to ${maxPasswordLength} characters; this one has ${length}. Choose another.`;
  const folded = password.normalize('NFKC').toLowerCase();
  const [mailbox] = email.split('@', 1);
  if (folded.trim() === email || folded === mailbox)
    return 'The password is the email address, which others know. Choose another.';
  if (commonPasswords.has(folded) || new Set(folded).size === 1)
    return 'This password is among those that attackers try first. Choose another, such as several words.';
  return null;
}

/** @param email of its account, as `parseEmail` gave it */
export function parsePassword(given: string, email: string): string {
  const fault = passwordProblem(given, email);
  if (fault !== null) throw new Failure(fault, usageExitStatus);
  return given;
}

/** The same, typed into a form. */
export function parseFormPassword(given: string, email: string): string {
  const fault = passwordProblem(given, email);
  if (fault !== null) throw new AccountError('password', fault);
  return given;
}

/** Without what cannot be seen; undefined where it is none. */
function normalizeKeyName(given: string): string | undefined {
  const name = given
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  return name === '' || name.length > 100 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? undefined : name;
}

/** A key's name, typed into a form. */
export function parseFormKeyName(given: string): string {
  const name = normalizeKeyName(given);
  if (name === undefined)
    throw new AccountError('name', 'Give the key a name of 1 to 100 characters, such as laptop.');
  return name;
}

export function parseKeyName(given: string): string {
  const name = normalizeKeyName(given);
  if (name === undefined) {
    throw new Failure(
      "A key's name has 1 to 100 characters, on one line. Give one with --name, such as --name laptop.",
      usageExitStatus,
    );
  }
  return name;
}

/** A limit of an account's own; null for its plan's. */
export function parseAccountLimit(what: string, given: number | null): number | null {
  if (given !== null && (!Number.isSafeInteger(given) || given < 0)) {
    throw new Failure(`The ${what} must be a whole number, 0 or more; ${given} is not.`, usageExitStatus);
  }
  return given;
}

/** @param email as `parseEmail` gave it */
export function unknownAccountFailure(email: string): Failure {
  return new Failure(
    `No account ${email}. \`cratebase accounts list\` shows all, \`cratebase accounts list --pending\` those that wait to be admitted.`,
  );
}
