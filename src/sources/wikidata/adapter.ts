/**
 * Reads artists, venues, festivals and labels from answers of the query service of Wikidata (SPARQL results in JSON), or
 * from files with them. The data is in the public domain (CC0). Pictures are files of Wikimedia Commons with licences of
 * their own: pages link to the page of the file, which states author and licence, and show what the query has of both.
 *
 * The variables of the query are the columns: `item` and `kind` (artist, venue, festival or label) are required; `itemLabel`
 * or `name`, `country` (ISO code), `city`, `coordinates`, `website`, `musicbrainz`, `discogs`, `aliases` and `genres`
 * (divided by "|"), `founded`, `image` (P18), `imageAuthor`, `imageLicense`.
 */
import { parseCountry } from '../../text/countries.ts';
import type { FeedRecord } from '../adapter.ts';
import { parseCoordinates } from '../address/place.ts';
import { commonsPicture } from '../common/commons.ts';
import { listAt, textAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { InvalidEventError, isJsonObject, type JsonObject, stated } from '../common/values.ts';
import { normalizeUrl } from '../common/web-links.ts';

const api: JsonApi = {
  name: 'the query service of Wikidata',
  firstRequest: ({ location }) => {
    const url = new URL(location);
    url.searchParams.set('format', 'json');
    return { url: url.href };
  },
  eventsOf: (body) =>
    isJsonObject(body) && isJsonObject(body.head) && isJsonObject(body.results)
      ? listAt(body, 'results', 'bindings')
      : null,
  nextRequest: () => null,
  toRecords: (row) => toRecord(row),
};

/** Reads a query of Wikidata, `https://query.wikidata.org/sparql?query=…`. */
export const wikidata = jsonApiAdapter(api);

/** @throws InvalidEventError if a row does not say what it is */
function toRecord(row: JsonObject): FeedRecord[] {
  const cell = (name: string) => textAt(row, name, 'value');
  const list = (name: string) => (cell(name) ?? '').split('|').flatMap((part) => part.trim() || []);
  const id = /\/(Q\d{1,12})$/.exec(cell('item') ?? '')?.[1];
  if (id === undefined) throw new InvalidEventError('has no item');
  const name = cell('itemLabel') ?? cell('name');
  // Without a label, the service puts the id there.
  if (name === null || /^Q\d+$/.test(name)) throw new InvalidEventError(`${id} has no name`);
  const country = parseCountry(cell('country') ?? '');
  const website = normalizeUrl(cell('website') ?? '', null);
  const [aliases, genres] = [list('aliases').filter((alias) => alias !== name), list('genres')];
  const founded = /^-?(\d{4})/.exec(cell('founded') ?? '')?.[1];
  const ids = ['musicbrainz', 'discogs'].flatMap((service) => {
    const value = cell(service);
    return value === null ? [] : [[service, value] as const];
  });
  const common = {
    external_id: id,
    name,
    ...stated({ country, aliases }),
    external_ids: { wikidata: id, ...Object.fromEntries(ids) },
    ...pictureOf(cell('image'), cell('imageAuthor'), cell('imageLicense')),
  };
  const city = cell('city');
  switch (cell('kind')) {
    case 'artist':
      return [
        {
          kind: 'artist',
          ...common,
          ...stated({ genres, links: website === null ? [] : [{ type: 'website', url: website }] }),
        },
      ];
    case 'label':
      return [
        { kind: 'label', ...common, ...stated({ website, founded_year: founded ? Number(founded) : null }) },
      ];
    case 'festival':
      return [{ kind: 'festival', ...common, ...stated({ website, city, genres }) }];
    case 'venue':
      // A venue needs its city and country.
      if (city === null || country === null) return [];
      return [
        { kind: 'venue', ...common, ...stated({ website }), city, country, ...pointOf(cell('coordinates')) },
      ];
    default:
      throw new InvalidEventError(`${id} has no kind: artist, venue, festival or label`);
  }
}

/** A file of Wikimedia Commons (P18), with its author and licence as far as the query has them. */
function pictureOf(address: string | null, author: string | null, license: string | null) {
  const picture = commonsPicture(address);
  if (picture === null) return {};
  return {
    image_url: picture,
    ...stated({ image_credit: author?.slice(0, 500), image_license: license?.slice(0, 500) }),
  };
}

/** Parses "Point(13.44 52.51)": longitude first. */
function pointOf(text: string | null): { latitude?: number; longitude?: number } {
  const [, longitude, latitude] = /^Point\((-?[\d.]{1,20}) (-?[\d.]{1,20})\)$/i.exec(text ?? '') ?? [];
  return parseCoordinates(latitude, longitude) ?? {};
}
