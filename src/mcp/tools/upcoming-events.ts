/** The tools that list the upcoming events of one record. */
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import type { Tool } from '../tool.ts';
import { answerEvents } from './events.ts';

const upcomingEventsTool = (
  name: 'artist_upcoming_events' | 'venue_upcoming_events',
  title: string,
  description: string,
): Tool => ({
  name,
  title,
  description,
  plans: toolPlans[name],
  input: toolInputs[name],
  output: toolOutputs[name],
  run: (input, call) => answerEvents({ ...(input as ToolInput<typeof name>), includePast: false }, call),
});

export const artistUpcomingEvents = upcomingEventsTool(
  'artist_upcoming_events',
  'Upcoming events of an artist',
  `Lists the upcoming events and festival editions of one artist, DJ or live act, in all places, soonest first.
Use it for "when does Nina Kraviz play next?" or "where is Ben Klock in December?".
Returns the chosen artist (match), the events as in search_events, and the artist's sets at festivals. Two artists joined by "b2b" or "and" must both play.
It does not list past events and cannot filter by place (use search_events).
Example: {"artist": "Nina Kraviz", "from": "2026-12", "limit": 5}`,
);

export const venueUpcomingEvents = upcomingEventsTool(
  'venue_upcoming_events',
  'Upcoming events at a venue',
  `Lists the upcoming events at one club or other venue, soonest first, and its address, capacity and links.
Use it for "what's on at Berghain in December?" or "where is fabric?".
Returns the chosen venue (match; with other_matches if several have the name: then pass the city) and the events as in search_events.
It does not list past events (use search_events) or opening hours.
Example: {"venue": "Berghain", "city": "Berlin", "from": "2026-12"}`,
);
