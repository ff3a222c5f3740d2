/** The rows of source records, as statements return them, and their parsed form. */
import { LRUCache } from 'lru-cache';
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import { getOrCreate } from '../../memoize.ts';
import { parseContent } from './record-content.ts';

export type SourceRecordRow = {
  record_id: number;
  content: string | null;
  withdrawn_ts: number | null;
  /** The run that last contained it, if that is the present one; otherwise one of the earlier runs. */
  last_seen_run: number;
};
/** A source record that the run did not contain. */
export type UnseenRow = { kind: FeedKind; external_id: string; record_id: number };
export type ListedRow = { kind: FeedKind; external_id: string; record_id: number; content: string };
export type SourceStatementRow = {
  source_id: number;
  source_name: string;
  trust: number;
  clock: string;
  external_id: string;
  content_updated_ts: number;
  withdrawn_ts: number | null;
  content: string;
};
/** A source record with its parsed content. */
export type ParsedSourceRow<K extends FeedKind = FeedKind> = Omit<SourceStatementRow, 'content'> & {
  statement: FeedRecordContent<K>;
};
const parsedContents = new WeakMap<SourceStatementRow, FeedRecordContent<FeedKind>>();

/** Keeps the parsed content of a row as long as the row. Later readers get the same object and must not change it. */
export function keepParsed(row: SourceStatementRow, statement: FeedRecordContent<FeedKind>): void {
  parsedContents.set(row, statement);
}

/** Parses the content of a source record. */
export function parseStatement<K extends FeedKind = FeedKind>(row: SourceStatementRow): ParsedSourceRow<K> {
  const { content, ...rest } = row;
  const cached = parsedContents.get(row) as FeedRecordContent<K> | undefined;
  return { ...rest, statement: cached ?? parseContent<K>(content) };
}

/** Records with fewer source records are parsed faster than they are looked up. */
const minCachedRows = 8;
/** Maximum number of parsed contents, and of their characters. */
const maxParsed = 2_000;
const maxParsedChars = 4_000_000;

/**
 * Parses the source records of one record. A record of many is parsed again for each that is added, so the parsed contents
 * of such records are kept. Callers must not change them.
 */
export class StatementParser {
  readonly #parsed = new LRUCache<string, FeedRecordContent<FeedKind>>({
    max: maxParsed,
    maxSize: maxParsedChars,
    sizeCalculation: (_, content) => content.length + 1,
  });

  parse<K extends FeedKind = FeedKind>(rows: readonly SourceStatementRow[]): ParsedSourceRow<K>[] {
    if (rows.length < minCachedRows) return rows.map((row) => parseStatement<K>(row));
    return rows.map(({ content, ...row }) => {
      const statement = getOrCreate(this.#parsed, content, () => parseContent(content));
      return { ...row, statement: statement as FeedRecordContent<K> };
    });
  }
}
