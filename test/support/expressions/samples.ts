/** Readers that construct expressions from what they read: each is called once, so that those are analysed as well. */
import { splitTime } from '../../../src/catalogue/time-words.ts';
import { readLineup } from '../../../src/sync/reading/lineup.ts';
import { readTitle } from '../../../src/sync/reading/title.ts';
import { cleanSeries } from '../../../src/sync/reading/title-noise.ts';
import { readVenueName } from '../../../src/sync/reading/venues.ts';
import { readEpisodeTitle } from '../../../src/sync/sources/podcast-title.ts';

/** Makes every expression that is constructed while the product reads. */
export function constructAll(): void {
  splitTime('techno in Berlin on Friday');
  readLineup('Ann, Bob b2b Cid – DE (live), Dora & more');
  const context = { venue: "Mary's Tresor, Keller", city: 'Berlin' };
  readTitle('Fri: Ann, Bob with Cid @ Tresor Berlin, Support: Dora | Part 2', context);
  cleanSeries('Fri: Litty');
  readVenueName('Tresor Berlin', 'Berlin');
  readEpisodeTitle('Resident Radio 123 - Ann', { podcast: 'Resident Radio', music: true });
}
