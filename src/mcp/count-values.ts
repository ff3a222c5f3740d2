/** Counts the values of a JSON text without parsing it: parsing a hostile megabyte takes a tenth of a second. */

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const openings: ReadonlySet<number> = new Set(Buffer.from('[{'));
const closings: ReadonlySet<number> = new Set(Buffer.from(']}'));
const spaces: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

/**
 * Whether a JSON text has more than so many values: entries of arrays and members of objects, at any depth. The text is
 * read to that value at most. Of a text that is not JSON, the result means nothing.
 *
 * @param json UTF-8
 * @param max the number of values that is allowed
 */
export function hasMoreValues(json: Buffer, max: number): boolean {
  // A value and the comma before it have two bytes.
  if (json.length <= 2 * max) return false;
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === quote) at = endOfText(json, at);
    else if (byte === comma) count++;
    else if (openings.has(byte)) {
      let next = at + 1;
      while (spaces.has(json[next] as number)) next++;
      if (!closings.has(json[next] as number)) count++;
      at = next - 1;
    }
    if (count > max) return true;
  }
  return false;
}

/** The place of the quotation mark that ends a text, or the end of the JSON. @param begin that of the one that begins it */
function endOfText(json: Buffer, begin: number): number {
  for (let end = json.indexOf(quote, begin + 1); end !== -1; end = json.indexOf(quote, end + 1)) {
    let before = end;
    while (json[before - 1] === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
