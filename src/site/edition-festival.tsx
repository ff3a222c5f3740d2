/** What the page of an edition says of its festival: what it is, its other editions, where it is elsewhere. */
import type { Shown } from '../contract/records.ts';
import { linkList } from './links.tsx';
import { About, Below, Editions, type Side } from './parts.tsx';
import { countText, walkAll } from './record.tsx';
import { type Ask, pathOf } from './site.ts';

/** So many editions before this one, and so many after it. */
const near = 3;
const mostEditions = 100;

/**
 * The parts of the page; those that would be empty are left out.
 * @param bare nothing of its own makes the page long: then there is more of the festival
 */
export function ofFestival(ask: Ask, edition: Shown<'Edition'>, bare: boolean): (Side | false)[] {
  const { reader, now } = ask;
  const { slug, name } = edition.festival;
  const id = reader.find('festival', slug);
  if (id === null) return [];
  const festival = reader.details.festival(id, now);
  const all = walkAll<Shown<'EditionItem'>>(ask, reader.editions(id), mostEditions);
  const at = all.findIndex((one) => one.id === edition.id);
  const others = all.slice(Math.max(0, at - near), at + near + 1).filter((one) => one.id !== edition.id);
  const links = bare ? linkList(festival) : null;
  const href = pathOf(ask, 'festival', slug);
  return [
    bare &&
      edition.description === null &&
      festival.description !== null && {
        title: `About ${name}`,
        id: 'festival',
        content: <About text={festival.description} />,
      },
    others.length > 0 && {
      title: 'Other editions',
      id: 'editions',
      content: (
        <>
          <Editions ask={ask} editions={others} />
          <Below
            links={[
              others.length + 1 < festival.edition_count
                ? { href, label: `All ${countText(festival.edition_count, 'edition')}` }
                : null,
            ]}
          />
        </>
      ),
    },
    links !== null && { title: 'Elsewhere', id: 'links', content: links },
  ];
}
