/**
 * The texts of the pages in English. This file is the pattern of all languages (`pattern.ts`): a language
 * without one of its texts does not compile. `{name}` in a text is a place for a link, a date or a name (`filled.tsx`).
 */
import { scopes } from '../../contract/scopes.ts';
import { daysTexts } from './days-en.ts';
import { formatsOf } from './formats.ts';

export * as account from './account-en/account.ts';
export * as consoleEdit from './console-edit-en.ts';
export { consoleFrame } from './console-frame-en.ts';
export * as consoleOperator from './console-operator-en.ts';
export { consoleOverview } from './console-overview-en.ts';
export * as consoleRecords from './console-records-en.ts';
export { consoleRefusals } from './console-refusals-en.ts';
export { consoleReview } from './console-review-en.ts';
export * as consoleSources from './console-sources-en.ts';
export { controls } from './controls-en.ts';
export { mediaTexts as media } from './media-en.ts';
export { sharing } from './sharing-en.ts';

export const formats = formatsOf({ language: 'en', dates: 'en-GB', keepsCommas: false });
const { counted } = formats;

/** Counts of records: "1 event", "2,300 events". */
export const counts = {
  events: (count: number) => counted(count, 'event', 'events'),
  upcomingEvents: (count: number) => counted(count, 'upcoming event', 'upcoming events'),
  artists: (count: number) => counted(count, 'artist', 'artists'),
  venues: (count: number) => counted(count, 'venue', 'venues'),
  festivals: (count: number) => counted(count, 'festival', 'festivals'),
  genres: (count: number) => counted(count, 'genre', 'genres'),
  editions: (count: number) => counted(count, 'edition', 'editions'),
  sets: (count: number) => counted(count, 'set', 'sets'),
  episodes: (count: number) => counted(count, 'episode', 'episodes'),
  tracks: (count: number) => counted(count, 'track', 'tracks'),
  results: (count: number) => counted(count, 'result', 'results'),
};

/** The frame of every page: header, search box, footer. */
export const frame = {
  skip: 'Skip to content',
  main: 'Main',
  service: 'Service',
  catalogue: 'Catalogue',
  breadcrumb: 'Breadcrumb',
  api: 'API',
  account: 'Account',
  developer: 'Developer',
  console: 'Admin',
  signIn: 'Sign in',
  signOut: 'Sign out',
  tagline: (name: string) => `${name}: a catalogue of electronic music`,
  apiReference: 'API reference',
  changelog: 'Changelog',
  forAgents: 'For agents',
  statistics: 'Statistics',
  about: 'About',
  contact: 'Contact',
  imprint: 'Imprint',
  privacy: 'Privacy',
  terms: 'Terms',
  language: 'Language',
  search: 'Search',
  searchLabel: 'Artist, event, venue, festival, label, city or genre',
  searchHint: 'Artist, event, venue …',
  suggestions: 'Suggestions',
  noSuggestions: 'No suggestions',
  oneSuggestion: '1 suggestion',
  manySuggestions: '# suggestions',
};

/** Names of the kinds of record: one, and the list of all. */
export const kinds = {
  event: 'Event',
  artist: 'Artist',
  venue: 'Venue',
  festival: 'Festival',
  edition: 'Festival edition',
  city: 'City',
  label: 'Label',
  genre: 'Genre',
  podcast: 'Podcast',
  episode: 'Episode',
};
export const lists = {
  events: 'Events',
  artists: 'Artists',
  venues: 'Venues',
  festivals: 'Festivals',
  cities: 'Cities',
  labels: 'Labels',
  genres: 'Genres',
  podcasts: 'Podcasts',
};

