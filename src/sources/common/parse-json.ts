/** Parses JSON of sources. Deep nesting takes ninety times the memory of its text. */

/** Max depth of objects and lists. Records have fewer than 10 levels, and the data of pages fewer than 100. */
const maxJsonDepth = 2_000;

const quote = 0x22;
const backslash = 0x5c;

/** @throws SyntaxError if the text is not JSON or is nested too deeply */
export function parseJson(text: string): unknown {
  if (isTooDeep(text))
    throw new SyntaxError(`nested deeper than ${maxJsonDepth.toLocaleString('en')} levels`);
  return JSON.parse(text);
}

/** Counts brackets outside strings. In other texts than JSON the result may be wrong, but they are refused later. */
function isTooDeep(text: string): boolean {
  if (text.length <= maxJsonDepth) return false;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isString = !isString;
    else if (isString) {
      if (code === backslash) at += 1;
    }
    // [ and {, then ] and }: they differ in one bit.
    else if ((code & 0xdf) === 0x5b) {
      depth += 1;
      if (depth > maxJsonDepth) return true;
    } else if ((code & 0xdf) === 0x5d) depth -= 1;
  }
  return false;
}
