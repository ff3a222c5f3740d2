/** The page of a festival. */
import type { Shown } from '../contract/records.ts';
import { Address } from './bill.tsx';
import type { Leaf } from './frame.tsx';
import { linkList } from './links.tsx';
import { About, Chips, country, Editions, Facts, Heading, placeText, Sides, Status } from './parts.tsx';
import { citySlug, countText, walkAll } from './record.tsx';
import { type Ask, editionPath, plainPath } from './site.ts';
import { festivalThing } from './things.ts';
import { Days } from './when.tsx';

const mostEditions = 60;

/** A festival with its editions, the next one first named. @param id the record */
export function festivalPage(ask: Ask, id: number): Leaf {
  const { reader } = ask;
  const festival = reader.details.festival(id, ask.now);
  const path = plainPath('festival', festival.slug);
  const editions = walkAll<Shown<'EditionItem'>>(ask, reader.editions(id), mostEditions);
  const next = editions.find(({ edition }) => edition === festival.next_edition);
  const links = linkList(festival);
  const place = placeText(festival.city, country(festival.country));
  return {
    title: `${festival.name}, festival${festival.city ? ` in ${festival.city}` : ''}`,
    description:
      festival.description ??
      `${festival.name}${place ? `, ${place}` : ''}: ${countText(festival.edition_count, 'edition')} with line-ups, times and tickets.`,
    section: '/festivals',
    image: festival.image_url,
    crumbs: [
      { name: 'Festivals', path: '/festivals' },
      { name: festival.name, path },
    ],
    things: [festivalThing(ask, festival, editions)],
    children: (
      <>
        <Heading kind="Festival" name={festival.name}>
          {next && (
            <p class="lead strong">
              <Status status={next.status} /> Next:{' '}
              <a href={editionPath(ask, festival.slug, next.edition)}>{next.name}</a>
              {next.start_at !== null && (
                <>
                  {', '}
                  <Days event={next} />
                </>
              )}
            </p>
          )}
          <Facts
            facts={[
              place !== '' && [
                'Where',
                <Address
                  ask={ask}
                  location={null}
                  city={{ slug: citySlug(ask, festival.city, festival.country), name: festival.city }}
                  code={festival.country}
                  key="where"
                />,
              ],
              ['Editions', String(festival.edition_count)],
            ]}
          />
        </Heading>
        <Sides
          sides={[
            editions.length > 0 && {
              title: 'Editions',
              id: 'editions',
              content: (
                <>
                  <Editions ask={ask} editions={editions} />
                  {festival.edition_count > mostEditions && (
                    <p class="soft">and {festival.edition_count - mostEditions} earlier ones</p>
                  )}
                </>
              ),
            },
            festival.description !== null && {
              title: 'About',
              id: 'about',
              content: <About text={festival.description} />,
            },
            festival.genres.length > 0 && {
              title: 'Genres',
              id: 'genres',
              content: <Chips ask={ask} kind="genre" refs={festival.genres} />,
            },
            links !== null && { title: 'Elsewhere', id: 'links', content: links },
          ]}
        />
      </>
    ),
  };
}
