/** The search page, the suggestions below the search box, and the 404 page. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ApiRecord } from '../../contract/records.ts';
import { SearchBox } from '../../pages/header.tsx';
import { pageUrl } from '../../store/records/serialize.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { localDate, shortDate } from '../components/dates.tsx';
import { countryText, placeText } from '../components/parts.tsx';
import { countText } from '../components/record-sections.tsx';
import type { PageView } from '../layout.tsx';
import { type PageContext, queryParameter, resolvePath } from '../page-context.ts';

type SearchResult = { type: string; name: string; matched: string; url: string; note: string };

const typeNames: Record<string, string> = {
  artist: 'Artist',
  event: 'Event',
  festival: 'Festival',
  venue: 'Venue',
  label: 'Label',
  city: 'City',
  genre: 'Genre',
};

/** Cities and genres whose name equals or begins with the text; the search index does not contain them. */
function findPlaces(context: PageContext, q: string, limit: number): SearchResult[] {
  const words = normalizeForSearch(q);
  if (words.length < 2) return [];
  return (['city', 'genre'] as const).flatMap((kind) => {
    const seen = new Set<number>();
    return context.reader.namedRecords
      .allNames(kind)
      .filter(
        (one) =>
          one.words === words || (one.is_alias === 0 && words.length > 2 && one.words.startsWith(words)),
      )
      .sort((a, b) => Number(b.words === words) - Number(a.words === words))
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .slice(0, limit)
      .map(({ slug, name, country: code }) => ({
        type: kind,
        name,
        matched: name,
        url: pageUrl(kind, slug),
        note: countryText(code) ?? '',
      }));
  });
}

function findResults(context: PageContext, q: string, limit: number): SearchResult[] {
  const hits = context.search.search(q, limit, context.now).map((json): SearchResult => {
    const hit = JSON.parse(json) as ApiRecord<'SearchHit'>;
    const date = hit.start_at === null ? null : shortDate(localDate(hit.start_at));
    return {
      type: hit.type,
      name: hit.name,
      matched: hit.matched,
      url: hit.url,
      note: placeText(date, hit.city, countryText(hit.country)),
    };
  });
  return [...findPlaces(context, q, limit > 10 ? 5 : 2), ...hits].slice(0, limit);
}

const maxSuggestions = 8;

/** Renders the suggestions below the search box as an HTML fragment. */
export function suggestionOptions(context: PageContext): string {
  const q = queryParameter(context, 'q');
  if (q === '') return '';
  const all = `${context.siteUrl.prefix}/search?${new URLSearchParams({ q })}`;
  return renderToString(
    <>
      {findResults(context, q, maxSuggestions).map((hit, index) => (
        <div
          role="option"
          tabIndex={-1}
          aria-selected="false"
          id={`hit-${index}`}
          data-hit
          data-href={resolvePath(context, hit.url)}
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

/** The best results of a query, including cities and genres. */
export function searchPage(context: PageContext): PageView {
  const q = queryParameter(context, 'q');
  const hits = q === '' ? [] : findResults(context, q, 50);
  return {
    title: q === '' ? 'Search' : `${q}: search`,
    description: 'Search artists, events, venues, festivals, labels, cities and genres.',
    canonical: null,
    hasSearchBox: true,
    crumbs: [{ name: 'Search', path: '/search' }],
    children: (
      <>
        <h1>{q === '' ? 'Search' : `Search: ${q}`}</h1>
        <SearchBox prefix={context.siteUrl.prefix} size="large" value={q} />
        {q !== '' && (
          <section class="spaced" aria-labelledby="results">
            <h2 id="results">
              {hits.length === 0
                ? 'No results'
                : hits.length === 50
                  ? 'The best 50 results'
                  : countText(hits.length, 'result')}
            </h2>
            {hits.length === 0 ? (
              <p class="empty">No name is like this one. Try fewer letters, or only one of the words.</p>
            ) : (
              <ResultList context={context} hits={hits} />
            )}
          </section>
        )}
      </>
    ),
  };
}

function ResultList({ context, hits }: { context: PageContext; hits: readonly SearchResult[] }): VNode {
  return (
    <ul class="rows hits">
      {hits.map((hit) => (
        <li key={`${hit.type} ${hit.url}`}>
          <span class="label">{typeNames[hit.type]}</span>
          <span class="what">
            <a href={resolvePath(context, hit.url)}>
              <strong>{hit.name}</strong>
            </a>
            {hit.matched !== hit.name && <span class="soft"> (also {hit.matched})</span>}
            {hit.note !== '' && <span class="soft"> {hit.note}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The 404 page with records of similar names. */
export function notFoundPage(context: PageContext, text: string, q: string): PageView {
  const near = q === '' ? [] : findResults(context, q, 6);
  return {
    title: 'Page not found',
    description: text,
    canonical: null,
    hasSearchBox: true,
    children: (
      <>
        <p class="kind">404</p>
        <h1>Page not found</h1>
        <p class="lead">{text}</p>
        <SearchBox prefix={context.siteUrl.prefix} size="large" value={q} />
        {near.length > 0 && (
          <section class="spaced" aria-labelledby="near">
            <h2 id="near">Did you mean</h2>
            <ResultList context={context} hits={near} />
          </section>
        )}
      </>
    ),
  };
}
