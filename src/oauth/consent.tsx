/** What a person sees of the authorization server. */
import type { ComponentChildren, VNode } from 'preact';
import type { Session } from '../access/access.ts';
import { scopes } from '../contract/scopes.ts';
import { page } from '../pages/page.tsx';
import { Button, ButtonLink, Csrf, Host, Notice } from '../pages/parts.tsx';
import type { Place } from '../pages/place.ts';
import { type Asking, destinationOf } from './asking.ts';
import type { Told } from './provider.ts';
import { isGoodRedirect } from './redirects.ts';

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

const Fact = ({ term, children }: { term: string; children: ComponentChildren }): VNode => (
  <>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </>
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

/** Why an app is not let in, for a person; what its makers need stands below. */
const meanings: Record<string, string> = {
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
const incomplete = 'The app’s request is incomplete, or was changed on its way.';

/** A request that is not answered. Nobody is sent on from here but by a link that says where it leads. */
export function errorPage(
  place: Place,
  { error, error_description: description = '', goesTo }: Told,
): string {
  return page({
    place,
    title: 'This app cannot be let in',
    viewer: null,
    children: (
      <>
        <h1>This app cannot be let in</h1>
        <p class="lead">
          {meanings[error] ?? incomplete} Nothing was shared. Go back to the app and try again; if that
          changes nothing, tell its makers what stands below.
        </p>
        <dl class="facts actions-below">
          {goesTo !== undefined && <Fact term="From">{senderOf(goesTo)}</Fact>}
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

/** Whose request it is, with a link by which the app learns what is wrong. */
function senderOf(address: string): VNode {
  const { kind, name } = destinationOf(address);
  const shown =
    kind === 'host' ? (
      <Host name={name} />
    ) : kind === 'device' ? (
      `a program on this computer (${name})`
    ) : (
      `${name}:`
    );
  // What was registered by an earlier version might be no address to be sent to.
  if (!isGoodRedirect(address.split('?', 1)[0])) return <span>{shown}</span>;
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

const Onward = ({ place }: { place: Place }): VNode => (
  <p class="actions">
    <ButtonLink look="quiet" href={`${place.prefix}/account/developer`}>
      Your developer page
    </ButtonLink>
  </p>
);
