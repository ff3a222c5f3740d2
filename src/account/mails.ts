/** The mails of the account pages. They are plain text, and begin with what the reader asked for. */
import type { Mail } from '../mail/mailer.ts';
import type { SiteUrl } from '../pages/site-url.ts';

/** A link to set a new password. */
export function resetMail(siteUrl: SiteUrl, to: string, path: string): Mail {
  return {
    to,
    subject: `Set a new password for ${siteUrl.name}`,
    text: [
      `To set a new password for ${siteUrl.name}, open this link within an hour:`,
      siteUrl.url + path,
      'The link works once. Setting the password signs out all browsers of the account.',
      'If you did not ask for this, ignore this mail. Your password stays as it is.',
      '',
    ].join('\n\n'),
  };
}

/** A link that confirms the address of a new account. */
export function confirmMail(siteUrl: SiteUrl, to: string, path: string): Mail {
  return {
    to,
    subject: `Confirm your address for ${siteUrl.name}`,
    text: [
      `To create your account at ${siteUrl.name}, open this link within a day and type the password that you chose:`,
      siteUrl.url + path,
      'If you did not sign up, ignore this mail. No account is created then.',
      '',
    ].join('\n\n'),
  };
}

/** The answer to a sign-up with an address that has an account. */
export function accountExistsMail(siteUrl: SiteUrl, to: string): Mail {
  return {
    to,
    subject: `You have an account at ${siteUrl.name}`,
    text: [
      `Somebody asked for an account at ${siteUrl.name} with this address. There is one already. To sign in, open:`,
      `${siteUrl.url}/account/sign-in`,
      'If you forgot the password, open:',
      `${siteUrl.url}/account/forgot`,
      'If you did not sign up, ignore this mail. Your account stays as it is.',
      '',
    ].join('\n\n'),
  };
}
