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
  description: { letters: 800, by: 'src/text/description-lineup.ts: findLists, the lines of a description' },
  duration: { letters: 60, by: 'src/sources/podcast/values.ts: parseDurationSeconds' },
  moment: { letters: 100, by: 'src/sources/podcast/values.ts: parsePublished' },
  name: { letters: 1_001, by: 'src/contract/feed.ts: name, line; src/sources/address/place.ts: parsePlace' },
  own: { letters: 1_000, by: 'texts of the program itself, or of who runs it' },
  preview: {
    letters: 600,
    by: 'src/mcp/tools/artist-info.ts: longestBiography; src/site/page-context.ts: shorten',
  },
  question: {
    letters: 200,
    by: 'src/catalogue/linking/entity-linking.ts: nameText; src/catalogue/find-events.ts: longestQuery',
  },
  time: { letters: 80, by: 'src/text/lineup/entry.ts: dropTimes' },
  title: {
    letters: 500,
    by: 'src/text/title/parse.ts: readTitle; src/sources/podcast/episode-title.ts: parseEpisodeTitle; src/sources/common/html.ts: collapseLineBreaks',
  },
  track: { letters: 3_000, by: 'src/sources/podcast/tracklist/parse.ts: truncate' },
  zone: { letters: 500, by: 'src/sources/ical/time-zones.ts: normalizeZoneId, toIanaZone' },
};

