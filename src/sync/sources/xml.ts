/**
 * Large XML documents, record by record: strict (saxes), without entities of their own, and in memory that one record
 * bounds. What is wrong with one record does not cost the others.
 */
import { SaxesParser } from 'saxes';
import type { Opened } from './adapter.ts';
import { declaredCharset, decoderOf } from './text.ts';

export type Element = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The text directly within. */
  text: string;
  children: Element[];
};

/** A child of the document's root; `problem` says what is wrong with it. */
export type XmlRecord = { root: string; element: Element; line: number; problem: string | null };
/** How the document ended: null where it is whole, else what is wrong. */
export type XmlEnd = string | null;

/** A record of more letters than this is none. */
const longestRecord = 2 * 1024 * 1024;
const deepest = 60;
const mostErrors = 100;
/** The parser is given this much at once: what it holds back stays small. */
const slice = 65_536;

/**
 * The children of a document's root, one by one.
 * @returns what is wrong with the document as a whole: it breaks off, is no XML, or nobody could hold its records
 */
export async function* readRecords(opened: Opened): AsyncGenerator<XmlRecord, XmlEnd> {
  const reader = new RecordReader();
  for await (const text of textOf(opened)) {
    for (let at = 0; at < text.length; at += slice) {
      reader.write(text.slice(at, at + slice));
      yield* reader.take();
      if (reader.fatal !== null) return reader.fatal;
    }
  }
  reader.close();
  yield* reader.take();
  return reader.fatal;
}

async function* textOf({ body, contentType }: Opened): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of body) {
    decoder ??= decoderOf(declaredCharset(chunk, contentType)) ?? new TextDecoder('utf-8');
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder !== null) yield decoder.decode();
}

class RecordReader {
  readonly #parser = new SaxesParser({ position: true });
  readonly #open: Element[] = [];
  #root = '';
  #done: XmlRecord[] = [];
  #problem: string | null = null;
  /** Letters since the last record ended. */
  #held = 0;
  #errors = 0;
  #closing = false;
  #line = 0;
  fatal: XmlEnd = null;

  constructor() {
    this.#parser.on('opentag', ({ name, attributes }) =>
      this.#start(name, attributes as Record<string, string>),
    );
    this.#parser.on('closetag', () => this.#end());
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
    this.#parser.on('error', (failure) => this.#fail(failure.message));
  }

  write(text: string): void {
    this.#held += text.length;
    this.#parser.write(text);
    if (this.#held > longestRecord)
      this.fatal ??= `line ${this.#parser.line}: a record is longer than ${longestRecord / 1024 / 1024} MiB`;
  }

  close(): void {
    this.#closing = true;
    this.#parser.close();
  }

  /** The records read since the last call. */
  take(): XmlRecord[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  #start(name: string, attributes: Record<string, string>): void {
    if (this.fatal !== null) return;
    if (this.#open.length >= deepest) this.fatal = `line ${this.#parser.line}: nested deeper than ${deepest}`;
    const element: Element = { name, attributes: { ...attributes }, text: '', children: [] };
    if (this.#open.length === 0) this.#root = name;
    if (this.#open.length === 1) this.#line = this.#parser.line;
    // What the root holds is handed out, not kept.
    if (this.#open.length > 1) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #end(): void {
    const element = this.#open.pop();
    if (element === undefined || this.#open.length !== 1 || this.fatal !== null) return;
    this.#done.push({ root: this.#root, element, line: this.#line, problem: this.#problem });
    this.#problem = null;
    this.#held = 0;
  }

  #text(text: string): void {
    const element = this.#open.at(-1);
    if (this.#open.length < 2 || element === undefined) return;
    element.text += text;
    if (text.includes('\ufffd')) this.#problem ??= 'holds bytes that are not in its encoding';
  }

  #fail(message: string): void {
    // The parser names the place first: "12:7: text".
    const text = message.replace(/^(?:undefined:)?(\d+):(\d+): /, 'line $1: ').replace(/\.$/, '');
    this.#errors++;
    if (this.#closing)
      this.fatal ??= this.#root === '' ? 'holds no XML' : `breaks off before its end (${text})`;
    else if (this.#open.length > 1) this.#problem ??= text;
    else if (this.#root === '') this.fatal ??= `is no XML (${text})`;
    if (this.#errors > mostErrors)
      this.fatal ??= `is not well-formed in more than ${mostErrors} places (${text})`;
  }
}

/** The first child of a name. */
export const childOf = (element: Element, name: string): Element | undefined =>
  element.children.find((child) => child.name === name);

/** The text of the first child of a name, trimmed; undefined where it is missing or empty. */
export const textOfChild = (element: Element, name: string): string | undefined =>
  childOf(element, name)?.text.trim() || undefined;

/** The children of the first child of a name. */
export const listOf = (element: Element, name: string): Element[] => childOf(element, name)?.children ?? [];
