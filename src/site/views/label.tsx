/** The page of a label. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { EndingLine } from '../components/lifespan.tsx';
import { linkList } from '../components/links.tsx';
import {
  eventsMode,
  type RecordEvents,
  readListPart,
  upcomingEvents,
  withQuery,
} from '../components/pagination.tsx';
import {
  aboutSection,
  chipsSection,
  countryText,
  Facts,
  Heading,
  NameColumns,
  type NavigationLink,
  NavigationLinks,
  nextLink,
  PageSections,
} from '../components/parts.tsx';
import { RecordPicture } from '../components/pictures.tsx';
import { feedLinks, readFirst, recordEventsPage, upcomingSection } from '../components/record-sections.tsx';
import type { Crumb } from '../formats/json-ld.ts';
import { labelThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import {
  type PageContext,
  queryParameter,
  recordPath,
  resolvePath,
  unprefixedPath,
} from '../page-context.ts';

const maxRoster = 60;

/** Roster and upcoming events of a label. */
export function labelPage(context: PageContext, id: number): PageView {
  const { reader, site, now, messages } = context;
  const { common, counts, kinds, lists, label: words } = messages;
  const label = reader.details.label(id, now);
  const path = unprefixedPath('label', label.slug);
  const crumbs = [
    { name: lists.labels, path: '/labels' },
    { name: label.name, path },
  ];
  const record = { kind: kinds.label, name: label.name, section: '/labels' };
  const roster = reader.byName.source('artist', { roster: id }, { now });
  if (queryParameter(context, 'artists') !== '') return rosterPage(context, record, roster, crumbs);
  const events: RecordEvents = { source: reader.events.sourceForLabel(id, { upcomingAt: now }), past: null };
  if (eventsMode(context) !== 'main') return recordEventsPage(context, record, events, crumbs);
  const upcoming = upcomingEvents(context, events);
  const artists = readFirst<ApiRecord<'ArtistItem'>>(context, roster, maxRoster);
  const below = site.relations.related('labels of label', id, 60);
  const links = linkList(messages, label);
  return {
    title: words.title(label.name),
    description:
      label.description ??
      words.description(label.name, countryText(messages, label.country), counts.artists(label.artist_count)),
    section: '/labels',
    crumbs,
    structuredData: [labelThing(context, label)],
    feeds: feedLinks(messages, path, label.name),
    children: (
      <>
        <LabelHeading context={context} label={label} />
        <PageSections
          sides={[
            upcomingSection(
              context,
              { path, name: label.name, isEnded: label.status === 'closed' },
              upcoming,
              words.noEvents,
            ),
            aboutSection(messages, label.description),
            artists.length > 0 && {
              title: common.artists,
              id: 'artists',
              content: (
                <Roster
                  context={context}
                  artists={artists}
                  links={[
                    label.artist_count > maxRoster && {
                      href: withQuery(context.siteUrl.prefix + path, { artists: 'all' }),
                      label: common.all(counts.artists(label.artist_count)),
                    },
                  ]}
                />
              ),
            },
            chipsSection(context, { title: words.itsLabels, id: 'labels' }, 'label', below),
            links !== null && { title: common.elsewhere, id: 'links', content: links },
          ]}
        />
      </>
    ),
  };
}

function LabelHeading({ context, label }: { context: PageContext; label: ApiRecord<'Label'> }): VNode {
  const { now, messages } = context;
  const { common, counts, kinds, label: words } = messages;
  return (
    <Heading
      kind={kinds.label}
      name={label.name}
      picture={<RecordPicture context={context} record={label} framing="whole" />}
    >
      <EndingLine record={label} now={now} />
      <Facts
        facts={[
          label.country && [common.from, countryText(messages, label.country)],
          label.founded_year !== null && [words.since, String(label.founded_year)],
          label.parent && [
            common.partOf,
            <a href={recordPath(context, 'label', label.parent.slug)} key="p">
              {label.parent.name}
            </a>,
          ],
          label.aliases.length > 0 && [common.also, label.aliases.slice(0, 20).join(', ')],
          [words.roster, counts.artists(label.artist_count)],
        ]}
      />
    </Heading>
  );
}

/** Artists of a label, and links to more of them. */
function Roster({
  context,
  artists,
  links,
}: {
  context: PageContext;
  artists: readonly ApiRecord<'ArtistItem'>[];
  links: readonly NavigationLink[];
}): VNode {
  return (
    <>
      <NameColumns
        entries={artists.map(({ url, name, country }) => ({
          href: resolvePath(context, url),
          name,
          note: country,
        }))}
      />
      <NavigationLinks links={links} />
    </>
  );
}

/** The page with all artists of a label. */
function rosterPage(
  context: PageContext,
  record: { kind: string; name: string; section: string },
  source: Parameters<typeof readListPart>[1],
  crumbs: Crumb[],
): PageView {
  const { items, next } = readListPart<ApiRecord<'ArtistItem'>>(context, source, {
    limit: 200,
    filters: { artists: 'all' },
  });
  const basePath = context.siteUrl.prefix + context.path;
  const { common, label: words } = context.messages;
  return {
    title: words.artistsOf(record.name),
    description: words.artistsOfText(record.name),
    section: record.section,
    canonical: null,
    crumbs: [...crumbs, { name: common.artists, path: context.path }],
    children: (
      <>
        <Heading kind={record.kind} name={record.name} />
        <PageSections
          sides={[
            {
              title: common.artists,
              id: 'artists',
              content: (
                <Roster
                  context={context}
                  artists={items}
                  links={[
                    { href: basePath, label: common.back },
                    next !== null &&
                      nextLink(withQuery(basePath, { artists: 'all', cursor: next }), common.next),
                  ]}
                />
              ),
            },
          ]}
        />
      </>
    ),
  };
}