/** Headings, facts and links that several pages have. */
export const common = {
  closed: 'closed',
  ended: 'ended',
  closedSince: (date: string) => `Closed since ${date}`,
  openUntil: (date: string) => `Open until ${date}`,
  activeUntil: (date: string) => `Active until ${date}`,
  figures: 'Figures',
  about: 'About',
  elsewhere: 'Elsewhere',
  upcomingEvents: 'Upcoming events',
  pastEvents: 'Past events',
  lineup: 'Line-up',
  tickets: 'Tickets',
  genres: 'Genres',
  artists: 'Artists',
  venues: 'Venues',
  festivals: 'Festivals',
  labels: 'Labels',
  from: 'From',
  where: 'Where',
  also: 'Also known as',
  partOf: 'Part of',
  upcoming: 'Upcoming',
  timeZone: 'Time zone',
  back: 'Back',
  backToFirst: 'Back to the first page',
  next: 'Next',
  earlier: 'Earlier',
  moreUpcoming: 'More upcoming events',
  allPast: 'All past events',
  show: 'Show',
  chosenFilters: 'Chosen filters',
  clear: 'Clear',
  andMore: 'and more',
  andCountMore: (count: number) => `and ${count} more`,
  toDate: 'to',
  all: (what: string) => `All ${what}`,
  ofRecord: (title: string, name: string) => `${title} of ${name}.`,
  noEvents: 'No upcoming events. New ones appear in the feed and the calendar.',
  knownTo: (services: string) => `Known to ${services}.`,
  upcomingFeed: (name: string) => `${name}: upcoming events`,
  subscribe: 'Subscribe in a calendar',
  subscribeTo: (name: string) => ` to ${name}`,
  calendarFile: 'iCalendar file',
  atomFeed: 'Atom feed',
  website: 'Website',
  openInMaps: 'Open in maps',
  datesUnknown: 'dates not announced',
  timeUnknown: 'TBA',
  unknownCountry: (text: string) =>
    `No country is called “${text}”. Write its name in English, or a code such as DE.`,
};

export const statuses = {
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  rescheduled: 'New date',
  over: 'Over',
};
export const availability = {
  available: 'Available',
  limited: 'Few left',
  soldOut: 'Sold out',
  notOnSale: 'Not on sale',
};

export const home = {
  title: 'Electronic music: events, artists, festivals, mixes',
  description: (name: string, figures: string) =>
    `${name} is an open catalogue of electronic music: ${figures}.`,
  heading: 'Who plays where, and when',
  lead: 'An open catalogue of electronic music: events, artists, venues, festivals, labels and mixes, from many sources, each event once.',
  nextUp: 'Next up',
  nextElsewhere: 'Next in other cities',
  nextIn: (city: string) => `Next in ${city}`,
  allIn: (city: string) => `All events in ${city}`,
  nothingIn: (city: string) => `There are no upcoming events in ${city} yet.`,
  cities: 'Cities',
  nextFestivals: 'Next festivals',
  allFestivals: 'All festivals',
  latestMixes: 'Latest mixes',
  allPodcasts: 'All podcasts',
  inCatalogue: 'In the catalogue',
  noEvents: 'There are no upcoming events yet.',
  addCity: 'Add your city',
  addCityText:
    'This catalogue has no upcoming events. Add the calendar of a club, a feed, or the website of a promoter. cratebase reads it once a day.',
  addSource: 'Add a source',
  addCityGuide: 'Guide: your city in ten minutes',
  allEvents: 'All upcoming events',
  nextDays: (days: number) =>
    days === 1 ? 'Events of the next day.' : `Events of the next ${formats.number(days)} days.`,
};

export const countLabels = {
  upcoming_events: 'upcoming events',
  events: 'events',
  artists: 'artists',
  venues: 'venues',
  festivals: 'festivals',
  cities: 'cities',
  labels: 'labels',
  genres: 'genres',
  podcasts: 'podcasts',
  episodes: 'episodes',
  tracks: 'tracks',
};

export const event = {
  title: (name: string, venue: string | null, date: string) =>
    `${name}${venue ? ` at ${venue}` : ''}, ${date}`,
  state: { cancelled: 'cancelled', postponed: 'postponed' },
  withActs: (names: string) => `With ${names}.`,
  sample: 'Sample event: invented for trying things out. It does not take place.',
  lineupUnknown: 'The line-up is not announced yet.',
  moreActs: 'More acts',
  calendar: 'In your calendar',
  sources: 'Sources',
  festival: 'Festival',
  age: 'Age',
  ageAndOver: (age: number) => `${age} and over`,
  time: 'Time',
  timeUncertain: 'Uncertain; only the date is shown',
  venueUnknown: 'Venue not announced',
  instead: 'What is on instead',
  saveDate: 'Save the date as an iCalendar file',
  subscribeToVenue: (venue: string | null) => `Subscribe to all of ${venue ?? ''}`,
  listedBy: 'This event is listed by',
  combines: 'This event combines these listings:',
  licence: 'licence',
};

