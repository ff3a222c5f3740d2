/** Requests of account pages that fail, and the mails, in English. */

/** Requests that fail. `detail` is the English text of the problem. */
export const failures = {
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
export const mails = {
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
    `An account at ${service} was requested with this address. There is one already. To sign in, open:`,
  existsForgot: 'If you forgot the password, open:',
  existsIgnore: `${ignoreSignUp} Your account stays as it is.`,
};
