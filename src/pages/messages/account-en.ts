/**
 * The texts of the account pages in English: all ways to sign in and up, passwords, failures, and the mails. It is the
 * pattern of the other languages, as `en.ts` is.
 */

/** A number or an email in a sentence. */
type Value = number | string;

const waitingTime = (seconds: number): string =>
  seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;

/** Why a form was refused, by the code of the `AccountError`. */
const refusals = {
  email: 'Write an email address like name@example.com.',
  email_differs: (email: Value) => `Type ${email} to delete this account.`,
  password: 'This password is among those that attackers try first. Choose another, such as several words.',
  password_length: (length: Value) =>
    `A password has 10 to 1000 characters; this one has ${length}. Choose another.`,
  password_is_email: 'The password is the email address, which others know. Choose another.',
  name: 'Give the key a name of 1 to 100 characters, such as laptop.',
  credentials: 'Email and password do not match an account. Check both, then try again.',
  credentials_of_sign_up: 'This is not the password that you chose when you signed up.',
  taken: 'There is an account with this email already. Sign in to it.',
  taken_meanwhile: 'There is an account with this email already.',
  pending: 'This account waits for the operator to admit it.',
  suspended: 'This account is suspended. Ask the operator of this service.',
  only_operator: 'You are the only operator of this service. Give another account the role operator first.',
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
};

/** What several of the pages have. */
const common = {
  error: (title: string) => `Error: ${title}`,
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 10 characters.',
  signIn: 'Sign in',
  createAccount: 'Create an account',
  haveAccount: 'Have an account?',
  voidLink: 'This link does not work any more',
  lookIntoMail: 'Look into your mail',
  notSignedIn: 'You are not signed in',
  notAdmitted: 'Your account is not admitted yet',
};

const entry = {
  leadSignIn: 'Manage your API keys, usage and connected apps.',
  leadSignUp:
    'For a key to the API, and for agents that read the catalogue for you. The Free plan costs nothing.',
  leadApproval:
    'For a key to the API, and for agents that read the catalogue for you. The operator of this service admits each account.',
  done: {
    'signed-out': 'You are signed out.',
    'signed-out-everywhere': 'You are signed out in every browser.',
    reset: 'Your new password is set. Sign in with it.',
    deleted: 'Your account is deleted, with its keys, apps and sessions.',
  },
  create: 'Create account',
  ask: 'Ask for an account',
  newHere: 'New here?',
  forgot: 'Forgot password?',
  closed: 'Registration is closed',
  closedText: 'Accounts of this service are made by whoever runs it, in the terminal:',
  requested: 'Your request was received',
  requestedLead:
    'Accounts of this service are admitted by its operator. Sign in later, in the same way, to see whether yours was admitted.',
  requestedText:
    'Your request is kept for 30 days. If you have an account with this email already, it stays as it is.',
  pendingLead:
    'You signed in correctly. The operator of this service has not admitted the account yet; until then it has no keys and cannot be used.',
  tryLater: 'Try again later',
};

const code = {
  title: 'Type your code',
  lead: 'Open your authenticator app and type the six digits that it shows for this service.',
  label: 'Code',
  hint: 'Without your device, type one of your recovery codes.',
  lost: 'Lost the device and the recovery codes? The operator of this service can remove the second factor.',
};

const passkey = {
  signIn: 'Sign in with a passkey',
  /** Told by the script of the page. */
  notUsed: 'No passkey was used. Try again, or choose another way.',
  alreadyThere: 'This device has a passkey of the account already.',
};

const openid = {
  signIn: (provider: string) => `Sign in with ${provider}`,
  waiting:
    'The operator of this service admits each account. Your request is on the list; sign in again later to see whether it was admitted.',
  unverified: 'Your email is not verified',
  unverifiedText: (provider: string) =>
    `${provider} does not say that it has verified your email address. Verify it there, then sign in again.`,
  domain: 'Not with this address',
  domainText: (domains: string, provider: string) =>
    `Only addresses of ${domains} can sign in here. Sign out at ${provider}, then sign in with such an address.`,
  closed: 'There is no account for you yet',
  closedText:
    'Registration is closed. Ask the operator of this service to create an account with your email address.',
  lost: 'This sign-in was not begun here',
  lostText:
    'It was begun in another browser, more than ten minutes ago, or it is over already. Open the sign-in page and begin again.',
  denied: 'You did not sign in',
  deniedText: (provider: string) =>
    `${provider} says that the sign-in was cancelled. Open the sign-in page to begin again.`,
  down: (provider: string) => `${provider} does not answer`,
  downText:
    'Try again in some minutes. If it lasts, tell the operator of this service; the log has the reason.',
  failed: 'The sign-in did not succeed',
  failedText: (provider: string) =>
    `The answer of ${provider} is not right, or too old. Open the sign-in page and begin again. If it happens again, tell the operator of this service; the log has the reason.`,
  link: 'Is this your account?',
  linkLead:
    'There is an account with {email} here already. Type its password once; from then on you sign in to it with {provider}.',
  linkWrong: 'This is not the password of the account.',
  linkButton: 'Link and sign in',
  linkHint: 'You do not know it? The operator of this service can confirm that the address is yours.',
};

