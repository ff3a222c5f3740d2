/** The agent tools, in the order of tools/list. */
import type { Tool } from './tool.ts';
import { artistInfo } from './tools/artist-info.ts';
import { artistUpcomingEvents } from './tools/artist-upcoming-events.ts';
import { searchEvents } from './tools/search-events.ts';
import { venueUpcomingEvents } from './tools/venue-upcoming-events.ts';

export const tools: readonly Tool[] = [searchEvents, artistInfo, artistUpcomingEvents, venueUpcomingEvents];
