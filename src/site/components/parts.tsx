/** Components of the catalogue's pages. */
import type { ComponentChildren, VNode } from 'preact';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';
import { cityNameIn } from '../../text/city-names.ts';
import { EmbedCode } from '../embed/embed-code.tsx';
import { type PageContext, recordPath, resolvePath } from '../page-context.ts';
import { DateRange } from './dates.tsx';
import { endedNote } from './lifespan.tsx';
import type { NameEntry } from './page-budget.ts';
import { Thumbnail } from './pictures.tsx';

type EventItem = ApiRecord<'EventItem'>;

/** The heading of a record's page: its kind and its name, with a picture beside it. */
export function Heading({
  kind,
  name,
  picture,
  children,
}: {
  kind: string;
  name: string;
  picture?: VNode;
  children?: ComponentChildren;
}): VNode {
  if (picture !== undefined)
    return (
      <div class="pictured">
        <Heading kind={kind} name={name}>
          {children}
        </Heading>
        {picture}
      </div>
    );
  return (
    <header>
      <p class="kind">{kind}</p>
      <h1>{name}</h1>
      {children}
    </header>
  );
}

/** A section of a page. */
export type PageSection = {
  title: string;
  id: string;
  content: ComponentChildren;
  /** Whether the content also uses the column of the heading. */
  wide?: boolean;
};

/** The sections of a page, numbered like tracks on a record's sides (A1, A2, B1); empty ones are omitted. */
export function PageSections({ sides }: { sides: readonly (PageSection | null | false)[] }): VNode {
  const sections = sides.filter((side) => side !== null && side !== false);
  return (
    <>
      {sections.map(({ title, id, content, wide }, index) => (
        <section class={wide ? 'side wide' : 'side'} aria-labelledby={id} key={id}>
          <header>
            <span class="label" aria-hidden="true">
              {`${String.fromCharCode(65 + Math.floor(index / 2))}${(index % 2) + 1}`}
            </span>
            <h2 id={id}>{title}</h2>
          </header>
          <div class="flow">{content}</div>
        </section>
      ))}
    </>
  );
}

/** Joins a city and a country: "Berlin, Germany". */
export function placeText(...parts: (string | null | undefined)[]): string {
  return parts.filter((part): part is string => typeof part === 'string' && part !== '').join(', ');
}
/** A country's name by its code. */
export const countryText = ({ formats }: Messages, code: string | null): string | null =>
  code === null ? null : formats.country(code);

/** The name of a city in the language of the page: "Genf" for Geneva. Addresses and links keep the slug. */
export const cityText = <Name extends string | null>(
  { formats }: Messages,
  name: Name,
  country: string | null,
): Name => (name === null ? name : (cityNameIn(formats.language, name, country) as Name));

/** The venue, city and country of an event on one line. */
export const venueText = (messages: Messages, { name, city, country: code }: EventItem['venue']): string =>
  placeText(name, city === name ? null : cityText(messages, city, code), countryText(messages, code));

const shownStatuses = ['cancelled', 'postponed', 'rescheduled'] as const;

/** A label for an event that is cancelled, postponed or rescheduled; otherwise nothing. */
export function StatusTag({ status }: { status: string | null }): VNode | null {
  const { statuses } = useMessages();
  const label = shownStatuses.find((one) => one === status);
  return label === undefined ? null : (
    <span class={`tag ${label === 'rescheduled' ? '' : 'bad'}`.trim()}>{statuses[label]}</span>
  );
}

/** A record that another one names, which may have closed or ended. */
type ShownRef = RecordRef & { closed_at?: string | null; ended_at?: string | null };

function EndedNote({ context, record }: { context: PageContext; record: ShownRef }): VNode | null {
  const note = endedNote(context.messages, record, context.now);
  return note === '' ? null : <span class="soft small">{`\u00a0${note}`}</span>;
}

