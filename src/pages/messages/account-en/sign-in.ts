/** The texts of signing in and up, and of passwords, in English. */

/** What several of the pages have. */
export const common = {
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

export const entry = {
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
  closedText: 'The operator of this service creates accounts, in the terminal:',
  requested: 'Your request was received',
  requestedLead:
    'Accounts of this service are admitted by its operator. Sign in later, in the same way, to see whether yours was admitted.',
  requestedText:
    'Your request is kept for 30 days. If you have an account with this email already, it stays as it is.',
  pendingLead:
    'You signed in correctly. The operator of this service has not admitted the account yet; until then it has no keys and cannot be used.',
  tryLater: 'Try again later',
};

export const code = {
  title: 'Type your code',
  lead: 'Open your authenticator app and type the six digits that it shows for this service.',
  label: 'Code',
  hint: 'Without your device, type one of your recovery codes.',
  lost: 'Lost the device and the recovery codes? The operator of this service can remove the second factor.',
};

export const passkey = {
  signIn: 'Sign in with a passkey',
  /** Shown by the script of the page. */
  notUsed: 'No passkey was used. Try again, or choose another way.',
  alreadyThere: 'This device has a passkey of the account already.',
};

export const openid = {
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

export const confirm = {
  sentText:
    'We sent you a link that confirms your address. It is valid for a day. If no mail arrives within some minutes, look into the spam folder, then check the address.',
  title: 'Confirm your address',
  lead: 'Type the password that you chose when you signed up with {email}. Without it, no account is created: another person may have typed your address.',
  button: 'Confirm',
  voidText: 'It was used, or is more than a day old. If you have no account yet, sign up again.',
};

export const reset = {
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
