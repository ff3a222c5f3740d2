/**
 * Reads large XML documents record by record: strictly (saxes), without custom entities, in memory limited by one
 * record. An error in one record does not affect the others.
 */
import { SaxesParser } from 'saxes';
import type { OpenedResource } from '../adapter.ts';
import { declaredCharset, decoderFor } from './charset.ts';

export type XmlElement = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Text directly inside the element. */
  text: string;
  children: XmlElement[];
};

/** A child of the root element; `problem` says why it is not valid. */
export type XmlRecord = { root: string; element: XmlElement; line: number; problem: string | null };
/** null for a complete document, else what is wrong with it. */
type XmlEnd = string | null;

/** Max length of a record in UTF-16 units. */
const maxRecordLength = 2 * 1024 * 1024;
const maxDepth = 60;
const maxErrors = 100;
/** Length of parser input, which limits its buffers. */
const chunkLength = 65_536;

/**
 * Yields the children of the root element.
 * @returns why the document as a whole is not valid: it is truncated, not XML, or its records are too large
 */
export async function* readXmlRecords(opened: OpenedResource): AsyncGenerator<XmlRecord, XmlEnd> {
  const reader = new XmlRecordReader();
  for await (const text of decodeChunks(opened)) {
    for (let at = 0; at < text.length; at += chunkLength) {
      reader.write(text.slice(at, at + chunkLength));
      yield* reader.takeCompleted();
      if (reader.fatal !== null) return reader.fatal;
    }
  }
  reader.close();
  yield* reader.takeCompleted();
  return reader.fatal;
}

async function* decodeChunks({ body, contentType }: OpenedResource): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of body) {
    decoder ??= decoderFor(declaredCharset(chunk, contentType)) ?? new TextDecoder('utf-8');
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder !== null) yield decoder.decode();
}

class XmlRecordReader {
  readonly #parser = new SaxesParser({ position: true });
  readonly #open: XmlElement[] = [];
  #root = '';
  #completed: XmlRecord[] = [];
  #problem: string | null = null;
  /** Length of the text since the last record ended. */
  #pendingLength = 0;
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
    this.#pendingLength += text.length;
    this.#parser.write(text);
    if (this.#pendingLength > maxRecordLength)
      this.fatal ??= `line ${this.#parser.line}: a record is longer than ${maxRecordLength / 1024 / 1024} MiB`;
  }

  close(): void {
    this.#closing = true;
    this.#parser.close();
  }

  /** Returns the records that were completed since the last call. */
  takeCompleted(): XmlRecord[] {
    const records = this.#completed;
    this.#completed = [];
    return records;
  }

  #start(name: string, attributes: Record<string, string>): void {
    if (this.fatal !== null) return;
    if (this.#open.length >= maxDepth)
      this.fatal = `line ${this.#parser.line}: nested deeper than ${maxDepth}`;
    const element: XmlElement = { name, attributes: { ...attributes }, text: '', children: [] };
    if (this.#open.length === 0) this.#root = name;
    if (this.#open.length === 1) this.#line = this.#parser.line;
    // Children of the root are yielded, not kept.
    if (this.#open.length > 1) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #end(): void {
    const element = this.#open.pop();
    if (element === undefined || this.#open.length !== 1 || this.fatal !== null) return;
    this.#completed.push({ root: this.#root, element, line: this.#line, problem: this.#problem });
    this.#problem = null;
    this.#pendingLength = 0;
  }

  #text(text: string): void {
    const element = this.#open.at(-1);
    if (this.#open.length < 2 || element === undefined) return;
    element.text += text;
    if (text.includes('\ufffd')) this.#problem ??= 'contains bytes that are not valid in its encoding';
  }

  #fail(message: string): void {
    // The parser puts the position first: "12:7: text".
    const text = message.replace(/^(?:undefined:)?(\d+):(\d+): /, 'line $1: ').replace(/\.$/, '');
    this.#errors++;
    if (this.#closing) this.fatal ??= this.#root === '' ? 'contains no XML' : `ends early (${text})`;
    else if (this.#open.length > 1) this.#problem ??= text;
    else if (this.#root === '') this.fatal ??= `is not XML (${text})`;
    if (this.#errors > maxErrors)
      this.fatal ??= `is not well-formed in more than ${maxErrors} places (${text})`;
  }
}

/** Returns the first child with a name; undefined if there is none. */
export const firstChild = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name);

/** Returns the trimmed text of the first child with a name; undefined if it is missing or empty. */
export const childText = (element: XmlElement, name: string): string | undefined =>
  firstChild(element, name)?.text.trim() || undefined;

/** Returns the children of the first child with a name. */
export const childItems = (element: XmlElement, name: string): XmlElement[] =>
  firstChild(element, name)?.children ?? [];
