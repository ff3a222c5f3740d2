/** Checks whether a word is the name of a city, in the places of the world (GeoNames). Adapters use it. */
import { memoize } from '../../memoize.ts';
import { worldPlaces } from '../../places/places.ts';

/** Whether a city or town has this name, in a country if one is given; without one, only if it is known all over the world. */
export const isCityName = (name: string, country: string | null): boolean => lookUp({ name, country });

const lookUp = memoize(
  1_000,
  ({ name, country }: { name: string; country: string | null }): boolean =>
    worldPlaces.find(name, country, {})?.isListedName === true,
  ({ name, country }) => `${country ?? ''} ${name}`,
);
