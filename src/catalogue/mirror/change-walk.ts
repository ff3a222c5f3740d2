/**
 * Walks over the records that changed after a revision, as lines of JSON (docs/spec/changes.md). Each step reads
 * the present documents of some records in one short read; no read transaction spans two steps.
 */
import type { Kind } from '../../contract/fields.ts';
import type { ChangedRecords, WalkPosition } from '../../store/mirror/changed-records.ts';
import { lineHead, type RecordDocuments } from './documents.ts';

/** Records per look-up. */
const pageSize = 50;
/** A step ends after so many characters: the server keeps one step for each client that reads slowly. */
const maxStepChars = 256_000;

export type MirrorReader = { records: ChangedRecords; documents: RecordDocuments };

/** The line of a record: its present document, or a tombstone if it is not in the catalogue. JSON text. */
export function recordLine(
  { records, documents }: MirrorReader,
  { kind, id, revision }: { kind: Kind; id: number; revision: number },
): string {
  const slug = records.slugOf(kind, id);
  if (slug !== null) {
    const head = lineHead(revision, kind, id, slug);
    return `${head},"change":"present",${documents.members(kind, id)}}`;
  }
  const { change, slug: former, into } = records.tombstoneOf(kind, id);
  const target = into === undefined ? '' : `,"into":${JSON.stringify(into)}`;
  return `${lineHead(revision, kind, id, former)},"change":"${change}"${target}}`;
}

/**
 * One walk of one client, which remembers its position between steps. A record that changes during the walk moves out of
 * its range.
 */
export class ChangeWalk {
  readonly #mirror: MirrorReader;
  readonly #until: number;
  #position: WalkPosition;

  /** @param range `since` is excluded, `until` included */
  constructor(mirror: MirrorReader, { since, until }: { since: number; until: number }) {
    this.#mirror = mirror;
    this.#until = until;
    this.#position = { revision: since, id: Number.MAX_SAFE_INTEGER };
  }

  /**
   * Reads the next lines until a time budget or `maxStepChars` is used up. Call it in one read transaction.
   * @param budgetMs time for this step
   * @returns no lines at the end of the walk
   */
  step(budgetMs: number): string[] {
    const { records } = this.#mirror;
    const deadline = performance.now() + budgetMs;
    const lines: string[] = [];
    let chars = 0;
    do {
      const page = records.page(this.#position, this.#until, pageSize);
      for (const record of page) {
        const line = recordLine(this.#mirror, record);
        lines.push(line);
        chars += line.length;
        this.#position = record;
        if (chars > maxStepChars || performance.now() > deadline) return lines;
      }
      if (page.length < pageSize) return lines;
    } while (performance.now() < deadline);
    return lines;
  }
}
