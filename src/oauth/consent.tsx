/** The consent page. */
import type { VNode } from 'preact';
import type { Session } from '../access/access.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { type Language, type Messages, messagesOf, useMessages } from '../pages/messages/messages.ts';
import { page } from '../pages/page.tsx';
import { Button, CsrfField, Fact, HostName, Notice } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';
import type { ClientInfo } from './client-info.ts';

export type ConsentOptions = {
  siteUrl: SiteUrl;
  language: Language;
  session: Session;
  client: ClientInfo;
  /** A message above the facts; null: none. */
  notice: string | null;
  /** Id of the authorization request. */
  uid: string;
};

/** Shows the app, whether it is verified, the destination of the response, the permissions and the account. */
export function consentPage({ siteUrl, language, session, client, notice, uid }: ConsentOptions): string {
  const { email } = session.account;
  const { csrf } = session;
  const path = `/oauth/interaction/${uid}`;
  const action = siteUrl.prefix + path;
  const messages = messagesOf(language);
  const { consent: words } = messages;
  return page({
    siteUrl,
    language,
    translated: path,
    title: words.title(clientTitle(messages, client)),
    viewer: { email, csrf },
    children: (
      <>
        <h1 class="ask">
          <Filled text={words.heading} parts={{ client: <ClientHeading client={client} /> }} />
        </h1>
        <div class="flow actions-below measure">
          {notice !== null && <Notice tone="bad">{notice}</Notice>}
          <Warning client={client} />
          <ConsentFacts client={client} siteUrl={siteUrl} email={email} />
          <form class="decide" method="post" action={action}>
            <CsrfField token={csrf} />
            <div class="actions">
              <Button name="decision" value="allow">
                {words.allow}
              </Button>
              <Button look="quiet" name="decision" value="deny">
                {words.deny}
              </Button>
            </div>
          </form>
          <form method="post" action={action}>
            <CsrfField token={csrf} />
            <Button look="plain" name="decision" value="switch">
              {words.otherAccount}
            </Button>
          </form>
          <p class="soft small">{words.takeBack}</p>
        </div>
      </>
    ),
  });
}

type ConsentFactsProps = { client: ClientInfo; siteUrl: SiteUrl; email: string };

function ConsentFacts({ client, siteUrl, email }: ConsentFactsProps): VNode {
  const { consent: words } = useMessages();
  return (
    <dl class="facts">
      <Fact term={words.whoAsks}>
        <ClientIdentity client={client} />
      </Fact>
      <Fact term={words.goesTo}>
        <DestinationText client={client} />
      </Fact>
      <Fact term={words.mayDo}>
        {words.useService(siteUrl.name)}
        <ul class="dashes">
          {client.scopes.map((scope) => (
            <li key={scope}>{words.scopes[scope]}</li>
          ))}
          <li>{words.countsAgainstQuota}</li>
        </ul>
      </Fact>
      <Fact term={words.signedInAs}>{email}</Fact>
    </dl>
  );
}

/** Returns the verified destination, never the name that the app claims. */
function clientTitle({ consent }: Messages, { host, destination }: ClientInfo): string {
  if (host !== null) return host;
  return destination.kind === 'device' ? consent.thisProgram : consent.appBehind(destination.name);
}

function ClientHeading({ client }: { client: ClientInfo }): VNode {
  const title = clientTitle(useMessages(), client);
  return client.host === null ? <span>{title}</span> : <HostName name={client.host} />;
}

function ClientIdentity({ client }: { client: ClientInfo }): VNode {
  const { consent: words } = useMessages();
  const { claimedName: claimed, verified, publisher, host } = client;
  const name = claimed === null ? null : <bdi>{words.quoted(claimed)}</bdi>;
  const fill = (text: string, by: string | null) => (
    <span>
      <Filled
        text={text}
        parts={{ name: name ?? words.noName, host: by === null ? null : <HostName name={by} /> }}
      />
    </span>
  );
  if (verified) return fill(words.verified, host);
  if (publisher !== null) return fill(name === null ? words.describedUnnamed : words.described, publisher);
  return fill(name === null ? words.unverifiedUnnamed : words.unverified, null);
}

function DestinationText({ client: { destination } }: { client: ClientInfo }): VNode {
  const { consent: words } = useMessages();
  switch (destination.kind) {
    case 'host':
      return <HostName name={destination.name} />;
    case 'device': {
      const computer = <strong>{words.thisComputer}</strong>;
      const address = <code>{destination.name}</code>;
      return (
        <span>
          <Filled text={words.programOn} parts={{ computer, address }} />
        </span>
      );
    }
    case 'scheme':
      return (
        <span>
          <Filled text={words.appFor} parts={{ scheme: <code>{`${destination.name}:`}</code> }} />
        </span>
      );
  }
}

/** Warns of links to this page in messages from other people. */
function Warning({ client: { publisher, destination } }: { client: ClientInfo }): VNode {
  const { consent: words } = useMessages();
  return (
    <Notice>
      {publisher !== null && (
        <>
          <Filled
            text={words.otherHost}
            parts={{
              destination: <HostName name={destination.name} />,
              publisher: <HostName name={publisher} />,
            }}
          />{' '}
        </>
      )}
      {words.warning}
    </Notice>
  );
}
