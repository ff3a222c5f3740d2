/** The texts of the account pages in English, a file per group of pages. They are the pattern of the other languages, as `en.ts` is. */
import * as developer from './developer.ts';
import { failures, mails } from './failures.ts';
import { refusals } from './refusals.ts';
import * as security from './security.ts';
import { code, common, confirm, entry, openid, passkey, reset } from './sign-in.ts';

export const account = {
  refusals,
  common,
  entry,
  code,
  passkey,
  openid,
  confirm,
  reset,
  ...developer,
  ...security,
  failures,
  mails,
};
