/** The ways to sign in beside the password, on the sign-in page. */
import type { VNode } from 'preact';
import { ButtonLink } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';

/** @param next a path of this site to go to afterwards */
export function OtherWays({ visit, next }: { visit: AccountRequest; next: string | null }): VNode | null {
  const { openid } = visit.deps;
  if (openid === null) return null;
  const query = next === null ? '' : `?next=${encodeURIComponent(next)}`;
  return (
    <div class="actions">
      <ButtonLink look="quiet" href={visit.path(`/account/sign-in/openid${query}`)}>
        {`Sign in with ${openid.options.name}`}
      </ButtonLink>
    </div>
  );
}
