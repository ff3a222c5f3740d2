/** Passkeys on the sign-in page. */
import type { VNode } from 'preact';
import { AccountError, type PasskeyRequest, type PasskeySite } from '../access/access.ts';
import { assetPaths } from '../pages/assets.ts';
import { CsrfField } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';
import type { AccountRequest } from './account-request.ts';
import { showNotFound, showRefusedWayIn } from './error-pages.tsx';
import { completeSignIn } from './sign-in-code.tsx';

/** Returns the site of passkeys; null if browsers refuse them there: without https, except on localhost. */
export function passkeySite({ url, name }: SiteUrl): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(url);
  const isAllowed = protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname);
  // An IP address is no relying party id.
  const isName = !/^\[|^[\d.]+$/.test(hostname);
  return isAllowed && isName ? { rpId: hostname, origin, name } : null;
}

/** The script that talks to the authenticator, for the head of pages with passkeys. */
export const PasskeyScript = ({ siteUrl }: { siteUrl: SiteUrl }): VNode => (
  <script src={siteUrl.prefix + assetPaths.passkeyScript} defer />
);

/** The request of the sign-in page; null where passkeys cannot work. It is bound to the form cookie of the browser. */
export async function requestPasskey(visit: AccountRequest): Promise<PasskeyRequest | null> {
  const site = passkeySite(visit.deps.siteUrl);
  return site === null ? null : visit.deps.access.signIn.passkeys.requestSignIn(site, visit.formToken());
}

type SignInFormProps = { visit: AccountRequest; passkey: PasskeyRequest; next: string | null };

/** The button of the sign-in page. The script shows it. */
export function PasskeySignIn({ visit, passkey, next }: SignInFormProps): VNode {
  return (
    <form
      method="post"
      action={visit.path('/account/sign-in/passkey')}
      data-passkey="get"
      data-options={passkey.options}
      data-not-used={visit.words.passkey.notUsed}
      data-needs-passkey
      hidden
    >
      <CsrfField token={visit.formToken()} />
      {next !== null && <input type="hidden" name="next" value={next} />}
      <input type="hidden" name="ticket" value={passkey.ticket} />
      <input type="hidden" name="answer" value="" />
      <button type="button" class="quiet">
        {visit.words.passkey.signIn}
      </button>
      <p class="error" role="status" hidden />
    </form>
  );
}

/** Signs in with the answer of a passkey. */
export async function submitPasskey(visit: AccountRequest): Promise<void> {
  const { access, siteUrl } = visit.deps;
  const site = passkeySite(siteUrl);
  if (site === null) return showNotFound(visit);
  const from = visit.requestSource;
  try {
    const account = await access.signIn.passkeys.signIn(site, visit.field('answer'), {
      ticket: visit.field('ticket'),
      browser: visit.formToken(),
      address: from.address,
    });
    const session = await access.sessions.open(account, from);
    await completeSignIn(visit, session, visit.form.get('next'));
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    showRefusedWayIn(visit, 'passkey', failure);
  }
}
