/** The search page, the suggestions below the search box, and the 404 page. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { regionNamed } from '../../catalogue/places/cities.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { SearchBox } from '../../pages/header.tsx';
import type { Messages } from '../../pages/messages/messages.ts';
import { pageUrl } from '../../store/records/serialize.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { localDate } from '../components/dates.tsx';
import { cityText, countryText, placeText } from '../components/parts.tsx';
import type { PageView } from '../layout.tsx';
import { type PageContext, queryParameter, resolvePath } from '../page-context.ts';
import { answerQuestion } from './question.tsx';

type SearchResult = { type: string; name: string; matched: string; url: string; note: string };

/** The name of a result's kind. */
const typeName = ({ kinds }: Messages, { type }: SearchResult): string => {
  const names: Readonly<Record<string, string>> = kinds;
  return names[type] ?? type;
};

/** Cities and genres whose name equals or begins with the text; the search index does not contain them. */
function findPlaces(context: PageContext, q: string, limit: number): SearchResult[] {
  const words = normalizeForSearch(q);
  if (words.length < 2) return [];
  const region = regionNamed(context, q);
  const inRegion = new Set(region?.cities.map(({ slug }) => slug));
  return (['city', 'genre'] as const).flatMap((kind) => {
    const ids = new Set<number>();
    return context.reader.namedRecords
      .allNames(kind)
      .filter(
        (one) =>
          one.words === words ||
          (kind === 'city' && inRegion.has(one.slug) && one.is_alias === 0) ||
          (one.is_alias === 0 && words.length > 2 && one.words.startsWith(words)),
      )
      .sort((a, b) => Number(b.words === words) - Number(a.words === words))
      .filter(({ id }) => !ids.has(id) && ids.add(id))
      .slice(0, limit)
      .map(({ slug, name, country: code }) => ({
        type: kind,
        name: kind === 'city' ? cityText(context.messages, name, code) : name,
        matched: kind === 'city' ? cityText(context.messages, name, code) : name,
        url: pageUrl(kind, slug),
        note: countryText(context.messages, code) ?? '',
      }));
  });
}

function findResults(context: PageContext, q: string, limit: number): SearchResult[] {
  const { messages } = context;
  const hits = context.search.search(q, limit, context.now).map((json): SearchResult => {
    const hit = JSON.parse(json) as ApiRecord<'SearchHit'>;
    const date = hit.start_at === null ? null : messages.formats.shortDate(localDate(hit.start_at));
    return {
      type: hit.type,
      name: hit.name,
      matched: hit.matched,
      url: hit.url,
      note: placeText(date, cityText(messages, hit.city, hit.country), countryText(messages, hit.country)),
    };
  });
  return [...findPlaces(context, q, limit > 10 ? 5 : 2), ...hits].slice(0, limit);
}

/** Whether the matched name says more than the name and its place: "OHM Berlin" in Berlin is only "OHM". */
function isOtherName({ name, matched, note }: SearchResult): boolean {
  const words = new Set(normalizeForSearch(`${name} ${note}`).split(' '));
  return normalizeForSearch(matched)
    .split(' ')
    .some((word) => !words.has(word));
}

const maxSuggestions = 8;
const maxResults = 50;

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
          <span class="label">{typeName(context.messages, hit)}</span>{' '}
          <span>
            <b>{hit.name}</b>{' '}
            <span class="soft small">{isOtherName(hit) ? placeText(hit.matched, hit.note) : hit.note}</span>
          </span>
        </div>
      ))}
      <div role="option" tabIndex={-1} aria-selected="false" id="hit-all" data-href={all}>
        {context.messages.search.allResults(q)}
      </div>
    </>,
  );
}

/** The best results of a query, including cities and genres. */
export function searchPage(context: PageContext): PageView {
  const q = queryParameter(context, 'q');
  const answer = q === '' ? null : answerQuestion(context, q);
  const results = q === '' ? [] : findResults(context, q, maxResults);
  const records = (answer?.named ?? []).map(({ kind, slug, name, note }) => ({
    type: kind,
    name,
    matched: name,
    url: pageUrl(kind, slug),
    note,
  }));
  // The words of a question are in no name, but its parts name records.
  const hits = results.length > 0 ? results : records;
  const { search: words, counts } = context.messages;
  return {
    title: q === '' ? words.title : words.titleOf(q),
    description: words.description,
    canonical: null,
    hasSearchBox: true,
    crumbs: [{ name: words.title, path: '/search' }],
    children: (
      <>
        <h1>{q === '' ? words.title : words.heading(q)}</h1>
        <SearchBox prefix={context.siteUrl.prefix} size="large" value={q} />
        {answer?.content}
        {q !== '' && (answer === null || hits.length > 0) && (
          <section class="spaced" aria-labelledby="results">
            <h2 id="results">
              {answer !== null
                ? context.messages.days.records
                : hits.length === 0
                  ? words.none
                  : hits.length === maxResults
                    ? words.best
                    : counts.results(hits.length)}
            </h2>
            {hits.length === 0 ? (
              <p class="empty">{words.noneHint}</p>
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
          <span class="label">{typeName(context.messages, hit)}</span>
          <span class="what">
            <a href={resolvePath(context, hit.url)}>
              <strong>{hit.name}</strong>
            </a>
            {isOtherName(hit) && <span class="soft">{context.messages.search.also(hit.matched)}</span>}
            {hit.note !== '' && <span class="soft"> {hit.note}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The 404 page with records of similar names. */
export function notFoundPage(context: PageContext, q: string): PageView {
  const near = q === '' ? [] : findResults(context, q, 6);
  const { notFound: words, search } = context.messages;
  return {
    title: words.title,
    description: words.text,
    canonical: null,
    hasSearchBox: true,
    children: (
      <>
        <p class="kind">404</p>
        <h1>{words.title}</h1>
        <p class="lead">{words.text}</p>
        <SearchBox prefix={context.siteUrl.prefix} size="large" value={q} />
        {near.length > 0 && (
          <section class="spaced" aria-labelledby="near">
            <h2 id="near">{search.didYouMean}</h2>
            <ResultList context={context} hits={near} />
          </section>
        )}
      </>
    ),
  };
}
