/** Filters of long lists of names: by first letter, by country. */
import type { VNode } from 'preact';
import { useMessages } from '../../pages/messages/messages.ts';
import { Button } from '../../pages/parts.tsx';
import { maxFilterLength } from '../days/named-values.ts';
import { withQuery } from './pagination.tsx';

/** Reads a first letter; '0' stands for the digits. Returns an empty text for anything else. */
export const parseLetter = (text: string): string => (/^[a-z0]$/i.test(text) ? text.toLowerCase() : '');

const letters = ['0', ...'abcdefghijklmnopqrstuvwxyz'];
/** Links to the first letters of a list. */
export function LetterLinks({
  basePath,
  given,
}: {
  basePath: string;
  given: { country: string; letter: string };
}): VNode {
  const { nameList } = useMessages();
  return (
    <nav aria-label={nameList.byLetter}>
      <ul class="letters">
        {letters.map((letter) => (
          <li key={letter}>
            <a
              href={withQuery(basePath, { country: given.country, letter })}
              {...(letter === given.letter ? { 'aria-current': 'true' as const } : {})}
            >
              {letter === '0' ? '0–9' : letter.toUpperCase()}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The form of the country filter, with an error message. */
export function CountryFilter({
  basePath,
  country,
  unknown,
}: {
  basePath: string;
  country: string;
  /** The values that are no country. */
  unknown: readonly string[];
}): VNode {
  const { nameList, common } = useMessages();
  return (
    <>
      <form class="filters" action={basePath} method="get" aria-label={nameList.filterCountry}>
        <div class="field">
          <label for="filter-country">{nameList.country}</label>
          <input
            id="filter-country"
            name="country"
            type="text"
            value={country}
            maxlength={maxFilterLength}
            autocomplete="off"
          />
        </div>
        <div class="actions">
          <Button look="quiet">{common.show}</Button>
          {country !== '' && <a href={basePath}>{common.clear}</a>}
        </div>
      </form>
      {unknown.map((text) => (
        <p class="notice bad" key={text}>
          {common.unknownCountry(text)}
        </p>
      ))}
    </>
  );
}
