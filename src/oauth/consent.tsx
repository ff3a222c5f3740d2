/** What a person sees of the authorization server. */
import type { ComponentChildren, VNode } from 'preact';
import type { Session } from '../access/access.ts';
import { scopes } from '../contract/scopes.ts';
import { page } from '../pages/page.tsx';
import { Button, ButtonLink, Csrf, Notice } from '../pages/parts.tsx';
import type { Place } from '../pages/place.ts';
import type { Asking } from './asking.ts';

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
  return page({
    place,
    title: `Let ${asking.name} in?`,
    viewer: { email, csrf },
    children: (
      <>
        <h1>
          Let <bdi>{asking.name}</bdi> in?
        </h1>
        <p class="lead">It asks to use {place.name} in your name.</p>
        <div class="flow actions-below measure">
          {notice !== null && <Notice tone="bad">{notice}</Notice>}
          <Warning asking={asking} />
          <dl class="facts">
            <Fact term="Who asks">
              <strong>
                <bdi>{asking.name}</bdi>
              </strong>
              <br />
              <Identity asking={asking} />
            </Fact>
            <Fact term="Your answer goes to">
              <Where asking={asking} />
            </Fact>
            <Fact term="What it may do">
              <ul>
                {asking.scopes.map((scope) => (
                  <li key={scope}>{scopes[scope]}</li>
                ))}
                <li>Its requests count against your monthly quota.</li>
              </ul>
            </Fact>
            <Fact term="Signed in as">{email}</Fact>
          </dl>
          <form method="post" action={`${place.prefix}/oauth/interaction/${uid}`}>
            <Csrf token={csrf} />
            <div class="actions">
              <Button name="decision" value="allow">
                Allow
              </Button>
              <Button look="quiet" name="decision" value="deny">
                Deny
              </Button>
              <Button look="plain" name="decision" value="switch">
                Use another account
              </Button>
            </div>
          </form>
          <p class="soft small">You can take this back at any time, on your developer page.</p>
        </div>
      </>
    ),
  });
}

const Fact = ({ term, children }: { term: string; children: ComponentChildren }): VNode => (
  <>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </>
);

function Identity({ asking }: { asking: Asking }): VNode {
  return asking.verified ? (
    <span>
      Verified: <strong>{asking.host}</strong> publishes this name and vouches for it.
    </span>
  ) : (
    <span>Not verified: it gave itself this name, and nobody has checked it.</span>
  );
}

function Where({ asking: { destination } }: { asking: Asking }): VNode {
  switch (destination.kind) {
    case 'host':
      return <strong>{destination.name}</strong>;
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

/** Any program may listen on this computer, and say that it is another. */
function Warning({ asking }: { asking: Asking }): VNode | null {
  if (asking.verified && asking.destination.kind === 'host') return null;
  return (
    <Notice>
      Allow it only if you have just started this yourself, in <bdi>{asking.name}</bdi>. Anybody can send you
      a link to this page.
    </Notice>
  );
}

/** The request was answered, has expired, or was begun in another browser. */
export function endedPage(place: Place): string {
  return page({
    place,
    title: 'This request is over',
    viewer: null,
    children: (
      <>
        <h1>This request is over</h1>
        <p class="lead">
          It was answered already, has expired, or was begun in another browser. Nothing was changed. Go back
          to your app and connect it again.
        </p>
        <Onward place={place} />
      </>
    ),
  });
}

/** A request that cannot be answered, nor sent back to its app. */
export function errorPage(place: Place, error: string, description: string): string {
  return page({
    place,
    title: 'This app cannot be let in',
    viewer: null,
    children: (
      <>
        <h1>This app cannot be let in</h1>
        <p class="lead">
          Its request is not in order, so nothing was shared. Try again from the app; if that changes nothing,
          tell its makers what stands below.
        </p>
        <dl class="facts actions-below">
          <Fact term="Error">
            <code>{error}</code>
          </Fact>
          {description !== '' && <Fact term="Meaning">{description}</Fact>}
        </dl>
        <Onward place={place} />
      </>
    ),
  });
}

const Onward = ({ place }: { place: Place }): VNode => (
  <p class="actions">
    <ButtonLink look="quiet" href={`${place.prefix}/account/developer`}>
      Your developer page
    </ButtonLink>
  </p>
);
