/** Search: its page, what stands below the box while one types, and what is said where there is nothing. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Shown } from '../contract/records.ts';
import { SearchBox } from '../pages/bar.tsx';
import { searchWords } from '../store/fold.ts';
import { pageUrl } from '../store/show.ts';
import type { Leaf } from './frame.tsx';
import { country, placeText } from './parts.tsx';
import { type Ask, asked, local } from './site.ts';
import { dateIn, shortDate } from './when.tsx';

type Hit = { type: string; name: string; matched: string; url: string; note: string };

const typeNames: Record<string, string> = {
  artist: 'Artist',
  event: 'Event',
  festival: 'Festival',
  venue: 'Venue',
  label: 'Label',
  city: 'City',
  genre: 'Genre',
};

/** Cities and genres that are called so, or whose name begins so: search itself does not look through these. */
function places(ask: Ask, q: string, most: number): Hit[] {
  const words = searchWords(q);
  if (words.length < 2) return [];
  return (['city', 'genre'] as const).flatMap((kind) => {
    const seen = new Set<number>();
    return ask.reader.named
      .all(kind)
      .filter(
        (one) =>
          one.words === words || (one.is_alias === 0 && words.length > 2 && one.words.startsWith(words)),
      )
      .sort((a, b) => Number(b.words === words) - Number(a.words === words))
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .slice(0, most)
      .map(({ slug, name, country: code }) => ({
        type: kind,
        name,
        matched: name,
        url: pageUrl(kind, slug),
        note: country(code) ?? '',
      }));
  });
}

function find(ask: Ask, q: string, limit: number): Hit[] {
  const hits = ask.search.search(q, limit, ask.now).map((json): Hit => {
    const hit = JSON.parse(json) as Shown<'SearchHit'>;
    const date = hit.start_at === null ? null : shortDate(dateIn(hit.start_at));
    return {
      type: hit.type,
      name: hit.name,
      matched: hit.matched,
      url: hit.url,
      note: placeText(date, hit.city, country(hit.country)),
    };
  });
  return [...places(ask, q, limit > 10 ? 5 : 2), ...hits].slice(0, limit);
}

const suggested = 8;

/** The options of the list below the box, as a piece of HTML. */
export function hitOptions(ask: Ask): string {
  const q = asked(ask, 'q');
  if (q === '') return '';
  const all = `${ask.place.prefix}/search?${new URLSearchParams({ q })}`;
  return renderToString(
    <>
      {find(ask, q, suggested).map((hit, index) => (
        <div
          role="option"
          tabIndex={-1}
          aria-selected="false"
          id={`hit-${index}`}
          data-hit
          data-href={local(ask, hit.url)}
          key={hit.url}
        >
          <span class="label">{typeNames[hit.type]}</span>{' '}
          <span>
            <b>{hit.name}</b>{' '}
            <span class="soft small">
              {hit.matched === hit.name ? hit.note : placeText(hit.matched, hit.note)}
            </span>
          </span>
        </div>
      ))}
      <div role="option" tabIndex={-1} aria-selected="false" id="hit-all" data-href={all}>
        All results for “{q}”
      </div>
    </>,
  );
}

/** The best hits of a query, cities and genres among them. */
export function searchPage(ask: Ask): Leaf {
  const q = asked(ask, 'q');
  const hits = q === '' ? [] : find(ask, q, 50);
  return {
    title: q === '' ? 'Search' : `${q}: search`,
    description: 'Search artists, events, venues, festivals, labels, cities and genres.',
    canonical: null,
    searches: true,
    crumbs: [{ name: 'Search', path: '/search' }],
    children: (
      <>
        <h1>{q === '' ? 'Search' : `Search: ${q}`}</h1>
        <SearchBox prefix={ask.place.prefix} size="large" value={q} />
        {q !== '' && (
          <section class="spaced" aria-labelledby="results">
            <h2 id="results">
              {hits.length === 0
                ? 'Nothing found'
                : hits.length === 50
                  ? 'The best 50'
                  : `${hits.length} found`}
            </h2>
            {hits.length === 0 ? (
              <p class="empty">
                Nothing here is called that, or anything near it. Try fewer letters, or only one of the words.
              </p>
            ) : (
              <Hits ask={ask} hits={hits} />
            )}
          </section>
        )}
      </>
    ),
  };
}

function Hits({ ask, hits }: { ask: Ask; hits: readonly Hit[] }): VNode {
  return (
    <ul class="rows hits">
      {hits.map((hit) => (
        <li key={`${hit.type} ${hit.url}`}>
          <span class="label">{typeNames[hit.type]}</span>
          <span class="what">
            <a href={local(ask, hit.url)}>
              <strong>{hit.name}</strong>
            </a>
            {hit.matched !== hit.name && <span class="soft"> also {hit.matched}</span>}
            {hit.note !== '' && <span class="soft"> {hit.note}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Where there is nothing: what may have been meant. */
export function missingPage(ask: Ask, text: string, q: string): Leaf {
  const near = q === '' ? [] : find(ask, q, 6);
  return {
    title: 'Nothing here',
    description: text,
    canonical: null,
    searches: true,
    children: (
      <>
        <p class="kind">404</p>
        <h1>Nothing here</h1>
        <p class="lead">{text}</p>
        <SearchBox prefix={ask.place.prefix} size="large" value={q} />
        {near.length > 0 && (
          <section class="spaced" aria-labelledby="near">
            <h2 id="near">Perhaps you meant</h2>
            <Hits ask={ask} hits={near} />
          </section>
        )}
      </>
    ),
  };
}
