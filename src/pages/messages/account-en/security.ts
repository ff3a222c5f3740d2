/** The texts of the page of the account, in English: its ways in, its sessions, and its deletion. */

/** A number that is formatted already. */
type Value = number | string;

export const security = {
  title: 'Account',
  back: 'Back to your account',
  yourPassword: 'Your password',
  wrongPassword: 'This is not your password.',
  password: 'Password',
  presentPassword: 'Present password',
  changePassword: 'Change password',
  setPassword: 'Set a password',
  secondFactor: 'Second factor',
  passkeys: 'Passkeys',
  logins: 'Linked logins',
  sessions: 'Signed in',
  thisBrowser: 'this browser',
  since: (address: string) => `${address}, since {date}`,
  lastSeen: 'last seen {date}',
  signOut: 'Sign out',
  signOutNamed: (browser: string, address: string) => `Sign out ${browser}, ${address}`,
  signOutEverywhere: 'Sign out everywhere',
  done: {
    password: 'Your password is changed. Every other browser is signed out; keys and connected apps go on.',
    ended: 'That browser is signed out.',
    'passkey-added': 'Your passkey is added. Use it the next time you sign in.',
    'passkey-removed': 'The passkey is removed.',
    'second-factor-off': 'The second factor is off.',
    'login-unlinked': 'The login is unlinked. It does not sign you in any more.',
  },
};

export const deletion = {
  title: 'Delete account',
  summary: 'Everything of it goes for good: keys, connected apps, sessions, usage.',
  heading: 'Delete this account?',
  lead: 'Its keys and connected apps are refused from their next request on, and nothing of it can be brought back. If you create it again with this email in the same month, it goes on with what is left of the quota.',
  email: 'Your email',
  button: 'Delete for good',
};

/** Logins of an OpenID provider. */
export const logins = {
  lead: 'You also sign in here with these accounts of other services.',
  linked: 'linked {date}',
  lastUsed: 'last used {date}',
  unlink: 'Unlink',
  unlinkNamed: (provider: string, email: string) => `Unlink ${email} at ${provider}`,
  title: 'Unlink a login',
  button: 'Unlink login',
  heading: 'Unlink this login?',
  unlinkLead:
    '{email} at {provider} does not sign you in here any more. If you sign in with it later, you are asked for the password of your account once to link it again. Browsers that are signed in stay signed in.',
};

/** The second factor: its section, its set-up, and its recovery codes. */
export const factor = {
  title: 'Second factor',
  off: 'Off. With a second factor, signing in with the password also takes a code that an app on your phone shows.',
  on: 'On since {date}.',
  noCodesLeft: 'No recovery codes are left.',
  codesLeft: (count: Value) => `Unused recovery codes: ${count}.`,
  setUp: 'Set up a second factor',
  change: 'Change the second factor',
  need: 'You need an authenticator app, such as Aegis, 2FAS or Google Authenticator. It shows a new code every 30 seconds.',
  begin: 'Set up',
  isOn: 'Signing in with the password takes a code of your authenticator app.',
  newCodes: 'New recovery codes',
  newCodesText: 'The earlier ones stop working.',
  showCodes: 'Show new codes',
  turnOff: 'Turn it off',
  turnOffText: 'Then the password alone is enough.',
  turnOffButton: 'Turn off',
  scan: '1. Scan this with your authenticator app, or type the key into it.',
  qrCode: 'QR code with the key below',
  copyKey: 'Copy the key',
  type: '2. Type the code that the app shows.',
  turnOn: 'Turn on',
  notNow: 'Not now',
  turnedOn: 'Your second factor is on',
  renewed: 'Your new recovery codes',
  keep: 'Keep these recovery codes where you find them without your phone. Each signs you in once instead of a code of the app. They are not shown again.',
  copyCodes: 'Copy the codes',
  areKept: 'I have kept them',
};

/** The passkeys of the account; `passkey` has the texts of the sign-in page. */
export const passkeys = {
  lead: 'Sign in with your fingerprint, your face or the PIN of a device, instead of password and code.',
  since: 'Since {date}',
  notUsed: 'not used yet',
  lastUsed: 'last used {date}',
  change: 'Change',
  changeNamed: (name: string) => `Rename or remove ${name}`,
  add: 'Add a passkey',
  confirm: 'First confirm that the account is yours.',
  next: 'Continue',
  nameIt: 'Give the passkey a name by which you know the device or the app that keeps it.',
  name: 'Name',
  nameHint: 'Such as: my phone',
  create: 'Create the passkey',
  needScript: 'Passkeys need JavaScript.',
  changeTitle: 'Change a passkey',
  rename: 'Rename',
  remove: 'Remove it',
  removeText: 'It does not sign in any more. Delete it on the device too.',
  isLast: 'It is the last passkey of the account.',
  removeButton: 'Remove passkey',
};
