/** The lists of tools, in the order of tools/list. */
import { recordTools } from './extra/record-tools.ts';
import { searchAndFetch } from './extra/search-and-fetch.ts';
import type { Tool } from './tool.ts';
import { artistInfo } from './tools/artist-info.ts';
import { searchEvents } from './tools/search-events.ts';
import { artistUpcomingEvents, venueUpcomingEvents } from './tools/upcoming-events.ts';

/** The agent tools that every client gets. */
export const tools: readonly Tool[] = [searchEvents, artistInfo, artistUpcomingEvents, venueUpcomingEvents];

/** The agent tools, and those that a client gets on request only (docs/spec/agents.md#further-tools). */
export const allTools: readonly Tool[] = [...tools, ...recordTools, ...searchAndFetch];
