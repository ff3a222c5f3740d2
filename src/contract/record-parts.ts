/** The parts that several records of the API have: references to other records, links and external ids. */
import { z } from 'zod';
import * as f from './fields.ts';

/** Returns a strict object schema with this OpenAPI name. */
export const record = <S extends z.ZodRawShape>(name: string, description: string, shape: S) =>
  z.strictObject(shape).meta({ id: name, description });

const reference = (name: string) =>
  record(name, `A ${name.replace('Ref', '').toLowerCase()} named by another record.`, {
    slug: f.slug,
    name: f.name,
  });

export const artistRef = reference('ArtistRef');
export const labelRef = reference('LabelRef');
export const genreRef = reference('GenreRef');
export const festivalRef = reference('FestivalRef');
export const podcastRef = reference('PodcastRef');
export const cityRef = record('CityRef', 'A city named by another record.', {
  slug: f.slug,
  name: f.name,
  country: f.country,
});
export const venueRef = record(
  'VenueRef',
  'The place of an event. Without a venue on record the slug is null, and the rest is given as far as known.',
  {
    slug: f.slugOrNull,
    name: f.nameOrNull,
    city: f.cityName,
    country: f.country,
    latitude: f.latitude,
    longitude: f.longitude,
  },
);
export const typedLink = record('Link', 'A link of the record.', { type: f.linkType, url: f.link });
export const externalIds = record(
  'ExternalIds',
  'Ids of the record elsewhere; null where unknown.',
  Object.fromEntries(f.externalServices.map((s) => [s, z.string().nullable()])) as Record<
    f.ExternalService,
    z.ZodNullable<z.ZodString>
  >,
);
