/**
 * Names of columns, in English and German, each sorted. A name is compared without case, accents, spaces and signs. To
 * read another name, add it to its column.
 */
import { fold } from '../../text/fold.ts';

const columnNames = {
  age: ['age', 'ages', 'agelimit', 'alter', 'minage', 'mindestalter', 'minimumage'],
  artists: ['acts', 'act', 'artist', 'artists', 'djs', 'kuenstler', 'kunstler', 'lineup', 'performers'],
  city: ['city', 'ort', 'stadt', 'town'],
  country: ['country', 'countrycode', 'land'],
  date: ['date', 'datum', 'day', 'startdate', 'tag'],
  description: ['beschreibung', 'description', 'details', 'info', 'text'],
  end: ['end', 'endat', 'ende', 'endtime', 'until', 'bis'],
  genres: ['genre', 'genres', 'musik', 'style'],
  id: ['eventid', 'externalid', 'id', 'nr', 'uid'],
  image: ['bild', 'flyer', 'image', 'imageurl', 'picture'],
  name: ['event', 'eventname', 'name', 'summary', 'titel', 'title', 'veranstaltung'],
  price: ['cost', 'eintritt', 'preis', 'price'],
  start: ['beginn', 'begin', 'doors', 'einlass', 'start', 'startat', 'starttime', 'time', 'uhrzeit', 'zeit'],
  status: ['state', 'status'],
  url: ['link', 'tickets', 'ticketlink', 'ticketurl', 'url', 'website'],
  venue: ['club', 'halle', 'location', 'place', 'venue', 'venuename', 'veranstaltungsort'],
} as const;

export type Column = keyof typeof columnNames;
/** The number of each column that a table has. */
export type Columns = ReadonlyMap<Column, number>;

const columnOf = (name: string): Column | undefined =>
  (Object.keys(columnNames) as Column[]).find((one) =>
    (columnNames[one] as readonly string[]).includes(name),
  );

/** Recognizes the columns of a first row. The first of several with one meaning counts. "event_date" is "date". */
export function recognizeColumns(titles: readonly string[]): Columns {
  const columns = new Map<Column, number>();
  for (const [index, title] of titles.entries()) {
    const name = fold(title).replace(/[^\p{L}\p{N}]/gu, '');
    const column = columnOf(name) ?? columnOf(name.replace(/^event/, ''));
    if (column !== undefined && !columns.has(column)) columns.set(column, index);
  }
  return columns;
}

/** Returns the titles of columns that have no meaning here, as they are written. */
export const unreadTitles = (titles: readonly string[], columns: Columns): string[] => {
  const read = new Set(columns.values());
  return titles.filter((title, index) => title !== '' && !read.has(index)).map((title) => title.slice(0, 40));
};
