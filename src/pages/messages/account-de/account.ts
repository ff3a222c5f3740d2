/** The texts of the account pages in German; their style is that of `de.ts`. */
import type { Messages } from '../en.ts';
import * as developer from './developer.ts';
import { failures, mails } from './failures.ts';
import { refusals } from './refusals.ts';
import * as security from './security.ts';
import { code, common, confirm, entry, openid, passkey, reset } from './sign-in.ts';

export const account: Messages['account'] = {
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
