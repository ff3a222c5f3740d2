/** Ways into a long list of names: by first letter, by country. */
import type { VNode } from 'preact';
import { withQuery } from './pagination.tsx';

/** Where names are looked up that begin with a letter; '0' stands before the digits. */
export const parseLetter = (text: string): string => (/^[a-z0]$/i.test(text) ? text.toLowerCase() : '');

const letters = ['0', ...'abcdefghijklmnopqrstuvwxyz'];
/** Links to where the list has a letter. */
export function LetterLinks({
  own,
  given,
}: {
  own: string;
  given: { country: string; letter: string };
}): VNode {
  return (
    <nav aria-label="By first letter">
      <ul class="letters">
        {letters.map((letter) => (
          <li key={letter}>
            <a
              href={withQuery(own, { country: given.country, letter })}
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

/** A form for the country, and what is wrong with what it was given. */
export function CountryFilter({
  own,
  country,
  unknown,
}: {
  own: string;
  country: string;
  unknown: boolean;
}): VNode {
  return (
    <>
      <form class="filters" action={own} method="get" aria-label="Filter by country">
        <div class="field">
          <label for="filter-country">Country</label>
          <input
            id="filter-country"
            name="country"
            type="text"
            value={country}
            maxlength={100}
            autocomplete="off"
          />
        </div>
        <div class="actions">
          <button type="submit" class="quiet">
            Show
          </button>
          {country !== '' && <a href={own}>Clear</a>}
        </div>
      </form>
      {unknown && (
        <p class="notice bad">
          No country is called “{country}”. Write its name in English, or a code such as DE.
        </p>
      )}
    </>
  );
}
