/**
 * Expressions that take more than linear time, and what bounds the texts that they read. An expression that is not here
 * has to be linear. Prefer to rewrite: give each run of spaces to one part of the expression alone, begin a match where
 * a run begins (`(?<!\s)\s+`), and let no two alternatives match the same text.
 */

/** Steps that a match may take at the worst: letters of the longest text to the power of the degree. Some 50 ms. */
export const mostSteps = 20_000_000;

/** What is read, by its longest length in UTF-16 units, and what keeps it so short. */
export const bounds: Record<string, { letters: number; by: string }> = {
  address: { letters: 4_000, by: 'src/contract/feed.ts: url' },
  duration: { letters: 60, by: 'src/sync/sources/podcast-values.ts: readDuration' },
  moment: { letters: 100, by: 'src/sync/sources/podcast-values.ts: readPublished' },
  name: { letters: 1_001, by: 'src/contract/feed.ts: name, line; src/sync/sources/place.ts: readPlace' },
  own: { letters: 1_000, by: 'texts of the program itself, or of who runs it' },
  preview: { letters: 600, by: 'src/mcp/tools/artist-info.ts: longestBiography; src/site/site.ts: oneLine' },
  question: {
    letters: 200,
    by: 'src/catalogue/choose.ts: nameText; src/catalogue/find-events.ts: longestQuery',
  },
  time: { letters: 80, by: 'src/sync/reading/entry.ts: dropTimes' },
  title: {
    letters: 500,
    by: 'src/sync/reading/title.ts: readTitle; src/sync/sources/podcast-title.ts: readEpisodeTitle; src/sync/reading/show-notes.ts: flowed',
  },
  track: { letters: 3_000, by: 'src/sync/sources/tracklist.ts: cut' },
  zone: { letters: 500, by: 'src/sync/sources/ical-zones.ts: plain, ianaName' },
};

