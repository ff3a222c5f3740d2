/** The page of a label. */
import type { ApiRecord } from '../../contract/records.ts';
import { linkList } from '../components/links.tsx';
import {
  eventsMode,
  type RecordEvents,
  readListPart,
  upcomingEvents,
  withQuery,
} from '../components/pagination.tsx';
import {
  countryText,
  Description,
  Facts,
  Heading,
  LinkChips,
  NameColumns,
  NavigationLinks,
  PageSections,
} from '../components/parts.tsx';
import {
  countText,
  feedLinks,
  readFirst,
  recordEventsPage,
  upcomingSection,
} from '../components/record-sections.tsx';
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
  const { reader, site, now } = context;
  const label = reader.details.label(id);
  const path = unprefixedPath('label', label.slug);
  const crumbs = [
    { name: 'Labels', path: '/labels' },
    { name: label.name, path },
  ];
  const record = { kind: 'Label', name: label.name, section: '/labels' };
  const roster = reader.byName.source('artist', { roster: id });
  if (queryParameter(context, 'artists') !== '') return rosterPage(context, record, roster, crumbs);
  const events: RecordEvents = { source: reader.events.sourceForLabel(id, { upcomingAt: now }), past: null };
  if (eventsMode(context) !== 'main') return recordEventsPage(context, record, events, crumbs);
  const upcoming = upcomingEvents(context, events);
  const artists = readFirst<ApiRecord<'ArtistItem'>>(context, roster, maxRoster);
  const below = site.relations.related('labels of label', id, 60);
  const links = linkList(label);
  return {
    title: `${label.name}, record label`,
    description:
      label.description ??
      `${label.name}${label.country ? `, a label from ${countryText(label.country)}` : ''}: ${countText(label.artist_count, 'artist')} and their upcoming events.`,
    section: '/labels',
    image: label.image_url,
    crumbs,
    structuredData: [labelThing(context, label)],
    feeds: feedLinks(path, label.name),
    children: (
      <>
        <Heading kind="Label" name={label.name}>
          <Facts
            facts={[
              label.country && ['From', countryText(label.country)],
              label.founded_year !== null && ['Since', String(label.founded_year)],
              label.parent && [
                'Part of',
                <a href={recordPath(context, 'label', label.parent.slug)} key="p">
                  {label.parent.name}
                </a>,
              ],
              label.aliases.length > 0 && ['Also', label.aliases.slice(0, 20).join(', ')],
              ['Roster', countText(label.artist_count, 'artist')],
            ]}
          />
        </Heading>
        <PageSections
          sides={[
            upcomingSection(
              context,
              { path, name: label.name },
              upcoming,
              'None of its artists has an upcoming event.',
            ),
            label.description !== null && {
              title: 'About',
              id: 'about',
              content: <Description text={label.description} />,
            },
            artists.length > 0 && {
              title: 'Artists',
              id: 'artists',
              content: (
                <>
                  <NameColumns
                    entries={artists.map((one) => ({
                      href: resolvePath(context, one.url),
                      name: one.name,
                      note: one.country,
                    }))}
                  />
                  <NavigationLinks
                    links={[
                      label.artist_count > maxRoster
                        ? {
                            href: withQuery(context.siteUrl.prefix + path, { artists: 'all' }),
                            label: `All ${countText(label.artist_count, 'artist')}`,
                          }
                        : null,
                    ]}
                  />
                </>
              ),
            },
            below.length > 0 && {
              title: 'Its labels',
              id: 'labels',
              content: <LinkChips context={context} kind="label" refs={below} />,
            },
            links !== null && { title: 'Elsewhere', id: 'links', content: links },
          ]}
        />
      </>
    ),
  };
}

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
  return {
    title: `Artists of ${record.name}`,
    description: `The artists of ${record.name}.`,
    section: record.section,
    canonical: null,
    crumbs: [...crumbs, { name: 'Artists', path: context.path }],
    children: (
      <>
        <Heading kind={record.kind} name={record.name} />
        <PageSections
          sides={[
            {
              title: 'Artists',
              id: 'artists',
              content: (
                <>
                  <NameColumns
                    entries={items.map((one) => ({
                      href: resolvePath(context, one.url),
                      name: one.name,
                      note: one.country,
                    }))}
                  />
                  <NavigationLinks
                    links={[
                      { href: basePath, label: 'Back' },
                      next === null
                        ? null
                        : {
                            href: withQuery(basePath, { artists: 'all', cursor: next }),
                            label: 'Next',
                            rel: 'next',
                          },
                    ]}
                  />
                </>
              ),
            },
          ]}
        />
      </>
    ),
  };
}
