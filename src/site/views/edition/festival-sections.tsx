/** The sections of an edition's page about its festival: description, other editions, links. */
import type { ApiRecord } from '../../../contract/records.ts';
import { linkList } from '../../components/links.tsx';
import { Description, EditionList, NavigationLinks, type PageSection } from '../../components/parts.tsx';
import { readFirst } from '../../components/record-sections.tsx';
import { type PageContext, recordPath } from '../../page-context.ts';

/** Number of editions before and after this one. */
const neighbourCount = 3;
const maxEditions = 100;

/**
 * The sections of the page; empty ones are omitted.
 * @param isSparse whether the edition itself has little content: then the page shows more of the festival
 */
export function festivalSections(
  context: PageContext,
  edition: ApiRecord<'Edition'>,
  isSparse: boolean,
): (PageSection | false)[] {
  const { reader, now, messages } = context;
  const { common, counts, edition: words } = messages;
  const { slug, name } = edition.festival;
  const id = reader.find('festival', slug);
  if (id === null) return [];
  const festival = reader.details.festivals.festival(id, now);
  const all = readFirst<ApiRecord<'EditionItem'>>(context, reader.editions(id), maxEditions);
  const at = all.findIndex((one) => one.id === edition.id);
  const others = all
    .slice(Math.max(0, at - neighbourCount), at + neighbourCount + 1)
    .filter((one) => one.id !== edition.id);
  const links = isSparse ? linkList(messages, festival) : null;
  const href = recordPath(context, 'festival', slug);
  return [
    isSparse &&
      edition.description === null &&
      festival.description !== null && {
        title: words.aboutFestival(name),
        id: 'festival',
        content: <Description text={festival.description} />,
      },
    others.length > 0 && {
      title: words.otherEditions,
      id: 'editions',
      content: (
        <>
          <EditionList context={context} editions={others} />
          <NavigationLinks
            links={[
              others.length + 1 < festival.edition_count
                ? { href, label: common.all(counts.editions(festival.edition_count)) }
                : null,
            ]}
          />
        </>
      ),
    },
    links !== null && { title: common.elsewhere, id: 'links', content: links },
  ];
}
