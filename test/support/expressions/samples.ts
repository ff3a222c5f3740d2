/** Readers that construct expressions from what they read: each is called once, so that those are analysed as well. */

import { createMatcher } from '../../../src/admin/route.ts';
import { adminRoutes } from '../../../src/admin/routes.ts';
import { compilePeriodRules } from '../../../src/catalogue/dates/periods.ts';
import { splitTime } from '../../../src/catalogue/dates/time-expressions.ts';
import { parseEpisodeTitle } from '../../../src/sources/podcast/episode-title.ts';
import { parseLineup } from '../../../src/text/lineup/parse.ts';
import { normalizeSeriesName } from '../../../src/text/title/noise.ts';
import { parseTitle } from '../../../src/text/title/parse.ts';
import { parseVenueName } from '../../../src/text/venue-name.ts';

/** Makes every expression that is constructed while the product reads. */
export function constructAll(): void {
  createMatcher(adminRoutes);
  Array.from(compilePeriodRules());
  splitTime('techno in Berlin on Friday');
  parseLineup('Ann, Bob b2b Cid – DE (live), Dora & more');
  const context = { venue: "Mary's Tresor, Keller", city: 'Berlin' };
  parseTitle('Fri: Ann, Bob with Cid @ Tresor Berlin, Support: Dora | Part 2', context);
  normalizeSeriesName('Fri: Litty');
  parseVenueName('Tresor Berlin', 'Berlin');
  parseEpisodeTitle('Resident Radio 123 - Ann', { podcast: 'Resident Radio', isMusicShow: true });
}
