/** Filters of long lists of names: by first letter, by country. */
import type { VNode } from 'preact';
import { countryCode } from '../../catalogue/places/countries.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { Button } from '../../pages/parts.tsx';
import { maxFilterLength, type NamedValue, readValues, unknownValues } from '../days/named-values.ts';
import { type PageContext, queryParameter, withQuery } from '../page-context.ts';
import { FilterTags } from './filter-tags.tsx';

/** The filters of a list of names. */
export type NameFilters = {
  /** The filter of the country as the address has it, its values with the codes of those that are countries, and the codes. */
  country: string;
  values: NamedValue<string>[];
  codes: string[];
  /** The first letter that the page begins at; empty: the first page. */
  letter: string;
};

/** Reads the filters of the address. @param hasCountry whether the list can be filtered by country */
export function readNameFilters(context: PageContext, hasCountry: boolean): NameFilters {
  const country = hasCountry ? queryParameter(context, 'country', maxFilterLength) : '';
  const values = readValues(country, countryCode);
  return {
    country,
    values,
    codes: [...new Set(values.flatMap(({ record }) => record ?? []))],
    letter: parseLetter(queryParameter(context, 'letter', 4)),
  };
}

/** Reads a first letter; '0' stands for the digits. Returns an empty text for anything else. */
const parseLetter = (text: string): string => (/^[a-z0]$/i.test(text) ? text.toLowerCase() : '');

const letters = ['0', ...'abcdefghijklmnopqrstuvwxyz'];

/** Links to the first letters of a list. */
function LetterLinks({
  basePath,
  country,
  current,
}: {
  basePath: string;
  /** The filter of the country, which the links keep. */
  country: string;
  /** The chosen letter; empty: none. */
  current: string;
}): VNode {
  const { nameList } = useMessages();
  return (
    <nav aria-label={nameList.byLetter}>
      <ul class="letters">
        {letters.map((letter) => (
          <li key={letter}>
            <a
              href={withQuery(basePath, { country, letter })}
              {...(letter === current ? { 'aria-current': 'true' as const } : {})}
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
function CountryFilter({
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

/** The form of the country filter, its values as tags, and the first letters. */
export function NameFilterForms({
  hasCountry,
  basePath,
  filters: { country, values, letter },
}: {
  hasCountry: boolean;
  basePath: string;
  filters: NameFilters;
}): VNode {
  const { formats } = useMessages();
  return (
    <>
      {hasCountry && <CountryFilter basePath={basePath} country={country} unknown={unknownValues(values)} />}
      <FilterTags
        tags={values.map(({ text, record }) => ({
          label: record === null ? text : formats.country(record),
          href: withQuery(basePath, {
            country: values.flatMap((one) => (one.text === text ? [] : one.text)).join(','),
            letter,
          }),
        }))}
      />
      <LetterLinks basePath={basePath} country={country} current={letter} />
    </>
  );
}
