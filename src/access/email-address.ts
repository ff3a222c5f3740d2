/** Parses email addresses. A new address has one spelling per mailbox, so that limits per address hold. */
import { domainToASCII, domainToUnicode } from 'node:url';

const maxAddressLength = 254;
/** RFC 5321, section 4.5.3.1. */
const maxMailboxLength = 64;
const maxLabelLength = 63;

/** The characters of an atom (RFC 5322, section 3.2.3), with the letters of all scripts (RFC 6531). */
const atom = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u;
const hostLabel = /^[\p{L}\p{M}\p{N}-]+$/u;
const ascii = /^[\u0020-\u007e]*$/;

/** Trims an email and converts it to lower case; undefined if it has no mailbox and domain. `dev@localhost` is valid. */
export function normalizeEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email) && email.length <= maxAddressLength ? email : undefined;
}

/**
 * Whether a normalized email can belong to a new account: a mailbox without comments, quotes and display name, and a
 * host name. Mail servers deliver `x<ada@example.com>` and `ada(x)@example.com` to `ada@example.com`.
 */
export function isNewEmail(email: string): boolean {
  const at = email.lastIndexOf('@');
  const mailbox = email.slice(0, at);
  return (
    mailbox.length <= maxMailboxLength &&
    mailbox.split('.').every((part) => atom.test(part)) &&
    mailbox === mailbox.normalize('NFKC') &&
    isHostName(email.slice(at + 1))
  );
}

function isHostName(domain: string): boolean {
  const labels = domain.split('.');
  const isWellFormed = labels.every(
    (label) =>
      label.length <= maxLabelLength &&
      hostLabel.test(label) &&
      !label.startsWith('-') &&
      !label.endsWith('-'),
  );
  if (!isWellFormed || /^\d+$/.test(labels.at(-1) as string)) return false;
  // The DNS maps other spellings, such as full-width letters, to the same name (UTS #46).
  return ascii.test(domain) || domainToUnicode(domainToASCII(domain)) === domain;
}

/** Returns the address that mail servers see: the domain in ASCII. It is the same for `bücher.example` and its Punycode. */
export function mailedAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + (domainToASCII(email.slice(at)) || email.slice(at));
}