/** Links to records of one kind, as boxes. */
export function LinkChips({
  context,
  kind,
  refs,
}: {
  context: PageContext;
  kind: Parameters<typeof recordPath>[1];
  refs: readonly ShownRef[];
}): VNode {
  return (
    <ul class="chips">
      {refs.map((ref) => (
        <li key={ref.slug}>
          <a href={recordPath(context, kind, ref.slug)}>
            {ref.name}
            <EndedNote context={context} record={ref} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Names in columns, each with a short note. */
export function NameColumns({ entries }: { entries: readonly NameEntry[] }): VNode {
  return (
    <ul class="names">
      {entries.map(({ href, name, note, upcoming, picture }) => (
        <li key={href} class={picture ? 'seen' : undefined}>
          {picture && <Thumbnail src={picture} size={44} />}
          <span>
            <a href={href}>{name}</a>
            {note && <span class="soft small"> {note}</span>}
            {upcoming && <span class="upcoming small">{upcoming}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

export type NavigationLink = { href: string; label: string; rel?: string } | null | false;

/** The link to the part of a list that follows. */
export const nextLink = (href: string, label: string): NavigationLink => ({ href, label, rel: 'next' });

/** Links to other pages of a list. */
export function NavigationLinks({ links }: { links: readonly NavigationLink[] }): VNode | null {
  const present = links.filter((link) => link !== null && link !== false);
  if (present.length === 0) return null;
  return (
    <p class="below">
      {present.map(({ href, label, rel }) => (
        <a class="button quiet" href={href} rel={rel} key={href}>
          {label}
        </a>
      ))}
    </p>
  );
}

/** A list of editions with their dates and cities. */
export function EditionList({
  context,
  editions,
}: {
  context: PageContext;
  editions: readonly ApiRecord<'EditionItem'>[];
}): VNode {
  return (
    <ul class="rows">
      {editions.map((edition) => (
        <li key={edition.id}>
          <span class="what">
            <a href={resolvePath(context, edition.url)}>
              <strong>{edition.name}</strong>
            </a>{' '}
            <StatusTag status={edition.status} />
            <span class="soft">
              {' '}
              {placeText(
                cityText(context.messages, edition.city, edition.country),
                countryText(context.messages, edition.country),
              )}
            </span>
          </span>
          <span class="small mono">
            <DateRange event={edition} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Links to the feed and the calendar of upcoming events, and the code that embeds them. @param query the filters of both */
export function SubscribeLinks({
  context,
  path,
  name,
  query = {},
}: {
  context: PageContext;
  path: string;
  name: string;
  query?: Readonly<Record<string, string>>;
}): VNode {
  const { prefix, url } = context.siteUrl;
  const { common } = context.messages;
  const filters = new URLSearchParams(Object.entries(query).filter(([, text]) => text !== ''));
  const address = (ending: string) => `${path}.${ending}${filters.size === 0 ? '' : `?${filters}`}`;
  return (
    <>
      <p class="below">
        <a class="button quiet" href={`${url.replace(/^https?:/, 'webcal:')}${address('ics')}`}>
          {common.subscribe}
          <span class="hidden">{common.subscribeTo(name)}</span>
        </a>
        <a href={`${prefix}${address('ics')}`}>{common.calendarFile}</a>
        <a href={`${prefix}${address('atom')}`}>{common.atomFeed}</a>
      </p>
      <EmbedCode context={context} path={path} name={name} query={query} />
    </>
  );
}

export type Fact = [term: string, value: ComponentChildren] | null | false | undefined | '';
/** A definition list of facts; unknown ones are omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }): VNode | null {
  const entries = facts.filter((fact): fact is [string, ComponentChildren] => Array.isArray(fact));
  if (entries.length === 0) return null;
  return (
    <dl class="facts head-facts">
      {entries.map(([term, value]) => (
        <>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** Links separated by commas. */
export function InlineLinks({
  context,
  kind,
  refs,
}: {
  context: PageContext;
  kind: Parameters<typeof recordPath>[1];
  refs: readonly RecordRef[];
}): VNode {
  return (
    <>
      {refs.map(({ slug, name }, index) => (
        <span key={slug}>
          {index > 0 && ', '}
          <a href={recordPath(context, kind, slug)}>{name}</a>
        </span>
      ))}
    </>
  );
}

/** Maximum length of a description on a page, in bytes. */
const maxTextBytes = 6_000;

/** A description with its paragraphs, truncated to the page budget. */
export function Description({ text }: { text: string }): VNode {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxTextBytes) return <p class="about">{text}</p>;
  // Truncation can split the last character.
  return (
    <p class="about">{`${bytes
      .subarray(0, maxTextBytes)
      .toString()
      .replace(/\uFFFD{1,3}$/, '')} …`}</p>
  );
}

/** The section with the description of a record; null without one. */
export const aboutSection = ({ common }: Messages, text: string | null): PageSection | null =>
  text === null ? null : { title: common.about, id: 'about', content: <Description text={text} /> };

/** A section of links to records of one kind; null without records. */
export const chipsSection = (
  context: PageContext,
  heading: Pick<PageSection, 'title' | 'id'>,
  kind: Parameters<typeof recordPath>[1],
  refs: readonly ShownRef[],
): PageSection | null =>
  refs.length === 0 ? null : { ...heading, content: <LinkChips context={context} kind={kind} refs={refs} /> };

/** The size of a text as `About`, in bytes. */
export const descriptionBytes = (text: string | null): number =>
  text === null ? 0 : 150 + Math.min(maxTextBytes, Buffer.byteLength(text));
