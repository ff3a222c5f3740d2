/** artist_upcoming_events: what an artist plays next. */
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import type { Tool } from '../tool.ts';
import { answerEvents } from './events.ts';

export const artistUpcomingEvents: Tool = {
  name: 'artist_upcoming_events',
  title: 'Upcoming events of an artist',
  description: `Lists the upcoming events of one artist, DJ or live act, everywhere, soonest first.
Use it for questions such as "when does Nina Kraviz play next?" or "where is Ben Klock in December?".
Returns the artist that was chosen (match, with other_matches where the name is ambiguous) and the events, each with name, local start, place, line-up and public page; also those whose venue is not on record. Two artists joined by "b2b" or "and" give the events that both play.
It does not list past events, and cannot filter by place: search_events does both.
Example: {"artist": "Nina Kraviz", "from": "2026-12", "limit": 5}`,
  plans: toolPlans.artist_upcoming_events,
  input: toolInputs.artist_upcoming_events,
  output: toolOutputs.artist_upcoming_events,
  run(input, call) {
    return answerEvents({ ...(input as ToolInput<'artist_upcoming_events'>), includePast: false }, call);
  },
};
