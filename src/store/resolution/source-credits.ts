/** The licences and attribution lines of sources, which responses show beside each listing. */
import type { ListingCredit } from '../../contract/records.ts';
import { SqliteStore } from '../statement.ts';

type SourceRow = { id: number; name: string; rules: string };
/** The rules that credit a source (ingest/rules/source-rules.ts). */
type CreditRules = { license?: string; attribution?: string; attributionUrl?: string };

/** Reads the credits of sources from their rules, and keeps them in memory until `clear`. */
export class SourceCredits extends SqliteStore {
  #credits: Map<number, ListingCredit | null> | null = null;
  readonly #select = this.sqlite.prepare<unknown[], SourceRow>(
    "SELECT id, name, rules FROM sources WHERE rules <> '{}'",
  );

  /** Makes the next look-up read the rules again: an editor may have changed them. */
  clear(): void {
    this.#credits = null;
  }

  /** The licence and attribution of a source; null if it has neither. */
  of(source: number): ListingCredit | null {
    return this.#read().get(source) ?? null;
  }

  /** The ids of the sources with a licence or attribution. */
  credited(): number[] {
    return [...this.#read()].flatMap(([id, credit]) => (credit === null ? [] : [id]));
  }

  /** The sources with a licence or attribution, by name. */
  list(): ({ name: string } & ListingCredit)[] {
    return this.#select
      .all()
      .flatMap(({ id, name }) => {
        const credit = this.of(id);
        return credit === null ? [] : [{ name, ...credit }];
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  #read(): Map<number, ListingCredit | null> {
    this.#credits ??= new Map(
      this.#select.all().map(({ id, name, rules }) => [id, creditOf(name, JSON.parse(rules) as CreditRules)]),
    );
    return this.#credits;
  }
}

/** Returns what responses show of the rules. A link without a line gets the name of the source as its text. */
function creditOf(name: string, { license, attribution, attributionUrl }: CreditRules): ListingCredit | null {
  const hasLine = attribution !== undefined || attributionUrl !== undefined;
  if (!hasLine && license === undefined) return null;
  return {
    license: license ?? null,
    attribution: hasLine ? { text: attribution ?? name, url: attributionUrl ?? null } : null,
  };
}
