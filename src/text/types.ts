/** What the reading of titles and line-ups gives: acts, and how each of them appears. */

/** How an act appears, as written beside its name. */
export type PerformanceTag =
  | 'live'
  | 'dj'
  | 'hybrid'
  | 'b2b'
  | 'vinyl'
  | 'all night long'
  | 'extended'
  | 'opening'
  | 'closing'
  | 'hosting'
  | 'debut'
  | 'visuals'
  | 'a/v'
  | 'acoustic';

export type ParsedAct = {
  /** Plain letters, without marks, times, countries and labels: "Adam Beyer". */
  name: string;
  /** Where "A & B", "A/B" or "A + The B" may be one act or two: the two. Empty otherwise. */
  alternatives: string[];
  tags: PerformanceTag[];
  /** Acts that play together (b2b, feat., vs) share a number; null for one that plays alone. */
  group: number | null;
  billing: 'headline' | 'support' | null;
  stage: string | null;
};

/** What is known beside a title, and may be taken out of it. */
export type TitleContext = {
  venue?: string | null | undefined;
  city?: string | null | undefined;
  /** Names of the acts known from the line-up: they are recognised in the title. */
  acts?: readonly string[] | undefined;
};

/** A title, read. */
export type ParsedTitle = {
  /** The name of a night that returns ("Drumcode", "Klubnacht"), without edition numbers. */
  series: string | null;
  /** Who presents, as far as the title says so ("X presents …"). */
  presenter: string | null;
  acts: ParsedAct[];
  /** "European Tour". */
  tour: string | null;
  /** 'early show', 'late show', 'after-party', 'opening', 'closing', 'album release', 'day 2' …: sorted, each once. */
  occasion: string[];
  /** The number or anniversary of an edition: "#45" gives "45", "10 Years of" gives "10 years". */
  edition: string | null;
  /** "+ more", "& friends", "many more". */
  moreToCome: boolean;
};
