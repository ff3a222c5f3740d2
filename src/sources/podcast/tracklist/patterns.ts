/** The words by which written tracklists are known, as tables. */

/** What heads a tracklist, in the languages in which shows are published. */
export const heading =
  /^(?:(?:the|full|complete|my|set|mix|show|today['’]?s|this|week['’]?s|episode)\s+)*(?:track\s*-?\s*list(?:ing)?s?|trackliste|tracklista|tracklijst|play\s?list|set\s?list|tracks(?:\s+played)?|songs?\s+(?:played|list)|music\s+(?:played|in\s+this\s+(?:episode|show|mix))|titelliste|lista\s+de\s+(?:temas|canciones|reproducción)|liste\s+des\s+(?:titres|morceaux)|lista\s+(?:utworów|brani|dei\s+brani)|scaletta|список\s+треков|треклист|трек-лист|плейлист|曲目|セットリスト|トラックリスト|list\s+nhạc)(?![\p{L}\p{N}])/iu;

/** "Here is the tracklist:" */
export const headingAtEnd = /(?:track\s*-?\s*list(?:ing)?|play\s?list|set\s?list)\s*[:：]\s*$/i;

/** The names of the columns: "Artist | Title | Label". */
export const columnHeadings =
  /^(?:(?:time|start|no\.?|nr\.?|#|position|pos\.?)\s*[-–—|/]\s*)?artists?\s*[-–—|/]\s*(?:track|title|song)s?\b.{0,40}$/i;

/** "T R A C K L I S T" */
export const spacedLetters = /^(?:\p{L} ){4,}\p{L}(?=$|[^\p{L}])/u;

/** Behind a heading: "- 23rd February 2002", "was:". */
export const headingDate = /^\s*[-–—|]\s*[\p{L}\d\s,./-]*\b(?:19|20)?\d\d$/u;
export const introductionEnd = /^[^:：]{0,40}[:：]$/;

/** "Here is the tracklist: 01. …" on one line: what comes before is talk. */
export const headingBefore =
  /^.{0,2000}?\b(?:track\s*-?\s*list(?:ing)?|play\s?list|set\s?list)\s*[:：]?\s*(?=(?:[[(]?0?1[.)\]]|[[(]?(?:0?0:)?00?:00\b)\s*\S)/i;

/** A sentence about a tracklist is no heading. */
export const sentenceWords =
  /\b(?:is|are|was|can|will|be|in the|available|see|visit|found|find|here|via|comments?|subscribe|soon|coming)\b/i;

/** What parts a long list: "Hour 2", "Guest mix: X", a rule. */
export const sectionHeading =
  /^(?:(?:hour|hr|part|pt|side|disc|cd|set|stunde)\s*#?(?:\d{1,2}|[a-d]|i{1,3}|one|two|three|four)\b.{0,80}|(?:first|second|third|1st|2nd|3rd)\s(?:hour|half|part|set)\b.{0,80}|(?:guest\s?mix|exclusive mix|special guest|studio mix|guest set|mix by|mixed by|in the mix)\b.{0,80}|[-=_*~—–•.#+\s\u2500-\u25ff]{3,})$/i;

/** "DJ So-and-so Trance Mix:" heads what was played in it. */
export const setHeading = /^[^:]{0,60}\b(?:mix|set)\s*:$/i;

/** In brackets behind a title, these speak of the version, not of a label. */
export const versionWord =
  /(?:\b(?:(?:re)?mix(?:e[ds])?|rmx|re-?edit|edit|dub|version|vip|re-?work(?:ed)?|bootleg|mash-?\s?up|instrumental|acapp?ella|a cappella|live|original|extended|radio|re-?master(?:ed)?|refix|re-?fix|flip|feat|ft|featuring|with|prod|produced|part|pt|vol|demo|cover|intro|outro|reprise|interlude|remake|reconstruction|interpretation|treatment|take|vocal|loop|cut|unplugged|acoustic|bpm|exclusive|premiere|preview|clip|unknown)\b|^(?:19|20)\d\d$|^\d{1,3}:\d\d)/i;

/** What only the title of a track has behind it. */
export const mixVersionEnd =
  /\b(?:(?:re)?mix|rmx|re-?edit|edit|dub|version|vip|re-?work|bootleg|mash-?\s?up|instrumental|refix|re-?fix|flip|re-?master(?:ed)?)\s*$/i;

/** In brackets behind a title, these say that no label has it, or that it costs nothing. */
export const nonLabel =
  /^(?:(?:as yet |still )?unreleased|unsigned|self[\s-]?released?|white(?:\s?label)?|w\/l|promo|cdr?|dubplate|free(?:\s?(?:dl|d\/l|download|track))?|forthcoming|upcoming|coming soon|n\/a|none|-|\?+|no label|bandcamp|soundcloud|tba|tbc|id|unreleased id|unknown(?: label)?|exclusive|premiere)$/i;
/** "[Forthcoming Drumcode]" is on Drumcode. */
export const forthcomingPrefix =
  /^(?:forthcoming|upcoming|soon|out soon|coming soon|out now)(?:\s+(?:on|at|via))?[\s:,-]+/i;

/** A name in round brackets that can only be a label's. */
export const labelWord = /\b(?:records|recordings|recs|rec\.|trax|schallplatten|discos|disques)\b/i;
/** "[OSTGUT LP 12]": the number of a record, which names no label. */
export const catalogueNumber =
  /^(?:\d?[A-Z]{2,12}(?:[\s-]?(?:LP|EP|CD|LTD|DIGI|X))?[\s-]?\d{2,5}[A-Z]{0,3}|\d[\d\s-]{5,})$/i;

/** What a tracklist writes for an unknown name. */
export const unidentified =
  /^(?:i\.?d\.?\??(?:\s*#?\d{1,3})?|unreleased(?:\s+id)?|(?:unknown|unidentified)(?:\s+(?:artist|title|track|id))?|track\s+id|tba|tbc|n\/a|\?+|-+|_+)$/i;

/** What talk shows name their chapters by. */
export const talkSegment =
  /^(?:the\s+)?(?:intro(?:duction)?s?|outro|interview|news|q\s?&\s?a|questions?|sponsors?|sponsored|ads?|ad break|adverts?|break|discussion|listener|e-?mails?|mailbag|welcome|closing|credits|conclusion|chapter|topic|quiz|giveaway|housekeeping|shout\s?-?outs?|recap|review|reviews|segment|final thoughts|wrap[\s-]?up|what we|how to|why|part \d+)\b/i;

/** What music shows have before, between and behind their tracks. */
export const showFraming =
  /^(?:(?:show |station |guest )?(?:intro(?:duction)?|outro|welcome|jingle|ident|credits|thanks|thank you|end|start|talk|break|guest ?mix|interlude)s?)\b.{0,40}$/i;

/** What a presenter does between tracks. */
export const nonTitle = /^(?:moderation|ansage|talk[\s-]?over|voice[\s-]?over|sweeper|station id(?:ent)?)$/i;

/** Between dashes behind a title: where to get it, and the record that it is from. */
export const sideNote =
  /^(?:buy(?: (?:it|here|link|now))?|download|free download|stream|listen|link|out (?:now|soon)|(?:taken |lifted )?from (?:the |his |her |their )?(?:\p{L}+ )?(?:album|ep|lp|single|compilation|record|ost|\p{L}+ (?:ost|soundtrack))\b.*|taken from\b.*)$/iu;

/** What is no artist: a place to click, a credit, a day of the week. */
export const nonArtist =
  /^(?:(?:artists?(?: names?)?|interpret(?:en)?|follow|subscribe|listen|support|download|buy|stream|watch|check|visit|find|connect|join|contact|book(?:ing)?s?|e-?mail|mail|tel|phone|web(?:site)?|homepage|home|url|links?|more info|info|facebook|fb|instagram|ig|insta|twitter|soundcloud|mixcloud|bandcamp|spotify|apple(?: podcasts?| music)?|itunes|youtube|twitch|tiktok|telegram|discord|patreon|beatport|resident advisor|linktree|hearthis|discogs|artwork|photo|photos|photography|cover|picture|image|design|host(?:s|ed by)?|presenters?|produced by|producers?|editors?|edited by|mix(?:ed)? by|recorded|recorded (?:at|by|live)|engineer(?:ed by)?|mastered by|mastering|date|duration|length|genres?|styles?|location|venue|tickets?|price|source|sponsors?|sponsored by|use code|promo code|labels?|copyright|license|licence)\b(?:\s(?:me|us|by|here|on|at))?\s*:?|(?:every\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b.*|(?:mon|tue|wed|thu|fri|sat|sun)|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b.*\d.*)$/i;