export const artist = {
  realName: 'Real name',
  upcomingFestivals: 'Upcoming festivals',
  mixes: 'Mixes',
  playedIn: 'Played in',
  description: (name: string, country: string | null, genres: string, upcoming: string) =>
    `${name}${country ? ` from ${country}` : ''}${genres ? `: ${genres}` : ''}. ${upcoming}, mixes and labels.`,
};

export const festival = {
  title: (name: string, city: string | null) => `${name}, festival${city ? ` in ${city}` : ''}`,
  description: (name: string, place: string, editions: string) =>
    `${name}${place ? `, ${place}` : ''}: ${editions} with line-ups, times and tickets.`,
  next: 'Next:',
  editions: 'Editions',
  earlierOnes: (count: number) => `and ${counted(count, 'earlier one', 'earlier ones')}`,
};

export const edition = {
  title: (name: string) => `${name}: line-up, times, tickets`,
  dayTitle: (name: string, day: string) => `${name}, ${day}: timetable`,
  timesIn: (zone: string) => ` times in ${zone}`,
  lineupUnknown: 'The line-up is not known.',
  notAnnounced: 'Not announced yet.',
  events: 'Events',
  andMoreNames: ' and more',
  fromDay: (date: string) => `, from ${date}`,
  withNames: (names: string) => ` with ${names}`,
  festival: 'Festival',
  aboutFestival: (name: string) => `About ${name}`,
  otherEditions: 'Other editions',
  timetable: 'Timetable',
  days: 'Days',
  backToFirstOf: (day: string) => `Back to the first of ${day}`,
  moreOf: (day: string) => `More of ${day}`,
  allOfThem: (count: string) => `All ${count} of them`,
  moreOfLineup: 'More of the line-up',
  alsoPlaying: 'Also playing',
  noStage: 'Stage not announced',
  drawing: (day: string, sets: number, stages: number) =>
    `Timetable of ${day}: ${counts.sets(sets)} on ${counted(stages, 'stage', 'stages')}. The same follows as tables.`,
  drawingLabel: 'Sets by time and stage',
};

export const venue = {
  description: (name: string, place: string, upcoming: string) =>
    `${name}${place ? ` in ${place}` : ''}: ${upcoming}, address and links.`,
  holds: 'Capacity',
  people: (count: number) => counted(count, 'person', 'people'),
};

export const city = {
  title: (name: string, country: string | null) => `Electronic music in ${name}, ${country}`,
  description: (name: string, upcoming: string, venues: string) =>
    `${name}: ${upcoming} at ${venues}, and festivals.`,
  inhabitants: 'Inhabitants',
};

export const label = {
  title: (name: string) => `${name}, record label`,
  description: (name: string, country: string | null, artists: string) =>
    `${name}${country ? `, a label from ${country}` : ''}: ${artists} and their upcoming events.`,
  since: 'Since',
  roster: 'Roster',
  noEvents: 'None of its artists has an upcoming event.',
  itsLabels: 'Its labels',
  artistsOf: (name: string) => `Artists of ${name}`,
  artistsOfText: (name: string) => `The artists of ${name}.`,
};

export const genre = {
  listDescription: (count: string) =>
    `${count} genres of electronic music as a tree, each with its artists and events.`,
  listLead: (genres: string) =>
    `${genres}, each below the genre that it came from. Open one to see its subgenres.`,
  tree: 'Tree of genres',
  title: (name: string) => `${name}: events, artists and festivals`,
  description: (name: string, upcoming: string, artists: string) => `${name}: ${upcoming} and ${artists}.`,
  within: 'Within it',
  noEvents: 'No upcoming events of this genre.',
};

export const podcast = {
  title: (name: string) => `${name}, podcast`,
  description: (name: string, publisher: string | null, episodes: string) =>
    `${name}${publisher ? ` by ${publisher}` : ''}: ${episodes} with artists and tracklists.`,
  by: 'By',
  episodes: 'Episodes',
  latest: 'Latest',
  feed: 'Feed',
  noEpisodes: 'There are no episodes yet.',
  backToNewest: 'Back to the newest',
  earlierEpisodes: 'Earlier episodes',
};

export const episode = {
  description: (name: string, podcastName: string, by: string, tracks: number) =>
    `${name}, an episode of ${podcastName}${by ? ` by ${by}` : ''}${tracks ? `, with a tracklist of ${tracks}` : ''}.`,
  podcast: 'Podcast',
  number: 'Number',
  published: 'Published',
  length: 'Length',
  listen: 'Listen',
  at: (host: string) => `at ${host}`,
  missingTracks: (count: number) => (count === 1 ? 'Track not known' : `${count} tracks not known`),
  tracklist: 'Tracklist',
};

