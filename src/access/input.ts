/** What people type about accounts and keys, read once at the boundary; what cannot be is a `Failure`. */
import { type Plan, planNames } from '../contract/plans.ts';
import { Failure } from '../failure.ts';

const wrongUsage = 2;
const passwordMinimum = 10;
const passwordMaximum = 1_000;

/** Trimmed and in lower case; `dev@localhost` is an address too. */
export function readEmail(given: string): string {
  const email = given.trim().toLowerCase();
  if (!/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email) || email.length > 254) {
    throw new Failure(
      `${JSON.stringify(given)} is not an email address. Write it like name@example.com.`,
      wrongUsage,
    );
  }
  return email;
}

export function readPlan(given: string): Plan {
  const plan = planNames.find((name) => name === given);
  if (plan === undefined) {
    throw new Failure(
      `There is no plan ${JSON.stringify(given)}. Choose one of ${planNames.join(', ')}.`,
      wrongUsage,
    );
  }
  return plan;
}

export function readPassword(given: string): string {
  const { length } = [...given];
  if (length < passwordMinimum || length > passwordMaximum) {
    throw new Failure(
      `A password has ${passwordMinimum} to ${passwordMaximum} characters; this one has ${length}. Choose another.`,
      wrongUsage,
    );
  }
  return given;
}

export function readKeyName(given: string): string {
  const name = given.normalize('NFC').trim();
  if (name === '' || name.length > 100 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new Failure(
      "A key's name has 1 to 100 characters, on one line. Give one with --name, such as --name laptop.",
      wrongUsage,
    );
  }
  return name;
}

/** A limit of an account's own; null for its plan's. */
export function readLimit(what: string, given: number | null): number | null {
  if (given !== null && (!Number.isSafeInteger(given) || given < 0)) {
    throw new Failure(`The ${what} must be a whole number, 0 or more; ${given} is not.`, wrongUsage);
  }
  return given;
}

/** @param email as `readEmail` gave it */
export function unknownAccount(email: string): Failure {
  return new Failure(`No account ${email}. \`cratebase accounts list\` shows all.`);
}
