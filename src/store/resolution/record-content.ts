/** The content of source records: JSON text in the table, and the parsed form that its readers get. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';

type AnyContent = FeedRecordContent<FeedKind>;
type MemberName<Content> = Content extends unknown ? keyof Content : never;
type MemberValue<Content, Name extends PropertyKey> = Content extends unknown
  ? Name extends keyof Content
    ? Content[Name]
    : never
  : never;

/** The members that the content of a source record can have; those that its kind does not have are missing. */
export type ContentMembers = {
  [Name in MemberName<AnyContent>]?: MemberValue<AnyContent, Name> | undefined;
};

/** Parses the content of a source record of a known kind. The import has checked it against `contract/feed.ts`. */
export function parseContent<K extends FeedKind = FeedKind>(content: string): FeedRecordContent<K> {
  return JSON.parse(content);
}

/** Parses the content of a source record for readers that look at its members, whatever its kind. */
export function parseMembers(content: string): ContentMembers {
  return JSON.parse(content);
}