export const eventList = {
  title: 'Upcoming events',
  events: 'Events',
  description: (title: string) => `${title}: electronic music by day, with line-ups, venues and tickets.`,
  ofGenre: (name: string) => `${name} events`,
  places: (places: string) => `in ${places}`,
  at: (places: string) => `at ${places}`,
  withArtist: (name: string) => `with ${name}`,
  ofFestival: (name: string) => `at ${name}`,
  onDay: (day: string) => `on ${day}`,
  fromDay: (day: string) => `from ${day}`,
  toDay: (day: string) => `to ${day}`,
  byDay: 'By day',
  none: 'No event matches. Remove a filter, or choose other days.',
  unknownGenre: (text: string) => `No genre is called “${text}”.`,
  unknownVenue: (text: string) => `No venue is called “${text}”.`,
  unknownCity: (text: string) => `No city is called “${text}”.`,
  unknownArtist: (text: string) => `No artist is called “${text}”.`,
  unknownFestival: (text: string) => `No festival is called “${text}”.`,
  notADate: (text: string) => `“${text}” is not a date. Write it as 2026-12-31.`,
  filter: 'Filter events',
  city: 'City',
  country: 'Country',
  venue: 'Venue',
  artist: 'Artist',
  festival: 'Festival',
  genre: 'Genre',
  from: 'From',
  to: 'To',
};

