/** Reads what a question says of the price: "free entry", "tickets under 20 €", "Eintritt frei", "unter 20 Euro". */

import { amountOf } from '../text/amount.ts';

/** A price that a question allows. */
export type PriceLimit = {
  /** Highest price in major units; 0 for free entry. */
  max: number;
  /** Codes that the words for the currency may mean; empty if the question names none. */
  currencies: readonly string[];
  /** The words that say it. */
  text: string;
};

const freeEntry =
  /(?<!\p{L})(?:(?:for\s+)?free\s+(?:entry|entrance|admission|of\s+charge)|for\s+free|free(?=\s+(?:events?|part(?:y|ies)|raves?|shows?|gigs?|concerts?)(?!\p{L}))|no\s+cover|(?:mit\s+|bei\s+)?frei(?:er|em|en)?\s+eintritt|eintritt\s+frei|kostenlos(?:e[nrms]?)?|gratis|umsonst|entrée\s+(?:libre|gratuite)|gratuite?s?|entrada\s+(?:libre|gratis)|ingresso\s+(?:libero|gratuito))(?!\p{L})/iu;

/** "under", "up to", "bis" before an amount. */
const before =
  /(?<!\p{L})(?:(?:(?:with|mit)\s+)?(tickets?|karten|entry|entrance|eintritt|prices?|preise?)\s+)?(?:for\s+|für\s+|that\s+cost\s+)?(?:under|below|less\s+than|cheaper\s+than|up\s+to|at\s+most|max(?:imum|imal)?\.?|unter|bis(?:\s+zu)?|weniger\s+als|höchstens|günstiger\s+als|billiger\s+als|moins\s+de|menos\s+de|meno\s+di)\s{0,3}([€$£])?\s{0,3}([1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,5}(?:[.,]\d{1,2})?)(?!\d)\s{0,3}([€$£]|(?:euros?|eur|dollars?|usd|bucks|pounds?|quid|gbp|chf|francs?|franken|kronen|kr)(?!\p{L}))?/iu;

const priceWords = new Set(
  'cost costs price prices much kostet kosten preis preise eintritt coûte coûtent combien prix cuesta cuestan precio precios costa costano prezzo prezzi custa custam preço kost hoeveel'.split(
    ' ',
  ),
);

/** Whether a question asks what events cost: "how much is Klubnacht", "was kostet Klubnacht". */
export const asksForPrice = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => priceWords.has(word));

/** "Cheap" names no amount, and may be a word of an event's name. */
const cheapWords = new Set(
  'cheap cheapest inexpensive affordable billig billige günstig günstige cher barato baratos barata baratas economico economici goedkoop goedkope'.split(
    ' ',
  ),
);

/** Whether a word asks for low prices. */
export const isCheap = (word: string): boolean => cheapWords.has(word.toLowerCase());

const currenciesByWord: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:€|eur)/i, ['EUR']],
  [/^(?:\$|dollar|usd|bucks)/i, ['USD', 'CAD', 'AUD', 'NZD', 'SGD']],
  [/^(?:£|pound|quid|gbp)/i, ['GBP']],
  [/^(?:chf|franc|franken)/i, ['CHF']],
  [/^kr/i, ['DKK', 'NOK', 'SEK']],
];

/**
 * Separates the price from a question.
 * @returns the text without the price; an amount counts only with a currency or a word for tickets, because "under 20"
 * may be an age and "bis 20" a time
 */
export function splitPrice(text: string): { rest: string; price: PriceLimit | null } {
  const free = freeEntry.exec(text);
  // "Free" alone, without the parties behind it, would be a word of a name.
  if (free !== null)
    return cut(text, free, {
      max: 0,
      currencies: [],
      text: /^free$/i.test(free[0]) ? 'free entry' : free[0],
    });
  const match = before.exec(text);
  if (match === null) return { rest: text, price: null };
  const [written, subject, sign, amount = '', word] = match;
  const unit = sign ?? word;
  if (subject === undefined && unit === undefined) return { rest: text, price: null };
  const currencies =
    currenciesByWord.find(([pattern]) => unit !== undefined && pattern.test(unit))?.[1] ?? [];
  return cut(text, match, { max: amountOf(amount), currencies, text: written });
}

const cut = (text: string, { 0: written, index }: RegExpExecArray, price: PriceLimit) => ({
  rest: `${text.slice(0, index)} ${text.slice(index + written.length)}`.replace(/\s+/g, ' ').trim(),
  price: { ...price, text: price.text.trim() },
});

/** Whether the cheapest ticket of an event is within a limit. An event without a known price is not. */
export const isWithin = (
  { max, currencies }: PriceLimit,
  { price_min, currency }: { price_min: number | null; currency: string | null },
): boolean =>
  price_min !== null &&
  price_min <= max &&
  (currencies.length === 0 || max === 0 || (currency !== null && currencies.includes(currency)));