/** By file and bound: the declarations around the expressions, or the beginnings of those that are constructed. */
export const allowed: Record<string, Record<string, string[]>> = {
  'src/catalogue/dates/time-expressions.ts': { question: ['patternsOf.surely.read.from', 'within'] },
  'src/catalogue/festival-names.ts': { name: ['festivalWords'] },
  'src/catalogue/linking/artists.ts': {
    question: [
      '\\s+(?:and|&|with|feat\\.?|ft\\.?|featuring',
      'certainJoiners',
      'nameJoiners',
      'possibleJoiners',
    ],
  },
  'src/catalogue/linking/entity-linking.ts': { question: ['between'] },
  'src/catalogue/linking/name-forms.ts': {
    question: [
      'bracketSuffix',
      'citySuffix',
      'genreSuffix',
      'nameForms',
      'performanceSuffix',
      'quotes',
      'roomSuffix',
      'venueSuffix',
    ],
  },
  'src/catalogue/query-parser.ts': {
    question: ['(?<!\\p{L})(?:(?:is|are)\\s+open(?!\\p{L}|\\', 'opening', 'wordsOf.words'],
  },
  'src/cli/commands/completion.ts': { own: ['commandNodes.node.options.about'] },
  'src/cli/main.ts': { own: ['reportError.line'] },
  'src/cli/program.ts': { own: ['overrideErrors.message'] },
  'src/ingest/resolution/reference-resolver.ts': { name: ['ReferenceResolver.creditedArtists.parts'] },
  'src/ingest/schedule/dead-runs.ts': { own: ['describeDefect.place'] },
  'src/ingest/schedule/run-report.ts': { own: ['isOnPage'] },
  'src/matching/entities/blocking-keys.ts': { name: ['partSeparator'] },
  'src/matching/entities/compare-artists.ts': { name: ['withoutAffixes'] },
  'src/matching/entities/compare-cities.ts': { name: ['cityNames'] },
  'src/matching/entities/compare-festivals.ts': { name: ['nameAndBracketed'] },
  'src/matching/entities/compare-locations.ts': {
    name: ['compareNumbers', 'postalCodePattern', 'streetOf.words', 'addressStreets'],
  },
  'src/matching/entities/compare-venue-names.ts': { name: ['partSeparator', 'withoutAddress'] },
  'src/matching/events/acts-in-titles.ts': { name: ['separators'] },
  'src/matching/events/titles-of-venues.ts': { name: ['movedPattern'] },
  'src/matching/events/lineup-acts.ts': {
    name: ['bracketedSuffix', 'crossSeparator', 'jointSeparator', 'pairSeparator', 'performanceMarks'],
  },
  'src/matching/events/title-patterns.ts': {
    name: [
      'bundlePattern',
      'closingPattern',
      'holidays',
      'leadSeparator',
      'multiShowPattern',
      'openingPattern',
      'segmentSeparator',
      'singleDayPattern',
    ],
  },
  'src/matching/page-links.ts': { address: ['isSpecific'] },
  'src/mcp/sanitize-text.ts': { name: ['bars'] },
  'src/mcp/tools/artist-info.ts': { preview: ['shortened'] },
  'src/pages/site-url.ts': { own: ['createSiteUrl.prefix'] },
  'src/setting-values.ts': { own: ['parseHttpUrl'] },
  'src/site/docs/assets.ts': { own: ['withoutMap'] },
  'src/site/page-context.ts': { preview: ['shorten'] },
  'src/sources/address/city.ts': {
    name: ['britishCity.match', 'cityWithState.form', 'isStreet', 'withoutDistrict.city'],
  },
  'src/sources/address/country.ts': {
    name: [
      'fromCountryName',
      'normalizePart.bare',
      'normalizePart.zip',
      'withoutDistrictNumber',
      'withoutRegion',
      'withoutRegion.bare',
    ],
  },
  'src/sources/address/gazetteer.ts': { own: ['stateCodesByName'] },
  'src/sources/address/north-america.ts': {
    name: [
      '^(.*\\d.*\\b(?:st|street|ave|avenue|rd|roa',
      '^(\\p{L}[\\p{L} ]+?)\\s+(\\d{5}(?:-\\d{4})?|[',
      'splitVenueFromStreet.tidy',
      'streetEnd',
      'venueThenStreet',
    ],
  },
  'src/sources/address/postal-codes.ts': {
    name: [
      '^(?:([A-Z]{1,3})[- ])?〒?(\\d{4} ?[A-Z]{2}',
      '^(\\p{L}[^\\d]*?)\\s+(?:([A-Z]{1,3})[- ])?〒',
      'codeFirstPattern',
      'codeLastPattern',
    ],
  },
  'src/sources/common/html.ts': { title: ['listLine'] },
  'src/sources/ical/time-zones.ts': {
    zone: ['normalizeZoneId', 'toIanaZone.tail', 'zoneFromOutlookName.match'],
  },
  'src/sources/jsonld/event.ts': { name: ['withoutSiteName.match'] },
  'src/sources/podcast/episode-title.ts': {
    title: [
      'actSeparator',
      'findNumber',
      'guestMixBy',
      'nonNameWord',
      'seriesNames.pieces',
      'seriesNames.short',
      'splitNames.pieces',
      'titlePatterns',
      'trailingNote',
      'trailingPlace',
    ],
  },
  'src/sources/podcast/tracklist/classify.ts': { track: ['hasEvidence'] },
  'src/sources/podcast/tracklist/layout.ts': { track: ['parseHeading', 'trackSeparators'] },
  'src/sources/podcast/tracklist/line.ts': {
    track: [
      '\\s+[[(]?(?:(\\d{1,2}):)?(\\d{1,3}):(\\d{2})',
      'quoted',
      'separators',
      'splitByStyle',
      'urlPattern',
    ],
  },
  'src/sources/podcast/tracklist/patterns.ts': {
    track: [
      '^(?:buy(?: (?:it|here|link|now))?|downlo',
      'heading',
      'headingAtEnd',
      'headingBefore',
      'headingDate',
      'nonArtist',
      'sideNote',
    ],
  },
  'src/sources/podcast/tracklist/tracks.ts': {
    track: [
      'cleanLabel.name',
      'cleanName',
      'cleanName.bare',
      'layerSeparator',
      'onLabel',
      'pipeAtEnd',
      'slashAtEnd',
      'tempoAtEnd',
      'yearsAtEnd',
    ],
  },
  'src/sources/podcast/values.ts': {
    duration: ['parseDurationSeconds.words'],
    moment: [
      '^(?:\\p{L}+,?\\s+)?(\\p{L}{3})\\p{L}*\\.?\\s+(',
      '^(?:\\p{L}+\\.?,?\\s+)?(\\d{1,2})[\\s-]+(\\p{L',
      'isoDate',
      'rfc822Date',
      'usDate',
    ],
  },
  'src/store/search/index-terms.ts': { name: ['plainChunk'] },
  'src/text/artist-name.ts': {
    name: ['bracketedSuffix', 'foldToLatin.words', 'jointSeparator', 'performanceSuffix'],
  },
  'src/text/brackets.ts': { name: ['withGlobalFlag'] },
  'src/text/description-lineup.ts': {
    description: [
      '(?<![\\p{L}\\p{N}])(?:tickets?|doors?(?: o',
      '[.!?|•–]\\s+(?:(?:full|complete|the|das|o',
      'isHeadingLine.head',
      'listEnd',
      'withoutAnnotation.before',
    ],
  },
  'src/text/event-lineup.ts': {
    name: [
      ',|\\sb[2-5]b|(?:^|\\s)\\/?w\\s?\\/|\\sw\\.|\\bwi',
      'annotatedName',
      'assignStages.head',
      'listSign',
    ],
  },
  'src/text/lineup/entry.ts': {
    name: [
      '(?:(?:(?:\\s*[&+,]\\s*|\\s+(?:and|&|und|et|',
      '(?<![\\p{L}\\p{N}:./])(?:\\d{1,2}\\s*[–-]\\s*',
      '(?<![\\p{L}\\p{N}])[([]?\\s*(?:[01]?\\d|2[0-',
      '\\s+(?:[af]\\.?k\\.?a\\.?|formerly|pres\\.?|p',
      'dropCountryTag',
      'guestInBrackets',
      'parseEntry',
      'parseEntry.bare',
      'parseTags',
      'splitAlternatives.parts',
      'stripQuotes.bare',
      'splitTrailingTag.name',
      'splitTrailingTag.written',
    ],
    time: ['(?<!\\s)\\s*(?:[@|–-]\\s*)?(?:[([]\\s*)?(?<!'],
  },
  'src/text/lineup/line-noise.ts': {
    name: [
      '^(?:(?:[^\\p{L}\\p{N}\\p{M}\\s"\'(\\[{!?.&$€¥£',
      'handle',
      'trailingQuote',
      'trailingSymbols',
      'unclosedBracket',
    ],
  },
  'src/text/lineup/non-artist.ts': {
    name: ['bracketedLine', 'genreSeparator', 'isNonArtistLine.bare'],
  },
  'src/text/lineup/parse.ts': {
    name: [
      'LineupParser.entry',
      '[,;+/|(–-]?\\s*(?<![\\p{L}\\p{N}])(?:w\\/\\s*',
      '\\s*(?<![\\p{L}\\p{N}])(?:b[2-5]b(?:[2-5]?b',
      'entrySeparator',
      'parseBandName.at',
      'sixWordsPattern',
      'splitAfterBrackets',
      'splitAfterBrackets.ends',
      'splitLastOfEnumeration.at',
      'withSeparator',
    ],
  },
  'src/text/lineup/stage-headings.ts': {
    name: [
      'hasDashedStage',
      'parseHeading.alone',
      'parseHeading.dashed',
      'parseHeading.head',
      'splitByStage.bracketed',
      'splitByStage.chunks',
      'splitByStage.dashed',
      'splitByStage.every',
    ],
  },
  'src/text/lookup-forms.ts': { name: ['lookupForms.joined'] },
  'src/text/normalize.ts': { name: ['(?<=[\\p{L}\\p{N}]\\p{Mn}*)[\\u0334-\\u0338\\u', 'strikeThroughMarks'] },
  'src/text/patterns.ts': {
    name: [
      "^(?:(?:[\\p{L}\\p{N}'&./]+[ -]){0,3}(?:dan",
      "^(?:(?:[\\p{L}\\p{N}'&.]+ ){0,3}(?:room|fl",
      '^(?:(?:exclusive |full |new |modular |an',
      '^(?:(?:a |an |the |our |one |two |three ',
      '^(?:(?:an? |the |full |big |large |grand',
      'nonNameWord',
      'wordPattern',
    ],
  },
  'src/text/profile-links.ts': { address: ['databaseHosts', 'idPatterns', 'servicesByHost'] },
  'src/text/scripts.ts': { name: ['latinPart.part'] },
  'src/text/slug.ts': { name: ['hyphenate', 'slugOf.letters', 'truncateSlug'] },
  'src/text/title/act-list.ts': { title: ['enumerateWithCommas'] },
  'src/text/title/filter-acts.ts': { title: ['filterActs.surely', 'placeNames'] },
  'src/text/title/noise.ts': {
    title: [
      '(?<![\\p{L}\\p{N}])((?:supports?(?: acts?|',
      'normalizeSeriesName.bare',
      'placeAfterPreposition',
      'placeNames.bare',
      'shortPlacePattern',
      'stripPlace',
      'stripSaleInfo',
      'trimSeparators',
    ],
  },
  'src/text/title/parse.ts': { title: ['unwrapBrackets'] },
  'src/text/title/patterns.ts': {
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
  'src/text/title/qualifiers.ts': { title: ['extractTour.cut', 'segmentSeparator'] },
  'src/text/title/roles.ts': {
    title: ["^(?:(?:[\\p{L}\\p{N}'&.]+ ){0,3}(?:room|fl", 'classifySingleSegment.slashed'],
  },
  'src/text/venue-name.ts': {
    name: [
      'isPlaceholderName',
      'isPlaceholderName.afterTba',
      'parseUncached.bare',
      'stripRoom.inside',
      'stripRoom.parts',
      'stripRoom.trailing',
    ],
  },
};