export const nameList = {
  about: {
    artist: 'Artists of electronic music with their dates, mixes and labels',
    venue: 'Clubs and other venues with their upcoming events',
    festival: 'Festivals with their editions, line-ups and timetables',
    city: 'Cities with their venues and upcoming events',
    label: 'Record labels with their artists',
    podcast: 'Mix series and radio shows with their tracklists',
  },
  inPlace: (title: string, place: string) => `${title} in ${place}`,
  byName: 'By name',
  byLetter: 'By first letter',
  filterCountry: 'Filter by country',
  country: 'Country',
  none: 'This list has no entries.',
  venuesIn: (name: string) => `Venues in ${name}`,
  artistsOf: (name: string) => `Artists of ${name}`,
  backTo: (name: string) => `Back to ${name}`,
  ofGenre: (title: string, genre: string) => `${title} with ${genre}`,
  countryOnly: 'The catalogue knows the country of artists and labels, not their city.',
  all: (title: string) => `All ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
};

export const search = {
  title: 'Search',
  titleOf: (text: string) => `${text}: search`,
  heading: (text: string) => `Search: ${text}`,
  description: 'Search artists, events, venues, festivals, labels, cities and genres.',
  allResults: (text: string) => `All results for “${text}”`,
  none: 'No results',
  best: 'The best 50 results',
  noneHint: 'No name is like this one. Try fewer letters, or only one of the words.',
  also: (name: string) => ` (also ${name})`,
  didYouMean: 'Did you mean',
};

export const notFound = {
  title: 'Page not found',
  text: 'No page has this address. It may be misspelt, or the page may be gone. Try the search.',
};

export const tooMany = {
  title: 'Too many requests',
  text: 'Your network has used up its share of the page requests. Wait a moment, then reload the page.',
};

export const failed = {
  unavailable: {
    title: 'Not available at the moment',
    text: 'The catalogue cannot be read just now. Wait a moment, then reload the page.',
  },
  internal: {
    title: 'Something went wrong',
    text: 'This page could not be made. Reload it; if it fails again, send the operator this number: {id}',
  },
};

export const stats = {
  title: 'Statistics',
  description: (name: string, events: string, artists: string, tracks: string) =>
    `Statistics of ${name}: ${events} events by month, ${artists} artists, ${tracks} tracks.`,
  lastRead: 'Sources were last read on {date}.',
  perMonth: 'Events per month',
  inMonths: (months: number) => ` events in ${counted(months, 'month', 'months')}`,
  highest: (count: string) => `highest bar: ${count}`,
  drawing: (first: string, last: string, total: string, most: string) =>
    `Events per month from ${first} to ${last}: ${total} in all, at most ${most} in one. The figures follow as a table.`,
  month: 'Month',
  events: 'Events',
};

export const about = {
  title: (name: string) => `About ${name}`,
  description: (name: string) => `Who runs ${name}, where its data comes from, and how to use it.`,
  lead: (name: string) =>
    `${name} is a catalogue of electronic music. It imports listings from many sources and merges duplicates into one event.`,
  operator: 'Who runs it',
  operatorUnknown: 'The operator of this service has not said who they are.',
  contact: 'Contact',
  data: 'The data',
  dataText: 'Each event names the sources that list it. The dates and tickets of the organizer are binding.',
  places: 'Positions, regions and time zones of cities are in part by',
  attribution: 'If you show the data elsewhere, add this sentence:',
  use: 'Programs and agents',
  useText: 'Programs read the catalogue by the {api}, agents by {agents}.',
  api: 'REST API',
  agents: 'MCP',
  software: 'This service runs cratebase {version}.',
};

/** The consent page of OAuth, and the pages of failed requests. */
export const consent = {
  title: (client: string) => `Allow access for ${client}?`,
  heading: 'Allow access for {client}?',
  allow: 'Allow',
  deny: 'Deny',
  otherAccount: 'Use another account',
  takeBack: 'You can take this back at any time, on your developer page.',
  whoAsks: 'Who asks',
  goesTo: 'Your answer goes to',
  mayDo: 'What it may do',
  useService: (name: string) => `Use ${name} on your behalf:`,
  scopes: scopes as Record<keyof typeof scopes, string>,
  countsAgainstQuota: 'Its requests count against your monthly quota.',
  signedInAs: 'Signed in as',
  thisProgram: 'a program on this computer',
  appBehind: (scheme: string) => `the app behind ${scheme}:`,
  verified: '{name}. Verified: {host} publishes this name.',
  noName: 'An app without a name',
  describedUnnamed:
    'It has no name, and {host} describes it. Not verified for this answer, which goes to another host.',
  described:
    'It calls itself {name}, and {host} describes it. Not verified for this answer, which goes to another host.',
  unverifiedUnnamed: 'Not verified: it does not say what it is.',
  unverified: 'It calls itself {name}. Not verified: this name has not been checked.',
  quoted: (name: string) => `“${name}”`,
  programOn: 'a program on {computer} ({address})',
  thisComputer: 'this computer',
  appFor: 'the app on this device that opens {scheme} links',
  otherHost: 'Your answer goes to {destination}, which is not {publisher}.',
  warning:
    'Allow it only if you have just started this yourself. Other people can send you a link to this page.',
  sentFromElsewhere: 'This form was sent from a page of another site. Check the request again, then decide.',
  accountChanged:
    'This page was opened for another account, or too long ago. Check the request again, then decide.',
  badForm: (detail: string) => detail,
  chooseButton: 'Choose one of the buttons.',
  over: 'This request is over',
  overText:
    'It was already answered, has expired, or was started in another browser. Nothing was changed. Go back to your app and connect it again.',
  failed: 'This app cannot be let in',
  failedHint:
    'Nothing was shared. Go back to the app and try again; if that does not help, send the details below to its makers.',
  from: 'From',
  error: 'Error',
  meaning: 'Meaning',
  programAt: (address: string) => `a program on this computer (${address})`,
  backWithError: 'back to it, with this error',
  developerPage: 'Your developer page',
  incomplete: 'The request of the app is incomplete or was changed.',
  errors: {
    invalid_client:
      'The app is not registered here, or its description cannot be read. Try to connect it again.',
    invalid_client_metadata: 'The description of the app is invalid.',
    invalid_redirect_uri: 'The app asks for a redirect to an address that is not registered for it.',
    unsupported_response_type: 'The app asks for a response that is not supported here.',
    unsupported_response_mode: 'The app asks for a response that is not supported here.',
    invalid_target: 'The app asks for access to another service than this one.',
    invalid_scope: 'The app asks for a permission that does not exist here.',
    login_required: 'The app asked for access without asking you, which is not possible here.',
    consent_required: 'The app asked for access without asking you, which is not possible here.',
    interaction_required: 'The app asked for access without asking you, which is not possible here.',
    temporarily_unavailable: 'There were too many requests. Wait a minute, then try again from the app.',
    server_error: 'Something went wrong here. Try again from the app.',
  },
};

/** The name of the language in itself, for the switch. */
export const languageName: string = 'English';
export const days = daysTexts(formats);
