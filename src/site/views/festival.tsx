/** The page of a festival. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { DateRange } from '../components/dates.tsx';
import { EndingLine } from '../components/lifespan.tsx';
import { Address } from '../components/lineup.tsx';
import { linkList } from '../components/links.tsx';
import {
  aboutSection,
  chipsSection,
  cityText,
  countryText,
  EditionList,
  Facts,
  Heading,
  PageSections,
  placeText,
  StatusTag,
  SubscribeLinks,
} from '../components/parts.tsx';
import { RecordPicture } from '../components/pictures.tsx';
import { citySlug, feedLinks, readFirst } from '../components/record-sections.tsx';
import { editionsOf } from '../days/named-filters.ts';
import { festivalThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { editionPath, type PageContext, unprefixedPath } from '../page-context.ts';

const maxEditions = 60;

/** A festival with its editions; the heading names the next one. */
export function festivalPage(context: PageContext, id: number): PageView {
  const { reader, messages } = context;
  const { common, counts, lists, festival: words } = messages;
  const festival = reader.details.festivals.festival(id, context.now);
  const path = unprefixedPath('festival', festival.slug);
  const editions = readFirst<ApiRecord<'EditionItem'>>(context, reader.editions(id), maxEditions);
  const hasEvents = hasUpcomingEvents(context, id);
  const links = linkList(messages, festival);
  const town = cityText(messages, festival.city, festival.country);
  const place = placeText(town, countryText(messages, festival.country));
  return {
    title: words.title(festival.name, town),
    description:
      festival.description ??
      words.description(festival.name, place, counts.editions(festival.edition_count)),
    section: '/festivals',
    crumbs: [
      { name: lists.festivals, path: '/festivals' },
      { name: festival.name, path },
    ],
    structuredData: [festivalThing(context, festival, editions)],
    feeds: hasEvents ? feedLinks(messages, '/events', festival.name, { festival: festival.slug }) : [],
    children: (
      <>
        <FestivalHeading context={context} festival={festival} editions={editions} />
        <PageSections
          sides={[
            editions.length > 0 && {
              title: words.editions,
              id: 'editions',
              content: (
                <Editions context={context} festival={festival} editions={editions} hasEvents={hasEvents} />
              ),
            },
            aboutSection(messages, festival.description),
            chipsSection(context, { title: common.genres, id: 'genres' }, 'genre', festival.genres),
            links !== null && { title: common.elsewhere, id: 'links', content: links },
          ]}
        />
      </>
    ),
  };
}

/** Whether the editions of a festival have events of their own that are to come. Most have none. */
function hasUpcomingEvents(context: PageContext, id: number): boolean {
  const filter = { editions: editionsOf(context, id), upcomingAt: context.now };
  return context.reader.events.source(filter).fetch(null, 1, null).length > 0;
}

type FestivalProps = {
  context: PageContext;
  festival: ApiRecord<'Festival'>;
  editions: readonly ApiRecord<'EditionItem'>[];
};

function FestivalHeading({ context, festival, editions }: FestivalProps): VNode {
  const { common, kinds, festival: words } = context.messages;
  const next = editions.find(({ edition }) => edition === festival.next_edition);
  return (
    <Heading
      kind={kinds.festival}
      name={festival.name}
      picture={
        <RecordPicture
          context={context}
          record={festival}
          framing="whole"
          group={festival.genres[0]?.name ?? null}
        />
      }
    >
      <EndingLine record={festival} now={context.now} />
      {next && <NextEdition context={context} festival={festival} edition={next} />}
      <Facts
        facts={[
          (festival.city ?? festival.country) !== null && [
            common.where,
            <Address
              context={context}
              location={null}
              city={{ slug: citySlug(context, festival.city, festival.country), name: festival.city }}
              code={festival.country}
              key="where"
            />,
          ],
          [words.editions, String(festival.edition_count)],
        ]}
      />
    </Heading>
  );
}

/** The line with the next edition and its dates. */
function NextEdition({
  context,
  festival,
  edition,
}: {
  context: PageContext;
  festival: ApiRecord<'Festival'>;
  edition: ApiRecord<'EditionItem'>;
}): VNode {
  return (
    <p class="lead strong">
      <StatusTag status={edition.status} /> {context.messages.festival.next}{' '}
      <a href={editionPath(context, festival.slug, edition.edition)}>{edition.name}</a>
      {edition.start_at !== null && (
        <>
          {', '}
          <DateRange event={edition} />
        </>
      )}
    </p>
  );
}

/** The editions, and the feeds of the festival's events if it has some. */
function Editions({ context, festival, editions, hasEvents }: FestivalProps & { hasEvents: boolean }): VNode {
  const { festival: words } = context.messages;
  return (
    <>
      <EditionList context={context} editions={editions} />
      {festival.edition_count > maxEditions && (
        <p class="soft">{words.earlierOnes(festival.edition_count - maxEditions)}</p>
      )}
      {hasEvents && (
        <SubscribeLinks
          context={context}
          path="/events"
          name={festival.name}
          query={{ festival: festival.slug }}
        />
      )}
    </>
  );
}
