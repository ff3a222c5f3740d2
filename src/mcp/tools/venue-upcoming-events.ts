/** venue_upcoming_events: what is on at a venue. */
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import type { Tool } from '../tool.ts';
import { answerEvents } from './events.ts';

export const venueUpcomingEvents: Tool = {
  name: 'venue_upcoming_events',
  title: 'Upcoming events at a venue',
  description: `Lists the upcoming events at one club or other venue, soonest first.
Use it for questions such as "what's on at Berghain in December?" or "who plays at fabric this weekend?".
Returns the venue that was chosen (match, with other_matches where several have the name; give the city then) and the events, each with name, local start, place, line-up and public page. Events that only name a place that is not on record are found by that name too.
It does not list past events, and knows no opening hours or door prices: search_events lists past events of a venue.
Example: {"venue": "Berghain", "city": "Berlin", "from": "2026-12"}`,
  plans: toolPlans.venue_upcoming_events,
  input: toolInputs.venue_upcoming_events,
  output: toolOutputs.venue_upcoming_events,
  run(input, call) {
    return answerEvents({ ...(input as ToolInput<'venue_upcoming_events'>), includePast: false }, call);
  },
};
