/** Pages of failed authorization requests. */
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { VNode } from 'preact';
import { type Language, messagesOf, useMessages } from '../pages/messages/messages.ts';
import { page } from '../pages/page.tsx';
import { Fact, HostName, QuietLink } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';
import { redirectDestination } from './client-info.ts';
import { isAllowedRedirectUri } from './redirect-uris.ts';

/** An OAuth error; `errorRedirectUrl` is the address at which the app expects it. */
export type OAuthError = { error: string; error_description?: string | undefined; errorRedirectUrl?: string };
export type ShowError = (ctx: KoaContextWithOIDC, out: OAuthError, status?: number) => void;

/** The site and the language of a page. */
type PageOf = { siteUrl: SiteUrl; language: Language };

/** The request was answered, has expired, or was begun in another browser. */
export function requestOverPage({ siteUrl, language }: PageOf): string {
  const { consent: words } = messagesOf(language);
  return page({
    siteUrl,
    language,
    title: words.over,
    viewer: null,
    children: (
      <>
        <h1>{words.over}</h1>
        <p class="lead">{words.overText}</p>
        <DeveloperPageLink siteUrl={siteUrl} />
      </>
    ),
  });
}

/** The page of an invalid request. It never redirects: a link back to the app names its destination. */
export function errorPage(
  { siteUrl, language }: PageOf,
  { error, error_description: description = '', errorRedirectUrl }: OAuthError,
): string {
  const { consent: words } = messagesOf(language);
  // The page also has the code, for the makers of the app.
  const texts: Readonly<Record<string, string>> = words.errors;
  return page({
    siteUrl,
    language,
    title: words.failed,
    viewer: null,
    children: (
      <>
        <h1>{words.failed}</h1>
        <p class="lead">
          {texts[error] ?? words.incomplete} {words.failedHint}
        </p>
        <dl class="facts actions-below">
          {errorRedirectUrl !== undefined && (
            <Fact term={words.from}>
              <SenderLink address={errorRedirectUrl} />
            </Fact>
          )}
          <Fact term={words.error}>
            <code>{error}</code>
          </Fact>
          {description !== '' && (
            <Fact term={words.meaning}>
              <span lang="en">{description}</span>
            </Fact>
          )}
        </dl>
        <DeveloperPageLink siteUrl={siteUrl} />
      </>
    ),
  });
}

/** Names the app, with a link that reports the error to it. */
function SenderLink({ address }: { address: string }): VNode {
  const { consent: words } = useMessages();
  const { kind, name } = redirectDestination(address);
  const sender =
    kind === 'host' ? <HostName name={name} /> : kind === 'device' ? words.programAt(name) : `${name}:`;
  // An earlier version may have registered an address that is not allowed any more.
  if (!isAllowedRedirectUri(address.split('?', 1)[0])) return <span>{sender}</span>;
  return (
    <span>
      {sender} (
      <a href={address} rel="noreferrer nofollow">
        {words.backWithError}
      </a>
      )
    </span>
  );
}

const DeveloperPageLink = ({ siteUrl }: { siteUrl: SiteUrl }): VNode => (
  <p class="actions">
    <QuietLink href={`${siteUrl.prefix}/account/developer`}>{useMessages().consent.developerPage}</QuietLink>
  </p>
);
