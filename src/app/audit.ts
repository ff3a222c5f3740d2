/** The audit log of a service. In a cluster, entries about accounts, keys and plans are in PostgreSQL, the others in the data file. */
import type { Access } from '../access/access.ts';
import { accountSubjects, isAccountSubject } from '../contract/undo.ts';
import type { AuditEntry, AuditFilter, AuditLog } from '../store/audit-log.ts';

export type AuditReader = {
  /** The entries that match the filter, newest first. */
  list(filter: AuditFilter): Promise<AuditEntry[]>;
  /** The entry with this number; undefined if there is none. */
  find(id: number): Promise<AuditEntry | undefined>;
};

/** Reads the log of the data file, which has all entries. */
export const readFileAudit = (log: AuditLog): AuditReader => ({
  list: async (filter) => log.list(filter),
  find: async (id) => log.find(id),
});

/** Reads the entries of a cluster and those of the data file as one log. Their numbers never overlap (`cluster/schema.sql`). */
export class ClusterAudit implements AuditReader {
  readonly #file: AuditLog;
  readonly #openAccess: () => Promise<Access>;

  constructor(file: AuditLog, openAccess: () => Promise<Access>) {
    this.#file = file;
    this.#openAccess = openAccess;
  }

  async find(id: number): Promise<AuditEntry | undefined> {
    return (await (await this.#openAccess()).auditLog.find(id)) ?? this.#inFile(id);
  }

  async list({ beforeId, ...filter }: AuditFilter): Promise<AuditEntry[]> {
    const { auditLog } = await this.#openAccess();
    const before = beforeId === undefined ? undefined : await this.find(beforeId);
    if (beforeId !== undefined && before === undefined) return [];
    const isOfAccounts = before !== undefined && isAccountEntry(before);
    const [ofAccounts, ofCatalogue] = before === undefined ? [{}, {}] : pageAfter(before, isOfAccounts);
    const excludedKinds = [...(filter.excludedKinds ?? []), ...accountSubjects];
    return merge(
      await auditLog.list({ ...filter, ...ofAccounts }),
      this.#file.list({ ...filter, ...ofCatalogue, excludedKinds }),
    ).slice(0, filter.limit);
  }

  /** The data file may have entries about accounts from the time before the cluster. */
  #inFile(id: number): AuditEntry | undefined {
    const entry = this.#file.find(id);
    return entry === undefined || isAccountEntry(entry) ? undefined : entry;
  }
}

type Bound = Pick<AuditFilter, 'beforeId' | 'untilTs'>;

const isAccountEntry = ({ subjectKind }: AuditEntry): boolean => isAccountSubject(subjectKind);

/** Where the entries after `last` begin, in the log of accounts and in that of the catalogue. Of one time, accounts come first. */
function pageAfter({ id, createdTs }: AuditEntry, isOfAccounts: boolean): [Bound, Bound] {
  return isOfAccounts
    ? [{ beforeId: id }, { untilTs: createdTs }]
    : [{ untilTs: createdTs - 1 }, { beforeId: id }];
}

/** Merges two lists that are newest first. */
function merge(first: readonly AuditEntry[], second: readonly AuditEntry[]): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let one = 0, two = 0; one < first.length || two < second.length; ) {
    const [left, right] = [first[one], second[two]];
    if (left !== undefined && (right === undefined || left.createdTs >= right.createdTs)) {
      entries.push(left);
      one += 1;
    } else if (right !== undefined) {
      entries.push(right);
      two += 1;
    }
  }
  return entries;
}
