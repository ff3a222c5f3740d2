/** /llms.txt: an overview of the service for agents, generated from the contract and the tools. */
import { guides } from '../contract/guides.ts';
import { attribution } from '../contract/openapi.ts';
import { apiPrefix, type OperationDefinition, operations } from '../contract/operations.ts';
import { parameterOf } from '../contract/parameters.ts';
import { describePlanChange, type PlansInForce, plans, planTable } from '../contract/plans.ts';
import type { Tool } from './tool.ts';

export type LlmsTxtFacts = {
  baseUrl: string;
  accountUrl: string;
  name: string;
  attribution: string | null;
  version: string;
  tools: readonly Tool[];
};

/** Returns the text in the form of llmstxt.org: title, summary, sections. */
export const llmsTxt = (facts: LlmsTxtFacts, limits: PlansInForce): string => `\
# ${facts.name}

> A read-only catalogue of electronic music: artists, events with line-ups, festivals and their editions, venues, cities,
> labels, podcasts with tracklists, genres. Programs use the REST API (JSON), agents the MCP endpoint.

- REST: ${facts.baseUrl}${apiPrefix} (see [OpenAPI](${facts.baseUrl}/openapi.json))
- MCP: ${facts.baseUrl}/mcp (Streamable HTTP, stateless, revision 2026-07-28; earlier revisions are supported)
- Every request needs \`Authorization: Bearer <API_KEY>\`. Create a key at ${facts.accountUrl}/account/developer.
- The MCP endpoint also accepts OAuth 2.1 access tokens: a client finds the authorization server through a 401, registers itself and asks the user.
- On the Free plan, show this attribution with the data: ${attribution(facts)}

## Tools of the MCP endpoint

${facts.tools.map(toolLine).join('\n')}

Names may be inexact. The tools return upcoming events unless you set \`include_past\`. An event with an unknown time zone
has a date and no clock time. A name without a match is a normal result, not an error.

## Endpoints

All use GET. Lists are \`{"data": […], "page": {"next_cursor", "has_more"}}\` with the parameters \`limit\` (default 50, maximum
100) and \`cursor\`; single records are \`{"data": {…}}\`. A missing value is \`null\`.

${Object.values(operations).map(operationLine).join('\n')}

\`from\` and \`to\` are local dates of the event (\`2026-12-31\`) or timestamps with an offset. \`country\` is an ISO 3166-1
alpha-2 code. For events in a city, use \`/cities/{slug}/events\`: \`city=\` matches one spelling only.

## Limits

REST and MCP requests count together.

${planTable(limits.plans)}
${limits.upcoming.map((change) => `\n${describePlanChange(change)} ${change.note}`.trimEnd()).join('')}

Every response has the remaining requests (\`X-RateLimit-Remaining\`, \`X-Quota-Remaining\`), and \`X-Quota-Notice\` from 80 % of
the month on. A 429 has the seconds to wait in
\`Retry-After\`. Errors are \`{"error": {"type", "message", "param", "request_id"}}\`; \`message\` says what to do.

## Guides

${guides.map(({ name, title, summary }) => `- [${title}](${facts.baseUrl}/docs/guides/${name}.md): ${summary}`).join('\n')}

## More

- [Reference](${facts.baseUrl}/docs): every endpoint, with requests to try in a browser
- [OpenAPI 3.1](${facts.baseUrl}/openapi.json): every parameter and field
- [Changelog](${facts.baseUrl}/changelog.json): observable changes, newest first ([as a page](${facts.baseUrl}/changelog))
- [Server card](${facts.baseUrl}/mcp/server-card): how an MCP client connects
`;

function toolLine({ name, title, plans: allowed, input }: Tool): string {
  const isInEveryPlan = Object.keys(plans).every((plan) => (allowed as readonly string[]).includes(plan));
  const planText = isInEveryPlan ? 'every plan' : allowed.map((plan) => plans[plan].title).join(', ');
  return `- \`${name}\`: ${title} (${planText}). Inputs: ${Object.keys(input.shape).join(', ')}.`;
}

function operationLine(row: OperationDefinition): string {
  const filters = [...(row.filters ?? []).map(parameterOf), ...(row.shape === 'search' ? ['q'] : [])];
  const filterText = filters.length === 0 ? '' : ` (${filters.map((name) => `\`${name}\``).join(', ')})`;
  return `- \`${row.path}\`: ${row.summary}${filterText}`;
}
