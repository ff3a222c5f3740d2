/** The buttons of the sign-in page for methods other than a password: OpenID Connect and passkeys. */
import type { VNode } from 'preact';
import type { PasskeyRequest } from '../access/access.ts';
import { ButtonLink } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { PasskeySignIn } from './sign-in-passkey.tsx';

type SignInMethodsProps = {
  visit: AccountRequest;
  /** Null where passkeys cannot work. */
  passkey: PasskeyRequest | null;
  /** A path of this site to go to afterwards. */
  next: string | null;
};

/** Renders the buttons of the methods that this service offers; null if it offers none. */
export function SignInMethods({ visit, passkey, next }: SignInMethodsProps): VNode | null {
  const { openid } = visit.deps;
  const query = next === null ? '' : `?next=${encodeURIComponent(next)}`;
  if (openid === null && passkey === null) return null;
  return (
    <div class="actions">
      {openid !== null && (
        <ButtonLink look="quiet" href={visit.path(`/account/sign-in/openid${query}`)}>
          {visit.words.openid.signIn(openid.options.name)}
        </ButtonLink>
      )}
      {passkey !== null && <PasskeySignIn visit={visit} passkey={passkey} next={next} />}
    </div>
  );
}
