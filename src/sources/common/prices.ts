/** Parses the price of a ticket as people write it into a table: "€12", "10-15 €", "$5 before 11/$10", "free". */
import { amountPattern } from '../../text/amount.ts';
import { parseCurrency, parsePrice } from './values.ts';

/** The lowest and the highest price. The currency is null if neither the text nor the country decides it. */
export type PriceRange = { min: number; max: number; currency: string | null };

/** Countries by currency, sorted. To read "$" or "kr" of another country, add it to its currency. */
const countriesByCurrency: Readonly<Record<string, string>> = {
  AUD: 'AU',
  BRL: 'BR',
  CAD: 'CA',
  CHF: 'CH LI',
  CZK: 'CZ',
  DKK: 'DK',
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
  GBP: 'GB',
  HUF: 'HU',
  JPY: 'JP',
  MXN: 'MX',
  NOK: 'NO',
  NZD: 'NZ',
  PLN: 'PL',
  RON: 'RO',
  SEK: 'SE',
  SGD: 'SG',
  TRY: 'TR',
  USD: 'US',
};
const currencyByCountry: ReadonlyMap<string, string> = new Map(
  Object.entries(countriesByCurrency).flatMap(([currency, countries]) =>
    countries.split(' ').map((country) => [country, currency] as const),
  ),
);

const currencyCode = new RegExp(`\\b(?:${Object.keys(countriesByCurrency).join('|')})\\b`);

/** Longer texts are no prices. */
const maxPriceLength = 100;
const amounts = new RegExp(amountPattern, 'g');
/** A sign or code beside an amount. */
const signBefore = /(?:[$€£¥₹₺₴]|chf|eur|usd|gbp|kr\.?|zł)\s?$/i;
const signAfter = /^\s?(?:[$€£¥₹₺₴]|chf\b|eur|usd\b|gbp\b|kr\b|zł|,-)/i;
/** What joins two amounts, of which one has the sign: "10-15 €", "$5/10". */
const joined = /^\s?(?:-|–|—|\/|to|bis)\s?$/i;

/**
 * Parses a price.
 * @param country the country of the event, which decides what "$" means
 * @returns null if the text states none
 */
export function parsePriceRange(text: string | null, country: string | null): PriceRange | null {
  if (text === null || text.length > maxPriceLength) return null;
  const single = parsePrice(text);
  if (single === null) return null;
  const [code] = text.toUpperCase().match(currencyCode) ?? [];
  const currency = code ?? parseCurrency(text) ?? currencyByCountry.get(country ?? '') ?? null;
  const prices = amountsWithSign(text);
  // "free before 22:00, $5 after" is both.
  if (prices.length === 0 || single === 0) prices.push(single);
  return { min: Math.min(...prices), max: Math.max(...prices), currency };
}

/** The amounts beside a sign of a currency, and those that a range joins to them. Times ("$5 before 11") have none. */
function amountsWithSign(text: string): number[] {
  const matches = [...text.matchAll(amounts)];
  const isPrice = matches.map(
    ({ 0: amount, index }) =>
      signBefore.test(text.slice(Math.max(0, index - 5), index)) ||
      signAfter.test(text.slice(index + amount.length)),
  );
  const between = (at: number): string => {
    const [left, right] = [matches[at], matches[at + 1]];
    return left && right ? text.slice(left.index + left[0].length, right.index) : '';
  };
  return matches
    .filter(
      (_, at) =>
        isPrice[at] ||
        (isPrice[at + 1] && joined.test(between(at))) ||
        (isPrice[at - 1] && joined.test(between(at - 1))),
    )
    .map(({ 0: amount }) => parsePrice(amount))
    .filter((amount) => amount !== null);
}
