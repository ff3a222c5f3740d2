/** The rows of source records, as statements return them, and their parsed form. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
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
/** Parses the content of a source record. */
export const parseStatement = <K extends FeedKind = FeedKind>({
  content,
  ...row
}: SourceStatementRow): ParsedSourceRow<K> => ({ ...row, statement: parseContent<K>(content) });
