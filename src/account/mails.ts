/** The mails of the account pages, in the language of the request. They are plain text, and begin with what the reader asked for. */
import type { Mail } from '../mail/mailer.ts';
import type { Messages } from '../pages/messages/messages.ts';
import type { SiteUrl } from '../pages/site-url.ts';

type Words = Messages['account']['mails'];

const paragraphs = (...texts: readonly string[]): string => [...texts, ''].join('\n\n');

/** A link to set a new password. */
export const resetMail = (words: Words, { name, url }: SiteUrl, to: string, path: string): Mail => ({
  to,
  subject: words.resetSubject(name),
  text: paragraphs(words.resetText(name), url + path, words.resetOnce, words.resetIgnore),
});

/** A link that confirms the address of a new account. */
export const confirmMail = (words: Words, { name, url }: SiteUrl, to: string, path: string): Mail => ({
  to,
  subject: words.confirmSubject(name),
  text: paragraphs(words.confirmText(name), url + path, words.confirmIgnore),
});

/** The answer to a sign-up with an address that has an account. */
export const accountExistsMail = (words: Words, { name, url }: SiteUrl, to: string): Mail => ({
  to,
  subject: words.existsSubject(name),
  text: paragraphs(
    words.existsText(name),
    `${url}/account/sign-in`,
    words.existsForgot,
    `${url}/account/forgot`,
    words.existsIgnore,
  ),
});
