/** The page on which a person is asked. */
import type { VNode } from 'preact';
import type { Session } from '../access/access.ts';
import { scopes } from '../contract/scopes.ts';
import { page } from '../pages/page.tsx';
import { Button, Csrf, Host, Notice } from '../pages/parts.tsx';
import type { Place } from '../pages/place.ts';
import type { Asking } from './asking.ts';
import { Fact } from './fact.tsx';

export type Consent = {
  place: Place;
  session: Session;
  asking: Asking;
  /** What must be said first; null: nothing. */
  notice: string | null;
  /** Of the request. */
  uid: string;
};

/** Who asks, whether that is certain, where the answer goes, what it allows, and in whose name. */
export function consentPage({ place, session, asking, notice, uid }: Consent): string {
  const { email } = session.account;
  const { csrf } = session;
  const action = `${place.prefix}/oauth/interaction/${uid}`;
  return page({
    place,
    title: `Let ${titleOf(asking)} in?`,
    viewer: { email, csrf },
    children: (
      <>
        <h1 class="ask">
          Let <Asker asking={asking} /> in?
        </h1>
        <div class="flow actions-below measure">
          {notice !== null && <Notice tone="bad">{notice}</Notice>}
          <Warning asking={asking} />
          <Facts asking={asking} place={place} email={email} />
          <form class="decide" method="post" action={action}>
            <Csrf token={csrf} />
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
            <Csrf token={csrf} />
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

type FactsProps = { asking: Asking; place: Place; email: string };

const Facts = ({ asking, place, email }: FactsProps): VNode => (
  <dl class="facts">
    <Fact term="Who asks">
      <Identity asking={asking} />
    </Fact>
    <Fact term="Your answer goes to">
      <Where asking={asking} />
    </Fact>
    <Fact term="What it may do">
      Use {place.name} in your name:
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
function titleOf({ host, destination }: Asking): string {
  if (host !== null) return host;
  return destination.kind === 'device' ? 'a program on this computer' : `the app behind ${destination.name}:`;
}

function Asker({ asking }: { asking: Asking }): VNode {
  return asking.host === null ? <span>{titleOf(asking)}</span> : <Host name={asking.host} />;
}

function Identity({ asking }: { asking: Asking }): VNode {
  const { claimed, verified, publisher, host } = asking;
  const name = claimed === null ? null : <bdi>{`“${claimed}”`}</bdi>;
  if (verified) {
    return (
      <span>
        {name ?? 'An app without a name'}. Verified: <Host name={host as string} /> publishes this name.
      </span>
    );
  }
  if (publisher !== null) {
    return (
      <span>
        {name === null ? 'It has no name' : <>It calls itself {name}</>}, and <Host name={publisher} />{' '}
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

function Where({ asking: { destination } }: { asking: Asking }): VNode {
  switch (destination.kind) {
    case 'host':
      return <Host name={destination.name} />;
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
function Warning({ asking: { publisher, destination } }: { asking: Asking }): VNode {
  return (
    <Notice>
      {publisher !== null && (
        <>
          Your answer goes to <Host name={destination.name} />, which is not <Host name={publisher} />.{' '}
        </>
      )}
      Allow it only if you have just started this yourself. Anybody can send you a link to this page.
    </Notice>
  );
}
