/** What a person is told where an app is not let in. */
import type { VNode } from 'preact';
import { page } from '../pages/page.tsx';
import { ButtonLink, HostName } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';
import { redirectDestination } from './client-info.ts';
import { Fact } from './fact.tsx';
import { isAllowedRedirectUri } from './redirect-uris.ts';
import type { OAuthError } from './told.ts';

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
          It was answered already, has expired, or was begun in another browser. Nothing was changed. Go back
          to your app and connect it again.
        </p>
        <DeveloperPageLink siteUrl={siteUrl} />
      </>
    ),
  });
}

/** Why an app is not let in, for a person; what its makers need stands below. */
const errorTexts: Record<string, string> = {
  invalid_client:
    'This service does not know the app. It may have to be connected anew, or its description cannot be read.',
  invalid_client_metadata: 'What the app says of itself is not in order.',
  invalid_redirect_uri: 'The app wants the answer at an address that is not registered for it.',
  unsupported_response_type: 'The app asks for a kind of answer that is not given here.',
  unsupported_response_mode: 'The app asks for a kind of answer that is not given here.',
  invalid_target: 'The app asks for access to another service than this one.',
  invalid_scope: 'The app asks for something that there is not here.',
  login_required: 'The app asked to be let in without asking you. Nobody is, here.',
  consent_required: 'The app asked to be let in without asking you. Nobody is, here.',
  interaction_required: 'The app asked to be let in without asking you. Nobody is, here.',
  temporarily_unavailable: 'Too much was asked of late. Wait a minute, then try again from the app.',
  server_error: 'Something went wrong here. Try again from the app.',
};
const defaultErrorText = 'The app’s request is incomplete, or was changed on its way.';

/** A request that is not answered. Nobody is sent on from here but by a link that says where it leads. */
export function errorPage(
  siteUrl: SiteUrl,
  { error, error_description: description = '', errorRedirectUrl: goesTo }: OAuthError,
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
          that changes nothing, tell its makers what stands below.
        </p>
        <dl class="facts actions-below">
          {goesTo !== undefined && <Fact term="From">{senderLink(goesTo)}</Fact>}
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

/** Whose request it is, with a link by which the app learns what is wrong. */
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
  // What was registered by an earlier version might be no address to be sent to.
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
