/** venue_upcoming_events: upcoming events of a venue. */
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import type { Tool } from '../tool.ts';
import { answerEvents } from './events.ts';

export const venueUpcomingEvents: Tool = {
  name: 'venue_upcoming_events',
  title: 'Upcoming events at a venue',
  description: `Lists the upcoming events at one club or other venue, soonest first, and its address, capacity and links.
Use it for "what's on at Berghain in December?" or "where is fabric?".
Returns the chosen venue (match; with other_matches if several have the name: then pass the city) and the events as in search_events.
It does not list past events (use search_events) or opening hours.
Example: {"venue": "Berghain", "city": "Berlin", "from": "2026-12"}`,
  plans: toolPlans.venue_upcoming_events,
  input: toolInputs.venue_upcoming_events,
  output: toolOutputs.venue_upcoming_events,
  run(input, call) {
    return answerEvents({ ...(input as ToolInput<'venue_upcoming_events'>), includePast: false }, call);
  },
};