const confirm = {
  sentText:
    'We sent you a link that confirms your address. It is valid for a day. If no mail arrives within some minutes, look into the spam folder, then check the address.',
  title: 'Confirm your address',
  lead: 'Type the password that you chose when you signed up with {email}. Without it, no account is created: somebody else may have typed your address.',
  button: 'Confirm',
  voidText: 'It was used, or is more than a day old. If you have no account yet, sign up again.',
};

const reset = {
  forgot: 'Forgot your password?',
  askOperator:
    'This service sends no mail. Ask its operator for a link: it lets you set a new password, works once, and is valid for an hour.',
  askCommand: 'The operator creates it with {command} and your email.',
  forgotLead: 'Type the email of your account. You get a mail with a link to set a new password.',
  send: 'Send the link',
  back: 'Back to sign in',
  sentText:
    'If there is an account with this email, a link to set a new password is on its way. It is valid for an hour. If no mail arrives within some minutes, look into the spam folder, then check the address.',
  title: 'Set a new password',
  lead: 'For {email}. All browsers of the account are signed out; keys and connected apps go on.',
  button: 'Set password',
  voidText: 'It was used, replaced by a newer one, or is more than an hour old.',
  another: 'Get another link',
  noPasswords: 'There are no passwords here',
  noPasswordsText:
    'Accounts of this service have no password of their own. Open the sign-in page to see how to sign in.',
};

/** Requests that fail. `detail` is the English text of the problem. */
const failures = {
  toAccount: 'To your account',
  request: 'Request',
  notFound: 'Page not found',
  notFoundText:
    'There is nothing at this address, or it is not yours. Check the address, or start from your account.',
  stale: 'This form is out of date',
  staleText:
    'It was opened before you signed in or out, or your browser keeps no cookies. Nothing was changed. Go back, reload the page, and send it again.',
  crossSite: 'Not from our own page',
  crossSiteText: (url: string) =>
    `This form was sent from another site, so nothing was changed. Open ${url}/account yourself.`,
  method: 'Not this way',
  methodText: (methods: string) => `Use ${methods} here.`,
  internal: 'Something went wrong here',
  internalText: (detail: string) => detail,
  unavailable: 'Not available at present',
  unavailableText: (detail: string) => detail,
  other: 'That did not work',
  tooLargeText: (detail: string) => detail,
  otherText: (detail: string) => detail,
};

const ignoreSignUp = 'If you did not sign up, ignore this mail.';

/** The mails: a subject, and paragraphs around the addresses. */
const mails = {
  resetSubject: (service: string) => `Set a new password for ${service}`,
  resetText: (service: string) => `To set a new password for ${service}, open this link within an hour:`,
  resetOnce: 'The link works once. Setting the password signs out all browsers of the account.',
  resetIgnore: 'If you did not ask for this, ignore this mail. Your password stays as it is.',
  confirmSubject: (service: string) => `Confirm your address for ${service}`,
  confirmText: (service: string) =>
    `To create your account at ${service}, open this link within a day and type the password that you chose:`,
  confirmIgnore: `${ignoreSignUp} No account is created then.`,
  existsSubject: (service: string) => `You have an account at ${service}`,
  existsText: (service: string) =>
    `Somebody asked for an account at ${service} with this address. There is one already. To sign in, open:`,
  existsForgot: 'If you forgot the password, open:',
  existsIgnore: `${ignoreSignUp} Your account stays as it is.`,
};

export const account = {
  refusals,
  common,
  entry,
  code,
  passkey,
  openid,
  confirm,
  reset,
  failures,
  mails,
};
