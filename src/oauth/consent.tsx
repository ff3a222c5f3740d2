/** The page on which a person is asked. */
import type { VNode } from 'preact';
import type { Session } from '../access/access.ts';
import { scopes } from '../contract/scopes.ts';
import { page } from '../pages/page.tsx';
import { Button, CsrfField, HostName, Notice } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';
import type { ClientInfo } from './client-info.ts';
import { Fact } from './fact.tsx';

export type ConsentOptions = {
  siteUrl: SiteUrl;
  session: Session;
  asking: ClientInfo;
  /** What must be said first; null: nothing. */
  notice: string | null;
  /** Of the request. */
  uid: string;
};

/** Who asks, whether that is certain, where the answer goes, what it allows, and in whose name. */
export function consentPage({ siteUrl, session, asking, notice, uid }: ConsentOptions): string {
  const { email } = session.account;
  const { csrf } = session;
  const action = `${siteUrl.prefix}/oauth/interaction/${uid}`;
  return page({
    siteUrl,
    title: `Let ${clientTitle(asking)} in?`,
    viewer: { email, csrf },
    children: (
      <>
        <h1 class="ask">
          Let <ClientHeading asking={asking} /> in?
        </h1>
        <div class="flow actions-below measure">
          {notice !== null && <Notice tone="bad">{notice}</Notice>}
          <Warning asking={asking} />
          <ConsentFacts asking={asking} siteUrl={siteUrl} email={email} />
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

type ConsentFactsProps = { asking: ClientInfo; siteUrl: SiteUrl; email: string };

const ConsentFacts = ({ asking, siteUrl, email }: ConsentFactsProps): VNode => (
  <dl class="facts">
    <Fact term="Who asks">
      <ClientIdentity asking={asking} />
    </Fact>
    <Fact term="Your answer goes to">
      <DestinationText asking={asking} />
    </Fact>
    <Fact term="What it may do">
      Use {siteUrl.name} in your name:
      <ul class="dashes">
        {asking.scopes.map((scope) => (
          <li key={scope}>{scopes[scope]}</li>
        ))}
        <li>Its requests count against your monthly quota.</li>
      </ul>
    </Fact>
    <Fact term="Signed in as">{email}</Fact>
  </dl>
);

/** By what it is known for certain, never by what it says of itself. */
function clientTitle({ host, destination }: ClientInfo): string {
  if (host !== null) return host;
  return destination.kind === 'device' ? 'a program on this computer' : `the app behind ${destination.name}:`;
}

function ClientHeading({ asking }: { asking: ClientInfo }): VNode {
  return asking.host === null ? <span>{clientTitle(asking)}</span> : <HostName name={asking.host} />;
}

function ClientIdentity({ asking }: { asking: ClientInfo }): VNode {
  const { claimedName: claimed, verified, publisher, host } = asking;
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

function DestinationText({ asking: { destination } }: { asking: ClientInfo }): VNode {
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

/** A link to this page can be sent by anybody, whoever it then is that asks. */
function Warning({ asking: { publisher, destination } }: { asking: ClientInfo }): VNode {
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
