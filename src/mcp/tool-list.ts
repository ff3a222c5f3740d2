/** The four agent tools, in the order in which they are listed. */
import type { Tool } from './tool.ts';
import { artistInfo } from './tools/artist-info.ts';
import { artistUpcomingEvents } from './tools/artist-upcoming-events.ts';
import { searchEvents } from './tools/search-events.ts';
import { venueUpcomingEvents } from './tools/venue-upcoming-events.ts';

export const tools: readonly Tool[] = [searchEvents, artistInfo, artistUpcomingEvents, venueUpcomingEvents];
