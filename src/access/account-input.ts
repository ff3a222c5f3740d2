/** Parses the input of people about accounts and keys. Errors are a `Failure` at the terminal, an `AccountError` in a form. */
import { type Plan, planNames } from '../contract/plans.ts';
import { type Role, roles } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import { AccountError, type AccountErrorCode } from './account-error.ts';
import { commonPasswords } from './common-passwords.ts';
import { isNewEmail, normalizeEmail } from './email-address.ts';

const usageExitStatus = 2;
const minPasswordLength = 10;
const maxPasswordLength = 1_000;

/** Characters that are invisible or change the direction of text. */
const invisibleCharacter = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Parses the email of an account that exists. Older accounts may have one that new accounts cannot have. Throws a
 * `Failure` (wrong usage).
 */
export function parseEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email === undefined) throw invalidEmailFailure(text);
  return email;
}

const invalidEmailFailure = (text: string): Failure =>
  new Failure(
    `${JSON.stringify(text)} is not an email address. Write it like name@example.com.`,
    usageExitStatus,
    { field: 'email', code: 'email' },
  );

/**
 * Parses the email of a new account, which is a bare address without invisible characters. Throws a `Failure` (wrong
 * usage) of the field `email`.
 */
export function parseNewEmail(text: string): string {
  const email = parseEmail(text);
  if (invisibleCharacter.test(email)) {
    throw new Failure(
      `${JSON.stringify(text.replace(/[^ -~]+/g, '…'))} has invisible characters. Type it again.`,
      usageExitStatus,
      { field: 'email', code: 'email' },
    );
  }
  if (!isNewEmail(email)) throw invalidEmailFailure(text);
  return email;
}

/**
 * Parses the email of a form, which is a bare address too: the service sends mail to it. Throws an `AccountError`
 * (`email`).
 */
export function parseFormEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email === undefined || invisibleCharacter.test(email) || !isNewEmail(email))
    throw new AccountError('email', 'Write an email address like name@example.com.');
  return email;
}

/** Parses the name of a plan. Throws a `Failure` (wrong usage) that lists all names. */
export function parsePlan(text: string): Plan {
  const plan = planNames.find((name) => name === text);
  if (plan === undefined) {
    throw new Failure(
      `There is no plan ${JSON.stringify(text)}. Choose one of ${planNames.join(', ')}.`,
      usageExitStatus,
      { field: 'plan', code: 'choice' },
    );
  }
  return plan;
}

/** Parses the name of a role. Throws a `Failure` (wrong usage) that lists all names. */
export function parseRole(text: string): Role {
  const role = roles.find((name) => name === text);
  if (role === undefined) {
    throw new Failure(
      `There is no role ${JSON.stringify(text)}. Choose one of ${roles.join(', ')}.`,
      usageExitStatus,
      { field: 'role', code: 'choice' },
    );
  }
  return role;
}

type PasswordProblem = { code: AccountErrorCode; message: string; value?: number };

/**
 * Returns why a new password is refused (NIST SP 800-63B, section 5.1.1.2); null if it is accepted. Existing passwords
 * stay valid.
 */
function passwordProblem(password: string, email: string): PasswordProblem | null {
  const { length } = [...password];
  if (length < minPasswordLength || length > maxPasswordLength)
    return {
      code: 'password_length',
      value: length,
      message: `A password has ${minPasswordLength} to ${maxPasswordLength} characters; this one has ${length}. Choose another.`,
    };
  const foldedPassword = password.normalize('NFKC').toLowerCase();
  const [mailbox] = email.split('@', 1);
  if (foldedPassword.trim() === email || foldedPassword === mailbox)
    return {
      code: 'password_is_email',
      message: 'The password is the email address, which others know. Choose another.',
    };
  if (commonPasswords.has(foldedPassword) || new Set(foldedPassword).size === 1)
    return {
      code: 'password',
      message:
        'This password is among those that attackers try first. Choose another, such as several words.',
    };
  return null;
}

/** Parses a new password. `email` is the result of `parseEmail`. Throws a `Failure` (wrong usage). */
export function parsePassword(text: string, email: string): string {
  const problem = passwordProblem(text, email);
  if (problem !== null) throw new Failure(problem.message, usageExitStatus);
  return text;
}

/** Parses a new password of a form. `email` is that of the account, folded. Throws an `AccountError` (`password`). */
export function parseFormPassword(text: string, email: string): string {
  const problem = passwordProblem(text, email);
  if (problem !== null) throw new AccountError('password', problem.message, problem);
  return text;
}

/** Removes invisible characters from the name of a key; undefined if the name is invalid. */
function normalizeKeyName(text: string): string | undefined {
  const name = text
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  return name === '' || name.length > 100 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? undefined : name;
}

/** Parses the name of a key or passkey from a form. Throws an `AccountError` (`name`). */
export function parseFormKeyName(text: string): string {
  const name = normalizeKeyName(text);
  if (name === undefined)
    throw new AccountError('name', 'Give a name of 1 to 100 characters, such as laptop.');
  return name;
}

/**
 * Parses the name of a key from the command line. Throws a `Failure` (wrong usage) if it is empty, too long or has
 * several lines.
 */
export function parseKeyName(text: string): string {
  const name = normalizeKeyName(text);
  if (name === undefined) {
    throw new Failure(
      "A key's name has 1 to 100 characters, on one line. Give one with --name, such as --name laptop.",
      usageExitStatus,
    );
  }
  return name;
}

/** Parses a limit of one account; null is the limit of its plan. Throws a `Failure` that names it as `what`. */
export function parseAccountLimit(what: string, limit: number | null): number | null {
  if (limit !== null && (!Number.isSafeInteger(limit) || limit < 0)) {
    throw new Failure(`The ${what} must be a whole number, 0 or more; ${limit} is not.`, usageExitStatus);
  }
  return limit;
}

/** The failure for an email without an account. */
export function unknownAccountFailure(email: string): Failure {
  return new Failure(
    `No account ${email}. \`cratebase accounts list\` shows all, \`cratebase accounts list --pending\` those that wait to be admitted.`,
  );
}
