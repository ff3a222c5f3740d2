/** Types of parsed titles and line-ups. */

/** How an act performs, as written beside its name. */
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
  /** The normalized name without marks, times, countries and labels: "Adam Beyer". */
  name: string;
  /** Both names if "A & B", "A/B" or "A + The B" may be one act or two; else empty. */
  alternatives: string[];
  tags: PerformanceTag[];
  /** A number shared by acts that play together (b2b, feat., vs); null for an act that plays alone. */
  group: number | null;
  billing: 'headline' | 'support' | null;
  stage: string | null;
};

/** Facts about the event, which a title may repeat. */
export type TitleContext = {
  venue?: string | null | undefined;
  city?: string | null | undefined;
  /** Names of the acts of the line-up, which are recognized in the title. */
  acts?: readonly string[] | undefined;
};

export type ParsedTitle = {
  /** The name of a series ("Drumcode", "Klubnacht"), without edition numbers. */
  series: string | null;
  /** The presenter ("X presents …"). */
  presenter: string | null;
  acts: ParsedAct[];
  /** "European Tour". */
  tour: string | null;
  /** 'early show', 'late show', 'after-party', 'opening', 'closing', 'album release', 'day 2' …: sorted and unique. */
  occasion: string[];
  /** The number or anniversary of an edition: "#45" gives "45", "10 Years of" gives "10 years". */
  edition: string | null;
  /** Whether the title announces more acts: "+ more", "& friends", "many more". */
  moreToCome: boolean;
};
