/** The password as a proof before a change of the account, for accounts that have one. */
import type { VNode } from 'preact';
import { Field } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';

/** Whether `confirmIdentity` needs the password of the account; without one, it needs a new session. */
export const asksForPassword = async (visit: SignedInRequest): Promise<boolean> =>
  visit.deps.localPasswords && (await visit.deps.access.sessions.hasPassword(visit.session));

type PasswordFieldProps = {
  visit: SignedInRequest;
  error: string | null;
  /** "Your password" if absent. */
  label?: string;
};

/** Asks for the present password. */
export const PasswordField = ({ visit, error, label }: PasswordFieldProps): VNode => (
  <Field
    name="password"
    label={label ?? visit.words.security.yourPassword}
    type="password"
    autocomplete="current-password"
    error={error}
  />
);
