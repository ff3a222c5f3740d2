/** The page about the service: who runs it, its data, and how to use it. */
import type { VNode } from 'preact';
import { attribution } from '../../contract/openapi.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { contactAddress } from '../../pages/page.tsx';
import { Facts, PageSections } from '../components/parts.tsx';
import type { PageView } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';

/** What the operator says about the service (docs/guides/identity.md), and facts about its data. */
export function aboutPage(context: PageContext): PageView {
  const { siteUrl, messages } = context;
  const { about: words } = messages;
  const { name, about } = siteUrl.identity;
  return {
    title: words.title(name),
    description: about ?? words.description(name),
    crumbs: [{ name: words.title(name), path: '/about' }],
    children: (
      <>
        <h1>{words.title(name)}</h1>
        <p class="lead">{words.lead(name)}</p>
        <PageSections
          sides={[
            { title: words.operator, id: 'operator', content: <Operator context={context} /> },
            { title: words.data, id: 'data', content: <DataTerms context={context} /> },
            { title: words.use, id: 'use', content: <Programs context={context} /> },
          ]}
        />
      </>
    ),
  };
}

/** The text of the operator with its paragraphs, and the links. */
function Operator({ context }: { context: PageContext }): VNode {
  const { frame, about: words } = context.messages;
  const { about, contact, imprint, privacy, terms } = context.siteUrl.identity;
  const isUnknown = [about, contact, imprint, privacy, terms].every((value) => value === null);
  const link = (address: string | null, term: string): [string, VNode] | null =>
    address === null ? null : [term, <a href={address}>{address.replace(/^https?:\/\//, '')}</a>];
  return (
    <>
      {about !== null && <p class="about">{about}</p>}
      {isUnknown && <p class="soft">{words.operatorUnknown}</p>}
      <Facts
        facts={[
          contact !== null && [words.contact, <a href={contactAddress(contact)}>{contact}</a>],
          link(imprint, frame.imprint),
          link(privacy, frame.privacy),
          link(terms, frame.terms),
        ]}
      />
    </>
  );
}

function DataTerms({ context }: { context: PageContext }): VNode {
  const { about: words } = context.messages;
  const { siteUrl } = context;
  return (
    <>
      <p>{words.dataText}</p>
      <p>
        {words.places} <a href="https://www.geonames.org">GeoNames</a> (
        <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>).
      </p>
      <p>{words.attribution}</p>
      <p>
        <q {...(siteUrl.identity.attribution === null ? { lang: 'en' } : {})}>
          {attribution({ ...siteUrl.identity, baseUrl: siteUrl.url })}
        </q>
      </p>
    </>
  );
}

function Programs({ context }: { context: PageContext }): VNode {
  const { about: words } = context.messages;
  const { prefix } = context.siteUrl;
  return (
    <>
      <p>
        <Filled
          text={words.useText}
          parts={{
            api: <a href={`${prefix}/docs`}>{words.api}</a>,
            agents: <a href={`${prefix}/docs/guides/agents`}>{words.agents}</a>,
          }}
        />
      </p>
      <p class="soft small">
        <Filled text={words.software} parts={{ version: context.version }} />
      </p>
    </>
  );
}
