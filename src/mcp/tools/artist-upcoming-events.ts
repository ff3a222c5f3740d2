/** artist_upcoming_events: upcoming events of an artist. */
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import type { Tool } from '../tool.ts';
import { answerEvents } from './events.ts';

export const artistUpcomingEvents: Tool = {
  name: 'artist_upcoming_events',
  title: 'Upcoming events of an artist',
  description: `Lists the upcoming events and festival editions of one artist, DJ or live act, in all places, soonest first.
Use it for "when does Nina Kraviz play next?" or "where is Ben Klock in December?".
Returns the chosen artist (match), the events as in search_events, and the artist's sets at festivals. Two artists joined by "b2b" or "and" must both play.
It does not list past events and cannot filter by place (use search_events).
Example: {"artist": "Nina Kraviz", "from": "2026-12", "limit": 5}`,
  plans: toolPlans.artist_upcoming_events,
  input: toolInputs.artist_upcoming_events,
  output: toolOutputs.artist_upcoming_events,
  run(input, call) {
    return answerEvents({ ...(input as ToolInput<'artist_upcoming_events'>), includePast: false }, call);
  },
};
