/** The consent page. */
import type { VNode } from 'preact';
import type { Session } from '../access/access.ts';
import { scopes } from '../contract/scopes.ts';
import { page } from '../pages/page.tsx';
import { Button, CsrfField, Fact, HostName, Notice } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';
import type { ClientInfo } from './client-info.ts';

export type ConsentOptions = {
  siteUrl: SiteUrl;
  session: Session;
  client: ClientInfo;
  /** A message above the facts; null: none. */
  notice: string | null;
  /** Id of the authorization request. */
  uid: string;
};

/** Shows the app, whether it is verified, the destination of the response, the permissions and the account. */
export function consentPage({ siteUrl, session, client, notice, uid }: ConsentOptions): string {
  const { email } = session.account;
  const { csrf } = session;
  const action = `${siteUrl.prefix}/oauth/interaction/${uid}`;
  return page({
    siteUrl,
    title: `Let ${clientTitle(client)} in?`,
    viewer: { email, csrf },
    children: (
      <>
        <h1 class="ask">
          Let <ClientHeading client={client} /> in?
        </h1>
        <div class="flow actions-below measure">
          {notice !== null && <Notice tone="bad">{notice}</Notice>}
          <Warning client={client} />
          <ConsentFacts client={client} siteUrl={siteUrl} email={email} />
          <form class="decide" method="post" action={action}>
            <CsrfField token={csrf} />
            <div class="actions">
              <Button name="decision" value="allow">
                Allow
              </Button>
              <Button look="quiet" name="decision" value="deny">
                Deny
              </Button>
            </div>
          </form>
          <form method="post" action={action}>
            <CsrfField token={csrf} />
            <Button look="plain" name="decision" value="switch">
              Use another account
            </Button>
          </form>
          <p class="soft small">You can take this back at any time, on your developer page.</p>
        </div>
      </>
    ),
  });
}

type ConsentFactsProps = { client: ClientInfo; siteUrl: SiteUrl; email: string };

const ConsentFacts = ({ client, siteUrl, email }: ConsentFactsProps): VNode => (
  <dl class="facts">
    <Fact term="Who asks">
      <ClientIdentity client={client} />
    </Fact>
    <Fact term="Your answer goes to">
      <DestinationText client={client} />
    </Fact>
    <Fact term="What it may do">
      Use {siteUrl.name} in your name:
      <ul class="dashes">
        {client.scopes.map((scope) => (
          <li key={scope}>{scopes[scope]}</li>
        ))}
        <li>Its requests count against your monthly quota.</li>
      </ul>
    </Fact>
    <Fact term="Signed in as">{email}</Fact>
  </dl>
);

/** Returns the verified destination, never the name that the app claims. */
function clientTitle({ host, destination }: ClientInfo): string {
  if (host !== null) return host;
  return destination.kind === 'device' ? 'a program on this computer' : `the app behind ${destination.name}:`;
}

function ClientHeading({ client }: { client: ClientInfo }): VNode {
  return client.host === null ? <span>{clientTitle(client)}</span> : <HostName name={client.host} />;
}

function ClientIdentity({ client }: { client: ClientInfo }): VNode {
  const { claimedName: claimed, verified, publisher, host } = client;
  const name = claimed === null ? null : <bdi>{`“${claimed}”`}</bdi>;
  if (verified) {
    return (
      <span>
        {name ?? 'An app without a name'}. Verified: <HostName name={host as string} /> publishes this name.
      </span>
    );
  }
  if (publisher !== null) {
    return (
      <span>
        {name === null ? 'It has no name' : <>It calls itself {name}</>}, and <HostName name={publisher} />{' '}
        describes it. Not verified for this answer, which goes to another host.
      </span>
    );
  }
  return name === null ? (
    <span>Not verified: it does not say what it is.</span>
  ) : (
    <span>It calls itself {name}. Not verified: nobody has checked that.</span>
  );
}

function DestinationText({ client: { destination } }: { client: ClientInfo }): VNode {
  switch (destination.kind) {
    case 'host':
      return <HostName name={destination.name} />;
    case 'device':
      return (
        <span>
          a program on <strong>this computer</strong> (<code>{destination.name}</code>)
        </span>
      );
    case 'scheme':
      return (
        <span>
          the app on this device that opens <code>{`${destination.name}:`}</code> links
        </span>
      );
  }
}

/** Warns of links to this page in messages from other people. */
function Warning({ client: { publisher, destination } }: { client: ClientInfo }): VNode {
  return (
    <Notice>
      {publisher !== null && (
        <>
          Your answer goes to <HostName name={destination.name} />, which is not <HostName name={publisher} />
          .{' '}
        </>
      )}
      Allow it only if you have just started this yourself. Anybody can send you a link to this page.
    </Notice>
  );
}