/** By file and bound: the declarations around the expressions, or the beginnings of those that are constructed. */
export const allowed: Record<string, Record<string, string[]>> = {
  'src/catalogue/choose-artists.ts': {
    question: ['\\s+(?:and|&|with|feat\\.?|ft\\.?|featuring', 'joint', 'maybe', 'surely'],
  },
  'src/catalogue/choose.ts': { question: ['between'] },
  'src/catalogue/festivals.ts': { name: ['kindOf'] },
  'src/catalogue/name-forms.ts': {
    question: ['aside', 'cityKind', 'formsOf', 'genreKind', 'manner', 'quotes', 'room', 'venueKind'],
  },
  'src/catalogue/time-words.ts': { question: ['patternsOf.surely.read.from', 'within'] },
  'src/catalogue/wording.ts': {
    question: ['(?<!\\p{L})(?:(?:is|are)\\s+open(?!\\p{L}|\\', 'opening', 'wordsOf.words'],
  },
  'src/cli/completion.ts': { own: ['nodesOf.node.options.about'] },
  'src/cli/main.ts': { own: ['report.line'] },
  'src/cli/program.ts': { own: ['override.complaint'] },
  'src/mcp/one-line.ts': { name: ['bars'] },
  'src/mcp/tools/artist-info.ts': { preview: ['shortened'] },
  'src/pages/place.ts': { own: ['placeOf.prefix'] },
  'src/settings.ts': { own: ['readAddress'] },
  'src/site/docs/assets.ts': { own: ['withoutMap'] },
  'src/site/site.ts': { preview: ['oneLine'] },
  'src/store/search-terms.ts': { name: ['plainChunk'] },
  'src/sync/kept-report.ts': { own: ['isOn'] },
  'src/sync/match/acts-in-titles.ts': { name: ['signs'] },
  'src/sync/match/acts.ts': { name: ['actKey.words', 'bracketed', 'crossed', 'joint', 'marks', 'pair'] },
  'src/sync/match/artists.ts': { name: ['bareOf'] },
  'src/sync/match/cities.ts': { name: ['cityNames'] },
  'src/sync/match/festivals.ts': { name: ['namesOf'] },
  'src/sync/match/house-names.ts': { name: ['parting', 'withoutAddress'] },
  'src/sync/match/letters.ts': { name: ['latinPartOf.part'] },
  'src/sync/match/links.ts': { address: ['isSpecific'] },
  'src/sync/match/location.ts': { name: ['compareNumbers', 'postal', 'streetOf.words', 'streetsIn'] },
  'src/sync/match/name-forms.ts': { name: ['nameForms.joined'] },
  'src/sync/match/named-keys.ts': { name: ['parting'] },
  'src/sync/match/occasion-parts.ts': {
    name: ['closing', 'feasts', 'opening', 'packed', 'parting', 'setOff', 'severalShows', 'single'],
  },
  'src/sync/match/own-names.ts': { name: ['bracketed', 'joint', 'performing', 'squeezed.words'] },
  'src/sync/match/where.ts': { name: ['moved'] },
  'src/sync/reading/beside.ts': {
    name: ['^(?:(?:[^\\p{L}\\p{N}\\p{M}\\s"\'(\\[{!?.&$€¥£', 'handle', 'quoted', 'trailing', 'unclosed'],
  },
  'src/sync/reading/entry.ts': {
    name: [
      '(?:(?:(?:\\s*[&+,]\\s*|\\s+(?:and|&|und|et|',
      '(?<![\\p{L}\\p{N}:./])(?:\\d{1,2}\\s*[–-]\\s*',
      '(?<![\\p{L}\\p{N}])[([]?\\s*(?:[01]?\\d|2[0-',
      '\\s+(?:[af]\\.?k\\.?a\\.?|formerly|pres\\.?|p',
      'alternativesOf.parts',
      'dropTag',
      'joinedInside',
      'marksOf',
      'readEntry',
      'readEntry.bare',
      'trailingMark.name',
      'trailingMark.written',
      'unquoted.bare',
    ],
    time: ['(?<!\\s)\\s*(?:[@|–-]\\s*)?(?:[([]\\s*)?(?<!'],
  },
  'src/sync/reading/event-lineup.ts': {
    name: [',|\\sb[2-5]b|(?:^|\\s)\\/?w\\s?\\/|\\sw\\.|\\bwi', 'annotated', 'lists', 'underFloors.head'],
  },
  'src/sync/reading/floors.ts': {
    name: [
      'floorsOf.bracketed',
      'floorsOf.chunks',
      'floorsOf.dashed',
      'floorsOf.every',
      'headOf.alone',
      'headOf.dashed',
      'headOf.head',
      'isDashed',
    ],
  },
  'src/sync/reading/lineup.ts': {
    name: [
      'LineupReader.entry',
      '[,;+/|(–-]?\\s*(?<![\\p{L}\\p{N}])(?:w\\/\\s*',
      '\\s*(?<![\\p{L}\\p{N}])(?:b[2-5]b(?:[2-5]?b',
      'bandOf.at',
      'bracketsApart',
      'bracketsApart.ends',
      'joined',
      'lastOfEnumeration.at',
      'sentence',
      'strong',
    ],
  },
  'src/sync/reading/no-act.ts': {
    name: ['^(?:(?:acid|afro|ambient|bass|breaks?|br', 'between', 'bracketed', 'isNoAct.bare'],
  },
  'src/sync/reading/plain.ts': {
    name: ['(?<=[\\p{L}\\p{N}]\\p{Mn}*)[\\u0334-\\u0338\\u', 'overlays'],
  },
  'src/sync/reading/profile-links.ts': { address: ['ids', 'others', 'services'] },
  'src/sync/reading/show-notes.ts': { title: ['listLike'] },
  'src/sync/reading/split.ts': { name: ['everywhere'] },
  'src/sync/reading/title-acts.ts': { title: ['performing.surely', 'placeOf'] },
  'src/sync/reading/title-lists.ts': { title: ['enumerated'] },
  'src/sync/reading/title-noise.ts': {
    title: [
      '(?<![\\p{L}\\p{N}])((?:supports?(?: acts?|',
      'behind',
      'cleanSeries.bare',
      'placeNames.bare',
      'shortPlace',
      'trim',
      'withoutPlace',
      'withoutSale',
    ],
  },
  'src/sync/reading/title-parts.ts': { title: ['strong', 'takeTour.cut'] },
  'src/sync/reading/title-roles.ts': {
    title: ["^(?:(?:[\\p{L}\\p{N}'&.]+ ){0,3}(?:room|fl", 'lone.slashed'],
  },
  'src/sync/reading/title-words.ts': {
    title: [
      '(?:(?<![\\p{L}\\p{N}])(?:from|ab|à partir ',
      '(?<![\\p{L}\\p{N}])(?:ab|over|ages?|from|a',
      '[–|:-]?\\s*(?<![\\p{L}\\p{N}])(?:(?:a |the ',
      '\\s*(?<![\\p{L}\\p{N}])(?:\\/w(?=\\s)|w\\s?\\/+',
      '\\s*(?<![\\p{L}\\p{N}])(?:invit(?:es?|ent|a',
      '\\s*(?<![\\p{L}\\p{N}])(?:pres(?:ents?|enti',
      '\\s*[–([-]?\\s*(?<![\\p{L}\\p{N}])(?:(?:host',
    ],
  },
  'src/sync/reading/title.ts': { title: ['\\((?:[A-Z]{2}(?: ?[/,|–-] ?[A-Z]{2})*|U\\', 'unwrapped'] },
  'src/sync/reading/venues.ts': {
    name: [
      'apart.inside',
      'apart.parts',
      'apart.trailing',
      'isPlaceholder',
      'isPlaceholder.afterTba',
      'parse.bare',
    ],
  },
  'src/sync/reading/words.ts': {
    name: [
      "^(?:(?:[\\p{L}\\p{N}'&./]+[ -]){0,3}(?:dan",
      "^(?:(?:[\\p{L}\\p{N}'&.]+ ){0,3}(?:room|fl",
      '^(?:(?:exclusive |full |new |modular |an',
      '^(?:(?:the |a |an )?(?:venue|location|pl',
      '^(?:t\\.?\\s?b\\.?\\s?[acd]\\.?(?:\\s+soon)?|t',
      'every',
      'maybeMore',
    ],
  },
  'src/sync/resolver.ts': { name: ['Resolver.credits.parts'] },
  'src/sync/slug.ts': { name: ['hyphenated', 'shortened', 'slugOf.letters'] },
  'src/sync/sources/address-city.ts': {
    name: ['british.match', 'isStreet', 'withState.form', 'withoutFigures.city'],
  },
  'src/sync/sources/address-end.ts': {
    name: ['plain.bare', 'plain.zip', 'spelt', 'town', 'withoutRegion', 'withoutRegion.bare'],
  },
  'src/sync/sources/address-street.ts': {
    name: [
      '^(.*\\d.*\\b(?:st|street|ave|avenue|rd|roa',
      '^(\\p{L}[\\p{L} ]+?)\\s+(\\d{5}(?:-\\d{4})?|[',
      'apart.tidy',
      'houseThenStreet',
      'streetEnd',
    ],
  },
  'src/sync/sources/ical-zones.ts': { zone: ['ianaName.tail', 'plain', 'shownByOutlook.match'] },
  'src/sync/sources/jsonld-name.ts': { name: ['withoutSite.match'] },
  'src/sync/sources/podcast-title.ts': {
    title: [
      'callsOf.pieces',
      'callsOf.short',
      'guestOf',
      'namesOf.pieces',
      'noName',
      'numberOf',
      'patternsOf',
      'place',
      'tails',
      'together',
    ],
  },
  'src/sync/sources/podcast-values.ts': {
    duration: ['readDuration.words'],
    moment: [
      '^(?:\\p{L}+,?\\s+)?(\\p{L}{3})\\p{L}*\\.?\\s+(',
      '^(?:\\p{L}+\\.?,?\\s+)?(\\d{1,2})[\\s-]+(\\p{L',
      'american',
      'iso',
      'written',
    ],
  },
  'src/sync/sources/postal-codes.ts': {
    name: [
      '^(?:([A-Z]{1,3})[- ])?〒?(\\d{4} ?[A-Z]{2}',
      '^(\\p{L}[^\\d]*?)\\s+(?:([A-Z]{1,3})[- ])?〒',
      'first',
      'last',
    ],
  },
  'src/sync/sources/towns.ts': { own: ['stateCodes'] },
  'src/sync/sources/tracklist-line.ts': {
    track: ['\\s+[[(]?(?:(\\d{1,2}):)?(\\d{1,3}):(\\d{2})', 'address', 'partsIn', 'quoted', 'separators'],
  },
  'src/sync/sources/tracklist-lines.ts': { track: ['headingOf', 'parts'] },
  'src/sync/sources/tracklist-list.ts': { track: ['hasEvidence'] },
  'src/sync/sources/tracklist-track.ts': {
    track: [
      'known',
      'known.bare',
      'labelOf.name',
      'layer',
      'onLabel',
      'pipeAtEnd',
      'slashAtEnd',
      'tempoAtEnd',
      'yearsAtEnd',
    ],
  },
  'src/sync/sources/tracklist-words.ts': {
    track: [
      '^(?:buy(?: (?:it|here|link|now))?|downlo',
      'beside',
      'dated',
      'heading',
      'headingAtEnd',
      'headingBefore',
      'noArtist',
    ],
  },
};
