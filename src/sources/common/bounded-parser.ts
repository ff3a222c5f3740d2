/** Parses HTML into a tree of limited depth, in time that grows with the length of the text only. */
import { DomHandler, Parser } from 'htmlparser2';

/**
 * Max number of open elements. The parser's time per tag grows with it. Browsers allow about 500; a list whose items
 * are not ended nests deeper here than in a browser.
 */
const maxDepth = 1_000;

/** Max attributes of an element. The parser keeps all of them until the element is closed. */
const maxAttributes = 1_000;

/** Their content is text: they do not nest, and it must stay inside them. */
const textElement = /^(?:script|style|title|textarea)$/;

/** The state of the parser, which it declares as private. */
type ParserState = { tagname: string; attribvalue: string; stack: string[]; foreignContext: boolean[] };
const stateOf = (parser: Parser): ParserState => parser as unknown as ParserState;

/**
 * Treats elements that are nested too deeply as empty: their content becomes their siblings, and nothing is lost. Leaves
 * out attributes above the limit.
 */
class BoundedParser extends Parser {
  #isStartTag = false;
  #isTooDeep = false;
  #attributeCount = 0;

  override onopentagname(start: number, endIndex: number): void {
    this.#attributeCount = 0;
    super.onopentagname(start, endIndex);
  }

  override onattribend(...end: Parameters<Parser['onattribend']>): void {
    this.#attributeCount += 1;
    if (this.#attributeCount <= maxAttributes) super.onattribend(...end);
    else stateOf(this).attribvalue = '';
  }

  override isVoidElement(name: string): boolean {
    if (super.isVoidElement(name)) return true;
    const { tagname, stack, foreignContext } = stateOf(this);
    // The parser has no tag name while it reads an end tag.
    if (tagname === '') return false;
    // It asks twice per start tag: before it opens the element and after. The answers must agree.
    this.#isStartTag = !this.#isStartTag;
    if (this.#isStartTag) {
      this.#isTooDeep = stack.length >= (textElement.test(name) ? maxDepth + 1 : maxDepth);
      // Contexts stay when an outer end tag closes their element.
      if (foreignContext.length > maxDepth) foreignContext.length = maxDepth;
    }
    return this.#isTooDeep;
  }
}

/** Parses a page or a part of one. Every text has a tree. */
export function parseBounded(text: string): DomHandler['root'] {
  const handler = new DomHandler();
  new BoundedParser(handler, { decodeEntities: true }).end(text);
  return handler.root;
}
