/** Pages of failed authorization requests. */
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { VNode } from 'preact';
import { page } from '../pages/page.tsx';
import { ButtonLink, Fact, HostName } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';
import { redirectDestination } from './client-info.ts';
import { isAllowedRedirectUri } from './redirect-uris.ts';

/** An OAuth error; `errorRedirectUrl` is the address at which the app expects it. */
export type OAuthError = { error: string; error_description?: string | undefined; errorRedirectUrl?: string };
export type ShowError = (ctx: KoaContextWithOIDC, out: OAuthError, status?: number) => void;

/** The request was answered, has expired, or was begun in another browser. */
export function requestOverPage(siteUrl: SiteUrl): string {
  return page({
    siteUrl,
    title: 'This request is over',
    viewer: null,
    children: (
      <>
        <h1>This request is over</h1>
        <p class="lead">
          It was already answered, has expired, or was started in another browser. Nothing was changed. Go
          back to your app and connect it again.
        </p>
        <DeveloperPageLink siteUrl={siteUrl} />
      </>
    ),
  });
}

/** Explanations of OAuth errors for people. The page also has the code, for the makers of the app. */
const errorTexts: Record<string, string> = {
  invalid_client:
    'The app is not registered here, or its description cannot be read. Try to connect it again.',
  invalid_client_metadata: 'The description of the app is invalid.',
  invalid_redirect_uri: 'The app asks for a redirect to an address that is not registered for it.',
  unsupported_response_type: 'The app asks for a response that is not supported here.',
  unsupported_response_mode: 'The app asks for a response that is not supported here.',
  invalid_target: 'The app asks for access to another service than this one.',
  invalid_scope: 'The app asks for a permission that does not exist here.',
  login_required: 'The app asked for access without asking you, which is not possible here.',
  consent_required: 'The app asked for access without asking you, which is not possible here.',
  interaction_required: 'The app asked for access without asking you, which is not possible here.',
  temporarily_unavailable: 'There were too many requests. Wait a minute, then try again from the app.',
  server_error: 'Something went wrong here. Try again from the app.',
};
const defaultErrorText = 'The request of the app is incomplete or was changed.';

/** The page of an invalid request. It never redirects: a link back to the app names its destination. */
export function errorPage(
  siteUrl: SiteUrl,
  { error, error_description: description = '', errorRedirectUrl }: OAuthError,
): string {
  return page({
    siteUrl,
    title: 'This app cannot be let in',
    viewer: null,
    children: (
      <>
        <h1>This app cannot be let in</h1>
        <p class="lead">
          {errorTexts[error] ?? defaultErrorText} Nothing was shared. Go back to the app and try again; if
          that does not help, send the details below to its makers.
        </p>
        <dl class="facts actions-below">
          {errorRedirectUrl !== undefined && <Fact term="From">{senderLink(errorRedirectUrl)}</Fact>}
          <Fact term="Error">
            <code>{error}</code>
          </Fact>
          {description !== '' && <Fact term="Meaning">{description}</Fact>}
        </dl>
        <DeveloperPageLink siteUrl={siteUrl} />
      </>
    ),
  });
}

/** Names the app, with a link that reports the error to it. */
function senderLink(address: string): VNode {
  const { kind, name } = redirectDestination(address);
  const shown =
    kind === 'host' ? (
      <HostName name={name} />
    ) : kind === 'device' ? (
      `a program on this computer (${name})`
    ) : (
      `${name}:`
    );
  // An earlier version may have registered an address that is not allowed any more.
  if (!isAllowedRedirectUri(address.split('?', 1)[0])) return <span>{shown}</span>;
  return (
    <span>
      {shown} (
      <a href={address} rel="noreferrer nofollow">
        back to it, with this error
      </a>
      )
    </span>
  );
}

const DeveloperPageLink = ({ siteUrl }: { siteUrl: SiteUrl }): VNode => (
  <p class="actions">
    <ButtonLink look="quiet" href={`${siteUrl.prefix}/account/developer`}>
      Your developer page
    </ButtonLink>
  </p>
);
