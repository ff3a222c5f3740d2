/** Why a form of an account page was refused, in English. */

/** A number or an email in a sentence. */
type Value = number | string;

const waitingTime = (seconds: number): string =>
  seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;

/** Why a form was refused, by the code of the `AccountError`. */
export const refusals = {
  email: 'Write an email address like name@example.com.',
  email_differs: (email: Value) => `Type ${email} to delete this account.`,
  password: 'This password is among those that attackers try first. Choose another, such as several words.',
  password_length: (length: Value) =>
    `A password has 10 to 1000 characters; this one has ${length}. Choose another.`,
  password_is_email: 'The password is the email address, which others know. Choose another.',
  name: 'Give a name of 1 to 100 characters, such as laptop.',
  credentials: 'Email and password do not match an account. Check both, then try again.',
  credentials_of_sign_up: 'This is not the password that you chose when you signed up.',
  taken: 'There is an account with this email already. Sign in to it.',
  taken_meanwhile: 'There is an account with this email already.',
  pending: 'This account waits for the operator to admit it.',
  suspended: 'This account is suspended. Ask the operator of this service.',
  only_operator: 'You are the only operator of this service. Give another account the role operator first.',
  only_way:
    'You have no other way to sign in. Add one on the page of your account first, then unlink this login.',
  link: 'This link was used, replaced by a newer one, or is too old.',
  second_factor: 'Type a code too.',
  code: 'The code is not right, or it was used before. Wait for the next one.',
  code_enabled: 'Codes are required already. Turn them off first to use another device.',
  passkey: 'The passkey could not be checked. Try again, or sign in in another way.',
  passkey_unknown: 'This passkey does not belong to an account here.',
  passkey_used_up: 'This page was open for too long, or was used already. Try again.',
  stale: 'You signed in a while ago. Sign out, sign in again, then repeat this.',
  slow: (seconds: Value) => `Too many tries. Wait ${waitingTime(Number(seconds))}, then try again.`,
  slow_waiting_list: 'Too many people wait for an account here. Try again tomorrow.',
  full: (most: Value) => `There are ${most} active keys, which is the most. Revoke one first.`,
  full_of_passkeys: (most: Value) => `An account has at most ${most} passkeys. Remove one first.`,
  terms: 'Choose what the key may call from the list.',
  terms_expiry: 'Choose from the list when the key expires, or a date in the future.',
  terms_overlap: 'Choose from the list how long the old key stays valid.',
  key_replaced: 'This key was replaced. Replace its successor instead.',
};
