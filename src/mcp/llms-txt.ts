/** /llms.txt: the text map for agents. What it lists is read from the contract and from the tools. */
import { guides } from '../contract/guides.ts';
import { attribution } from '../contract/openapi.ts';
import { apiPrefix, type OperationDefinition, operations } from '../contract/operations.ts';
import { plans, windowSeconds } from '../contract/plans.ts';
import type { Tool } from './tool.ts';

export type LlmsTxtFacts = {
  baseUrl: string;
  accountUrl: string;
  name: string;
  version: string;
  tools: readonly Tool[];
};

const formatNumber = (value: number): string => value.toLocaleString('en');

/** The whole text (llmstxt.org: a title, a summary, sections). */
export const llmsTxt = (facts: LlmsTxtFacts): string => `\
# ${facts.name}

> A read-only catalogue of electronic music: artists, events with line-ups, festivals and their editions, venues, cities,
> labels, podcasts with tracklists, genres. For programs as REST and JSON, for agents as an MCP endpoint.

- REST: ${facts.baseUrl}${apiPrefix} (described by [OpenAPI](${facts.baseUrl}/openapi.json))
- MCP: ${facts.baseUrl}/mcp (Streamable HTTP, stateless, revision 2026-07-28; clients of earlier revisions are served too)
- Every request of either carries \`Authorization: Bearer <API_KEY>\`. A key is made at ${facts.accountUrl}/account/developer.
- The MCP endpoint also takes OAuth 2.1 access tokens: a client discovers the authorization server from a 401, registers itself and asks the user.
- Who is on the Free plan names the source where data is shown: ${attribution(facts)}

## Tools of the MCP endpoint

${facts.tools.map(toolLine).join('\n')}

Names need not be exact. Events are upcoming ones unless asked otherwise; with an unknown time zone an event has a date
and no clock time. No match is an answer, not an error.

## Endpoints

All take GET. Lists are \`{"data": […], "page": {"next_cursor", "has_more"}}\` and take \`limit\` (50, at most 100) and \`cursor\`;
details are \`{"data": {…}}\`. What is absent is \`null\`.

${Object.values(operations).map(operationLine).join('\n')}

Dates (\`from\`, \`to\`) are local to the event: \`2026-12-31\`; or a timestamp with an offset. \`country\` is an ISO 3166-1
alpha-2 code. Events in a city: \`/cities/{slug}/events\` rather than \`city=\`, which knows one spelling.

## Limits

Calls of REST and MCP count together.

| Plan | Requests per key and ${windowSeconds} s | Requests per account and month (UTC) |
|---|---|---|
${Object.values(plans)
  .map((plan) => `| ${plan.title} | ${formatNumber(plan.window)} | ${formatNumber(plan.quota)} |`)
  .join('\n')}

Every answer tells what is left (\`X-RateLimit-Remaining\`, \`X-Quota-Remaining\`). A 429 says in \`Retry-After\` how many seconds to
wait. Errors are \`{"error": {"type", "message", "param", "request_id"}}\`; \`message\` says what to do.

## Guides

${guides.map(({ name, title, summary }) => `- [${title}](${facts.baseUrl}/docs/guides/${name}.md): ${summary}`).join('\n')}

## More

- [Reference](${facts.baseUrl}/docs): every endpoint, to try in a browser
- [OpenAPI 3.1](${facts.baseUrl}/openapi.json): every parameter and field
- [Changelog](${facts.baseUrl}/changelog.json): observable changes, newest first ([as a page](${facts.baseUrl}/changelog))
- [Server card](${facts.baseUrl}/mcp/server-card): how an MCP client connects
`;

function toolLine({ name, title, plans: allowed, input }: Tool): string {
  const everyone = Object.keys(plans).every((plan) => (allowed as readonly string[]).includes(plan));
  const where = everyone ? 'every plan' : allowed.map((plan) => plans[plan].title).join(', ');
  return `- \`${name}\`: ${title} (${where}). Takes ${Object.keys(input.shape).join(', ')}.`;
}

function operationLine(row: OperationDefinition): string {
  const filters = [...(row.filters ?? []), ...(row.shape === 'search' ? ['q'] : [])];
  const takes = filters.length === 0 ? '' : ` (${filters.map((name) => `\`${name}\``).join(', ')})`;
  return `- \`${row.path}\`: ${row.summary}${takes}`;
}
