/** Text from elsewhere within the lines of an answer. */

/** What ends a line or changes the direction of the text behind it. */
const breaking = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/u;
const allBreaking = new RegExp(breaking, 'gu');

/** The same on one line: nothing that is quoted in an answer can look like a line of its own. */
export const oneLine = (text: string): string =>
  breaking.test(text) ? text.replace(allBreaking, ' ') : text;
