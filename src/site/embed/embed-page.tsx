/** The list of events that other sites embed in a frame: no header, no script, no cookie. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ApiRecord } from '../../contract/records.ts';
import { assetPaths, embedAccentPath } from '../../pages/assets.ts';
import { MessagesContext } from '../../pages/messages/messages.ts';
import { EventsByDay, type SharedPlace } from '../components/event-lists.tsx';
import { countFitting, estimatedBytes, pageBudgetBytes } from '../components/page-budget.ts';
import { withQuery } from '../components/pagination.tsx';
import { readFirst } from '../components/record-sections.tsx';
import { type ListFilters, readListFilters } from '../days/list-filters.ts';
import { filterOf } from '../days/scope.ts';
import { absoluteUrl, type PageContext, queryParameter } from '../page-context.ts';
import { eventListTitle } from '../views/list-events.tsx';

const eventsByDefault = 20;
const maxEvents = 50;
const themes = ['light', 'dark'] as const;

/** The number of events that the address names, from 1 to 50; 20 without one. */
function readLimit(context: PageContext): number {
  const text = queryParameter(context, 'limit', 10);
  const number = /^\d{1,3}$/.test(text) ? Number(text) : eventsByDefault;
  return Math.min(Math.max(number, 1), maxEvents);
}

/** Renders the whole document. The list can be filtered like that of all events. */
export function embedPage(context: PageContext): string {
  return `<!doctype html>${renderToString(
    <MessagesContext.Provider value={context.messages}>
      <EmbedDocument context={context} />
    </MessagesContext.Provider>,
  )}`;
}

function readEvents(context: PageContext, { scope, days, isNothing }: ListFilters): ApiRecord<'EventItem'>[] {
  const { reader, now } = context;
  if (isNothing) return [];
  const source = reader.events.source({ ...filterOf(scope), ...days, upcomingAt: now });
  const events = readFirst<ApiRecord<'EventItem'>>(context, source, readLimit(context));
  return events.slice(0, countFitting(events, estimatedBytes.event, pageBudgetBytes));
}

function EmbedDocument({ context }: { context: PageContext }): VNode {
  const { siteUrl, language, messages } = context;
  const { sharing } = messages;
  const { prefix, identity, name } = siteUrl;
  const filters = readListFilters(context);
  const title = eventListTitle(context, filters, null);
  const events = readEvents(context, filters);
  const themeName = queryParameter(context, 'theme', 10);
  const theme = themes.find((one) => one === themeName);
  const { filter, city } = filters.scope;
  const at: SharedPlace = filter.venue !== undefined ? 'venue' : city === null ? null : 'city';
  const path = withQuery('/events', { ...filters.values, lang: context.query.has('lang') ? language : '' });
  return (
    <html lang={language} {...(theme === undefined ? {} : { 'data-theme': theme })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{sharing.embedTitle(title, name)}</title>
        <meta name="robots" content="noindex" />
        <link rel="canonical" href={absoluteUrl(context, path)} />
        <link rel="stylesheet" href={prefix + assetPaths.embedStyle} />
        {identity.accent !== null && (
          <link rel="stylesheet" href={prefix + embedAccentPath(identity.accent)} />
        )}
        {/* A page within the frame would be too small. */}
        <base target="_blank" />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {events.length === 0 ? (
            <p class="empty">{sharing.embedNone}</p>
          ) : (
            <EventsByDay context={context} events={events} at={at} heading="h2" />
          )}
        </main>
        <footer>
          <a href={prefix + path}>
            {sharing.embedMore(name)}
            <span class="hidden">{` (${sharing.opensNewTab})`}</span>
          </a>
        </footer>
      </body>
    </html>
  );
}
