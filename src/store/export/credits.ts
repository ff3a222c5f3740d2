/** Adds the licences and attribution lines of sources to export lines, in a member that imports ignore. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import type { ListingCredit } from '../../contract/records.ts';
import { SourceCredits } from '../resolution/source-credits.ts';

/** A credited listing of a record. */
export type ExportedSource = { name: string; external_id: string; url: string | null } & ListingCredit;

type Row = { record_id: number; source_id: number; name: string; external_id: string; url: string | null };

/** Reads the credited listings of a batch of lines, by record. */
export class CreditReader {
  readonly #credits: SourceCredits;
  readonly #select: Database.Statement;
  readonly #hasCredits: boolean;

  constructor(sqlite: Database.Database, kind: Kind) {
    this.#credits = new SourceCredits(sqlite);
    const ids = this.#credits.credited();
    this.#hasCredits = ids.length > 0;
    this.#select = sqlite.prepare(
      `SELECT r.record_id, r.source_id, s.name, r.external_id, json_extract(r.content, '$.url') AS url
       FROM source_records r JOIN sources s ON s.id = r.source_id
       WHERE r.record_id BETWEEN ? AND ? AND r.kind = '${kind}' AND r.source_id IN (${ids.join(', ')})
         AND r.content IS NOT NULL AND r.withdrawn_ts IS NULL
       ORDER BY r.record_id, s.name, r.external_id`,
    );
  }

  /** The credited listings of the lines, by the id of the record. */
  of(lines: readonly { id: number }[]): Map<number, ExportedSource[]> {
    const byRecord = new Map<number, ExportedSource[]>();
    const [first, last] = [lines[0], lines.at(-1)];
    if (!this.#hasCredits || first === undefined || last === undefined) return byRecord;
    for (const row of this.#select.all(first.id, last.id) as Row[]) {
      const credit = this.#credits.of(row.source_id);
      if (credit === null) continue;
      const { name, external_id, url } = row;
      byRecord.set(row.record_id, [
        ...(byRecord.get(row.record_id) ?? []),
        { name, external_id, url, ...credit },
      ]);
    }
    return byRecord;
  }
}
