/** search and fetch: the two tools that research assistants expect of every server. */
import { type ExtraInput, extraInputs, extraOutputs } from '../../contract/extra-tools.ts';
import { planNames } from '../../contract/plans.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { withBaseUrl } from '../../store/records/serialize.ts';
import { type Tool, type ToolContext, ToolInputError, type ToolResult } from '../tool.ts';
import { pathOfKind, readRecord } from './resources.ts';

const maxResults = 20;

function search({ query }: ExtraInput<'search'>, { catalogue, now, baseUrl }: ToolContext): ToolResult {
  const results = catalogue.search.search(query, maxResults, now).map((json) => {
    const { type, slug, name, city, country, start_at, url } = JSON.parse(
      withBaseUrl(json, baseUrl),
    ) as ApiRecord<'SearchHit'>;
    const more = [start_at?.slice(0, 10), city, country].filter(Boolean).join(', ');
    return { id: `${pathOfKind[type]}/${slug}`, title: `${name}${more === '' ? '' : ` (${more})`}`, url };
  });
  return { structured: { results }, text: JSON.stringify({ results }) };
}

function fetchRecord({ id }: ExtraInput<'fetch'>, call: ToolContext): ToolResult {
  const record = readRecord(id, call);
  if (record === null)
    throw new ToolInputError(
      `There is no record "${id.slice(0, 100)}". Pass an id that \`search\` returned.`,
    );
  const { name, url } = JSON.parse(record.json) as { name: string; url: string };
  const document = {
    id: record.path,
    title: name,
    text: record.json,
    url,
    metadata: { type: record.path.split('/')[0] as string },
  };
  return { structured: document, text: JSON.stringify(document) };
}

/** Both tools, which a client gets on request only. */
export const searchAndFetch: readonly Tool[] = [
  {
    name: 'search',
    title: 'Search records',
    description: 'Finds artists, events, festivals, venues and labels by name. Returns ids for `fetch`.',
    plans: planNames,
    input: extraInputs.search,
    output: extraOutputs.search,
    run: (input, call) => call.catalogue.reader.snapshot(() => search(input as ExtraInput<'search'>, call)),
  },
  {
    name: 'fetch',
    title: 'Fetch a record',
    description: 'Returns a whole record by an id of `search`, as JSON text.',
    plans: planNames,
    input: extraInputs.fetch,
    output: extraOutputs.fetch,
    run: (input, call) => fetchRecord(input as ExtraInput<'fetch'>, call),
  },
];
