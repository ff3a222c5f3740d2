/** artist_upcoming_events: upcoming events of an artist. */
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import type { Tool } from '../tool.ts';
import { answerEvents } from './events.ts';

export const artistUpcomingEvents: Tool = {
  name: 'artist_upcoming_events',
  title: 'Upcoming events of an artist',
  description: `Lists the upcoming events of one artist, DJ or live act, in all places, soonest first.
Use it for questions such as "when does Nina Kraviz play next?" or "where is Ben Klock in December?".
Returns the chosen artist (match, with other_matches if the name is ambiguous) and the events, each with name, local start, place, line-up and public page, including events at unknown venues. For two artists joined by "b2b" or "and", it returns the events that both play.
It does not list past events and cannot filter by place. Use search_events for both.
Example: {"artist": "Nina Kraviz", "from": "2026-12", "limit": 5}`,
  plans: toolPlans.artist_upcoming_events,
  input: toolInputs.artist_upcoming_events,
  output: toolOutputs.artist_upcoming_events,
  run(input, call) {
    return answerEvents({ ...(input as ToolInput<'artist_upcoming_events'>), includePast: false }, call);
  },
};
