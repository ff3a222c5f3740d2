/** Splits a record on an operator's request: its first group of parts stays, each other group becomes a new record. */

import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { parseContent } from '../../store/resolution/record-content.ts';
import { clearOwnChildren } from '../records/artists.ts';
import type { NameOnlyKind } from '../records/placeholder-records.ts';
import { RejectedRecord } from '../records/places.ts';
import type { CorrectionTools } from './apply.ts';
import {
  groupParts,
  isMergedName,
  isStatementPart,
  type MergedNamePart,
  partsOf,
  partText,
  type RecordPart,
  takeFormerSlug,
} from './parts.ts';

/** The state before a split: parts that an operator merged into the record, and slugs that redirected to it. */
type RecordBeforeSplit = {
  mergedParts: ReadonlySet<RecordPart>;
  formerSlugs: string[];
  /** The former slug that the new record gets, if it was named. */
  slug: string | undefined;
};

/** Splits a record into several within an open transaction. */
export class SplitCorrection {
  readonly #tools: CorrectionTools;

  constructor(tools: CorrectionTools) {
    this.#tools = tools;
  }

  /**
   * Splits a record; see `Corrections.split`. Returns the ids of the new records and the number of decisions.
   * @throws Failure if a record cannot be what its source records then say, such as a label below itself
   */
  split(record: RecordIdentity, partTexts: readonly string[]): { newRecords: number[]; decisions: number } {
    const kind = record.kind as FeedKind;
    const keys = this.#tools.decisions.recordKeys(record);
    const all = partsOf(this.#tools.session, record);
    const { decisions: matchDecisions } = this.#tools.session.matcher;
    const mergedParts = new Set(all.filter((part) => matchDecisions.isMergedInto(kind, part, keys)));
    const former = this.#tools.session.matcher.merger.store.formerSlugs(kind, record.id);
    const slug = partTexts.find(
      (text) => former.includes(text) && !all.some((part) => partText(part) === text),
    );
    const parts = partTexts.filter((text) => text !== slug);
    const groups = groupParts(all, parts.length > 0 ? parts : partTexts, {
      slug: record.slug,
      record: `${kind}/${record.slug}`,
      isGuest: (part) => mergedParts.has(part),
    });
    const decisions = this.#tools.decisions.cannotLink(kind, groups);
    try {
      const newRecords = this.#createRecords(kind, record, groups, {
        mergedParts,
        formerSlugs: former,
        slug,
      });
      return { newRecords, decisions };
    } catch (failure) {
      throw failure instanceof RejectedRecord ? notSplit(record, failure) : failure;
    }
  }

  /** Creates records for all groups but the first. */
  #createRecords(
    kind: FeedKind,
    record: RecordIdentity,
    groups: RecordPart[][],
    { mergedParts, formerSlugs: former, slug }: RecordBeforeSplit,
  ): number[] {
    const { matcher, writer, resolver } = this.#tools.session;
    const { id } = record;
    const newGroups = groups.slice(1);
    const slugs = formerSlugsOf(kind, newGroups, former, mergedParts);
    if (slug !== undefined) slugs.set(newGroups[0] as RecordPart[], slug);
    const hasNames = groups.flat().some(isMergedName);
    if (hasNames) this.#tools.decisions.cannotLinkNamed(kind, record, groups);
    const newRecords = newGroups.map((group) =>
      group.some(isStatementPart)
        ? this.#splitStatements(kind, id, group, slugs.get(group) ?? null)
        : this.#splitNames(kind, id, group),
    );
    if (hasNames) matcher.merger.unbindNamed(id);
    const isComplete = this.#rebuildRemaining(kind, id, groups[0] as RecordPart[]);
    // In the order of creation: a record must be complete before another can match it.
    for (const one of newRecords) {
      this.#tools.session.rebuild(kind, one);
      this.#restoreIds(kind, id, one);
      if (kind === 'city') this.#tools.cityVenues.restoreVenues(id, one);
    }
    if (!isComplete) this.#rebuildWithParent(kind, id);
    for (const one of matcher.merger.store.dependents(kind, id)) writer.markStale(one);
    resolver.clearCache();
    writer.beginSavepoint();
    const isTakenBack = newGroups.every((group) =>
      group.every((part) => mergedParts.has(part) || isMergedName(part)),
    );
    this.#tools.applier.regroup(kind, [id, ...newRecords], isTakenBack);
    return newRecords;
  }

  /**
   * Redirects the id that a record had before it was merged to the new record, because ids are never reused; so do the
   * slugs and ids of records merged into it by then.
   */
  #restoreIds(kind: FeedKind, from: number, id: number): void {
    const { matcher, writer } = this.#tools.session;
    const slug = writer.row(kind, id)?.slug;
    const former = slug === undefined ? null : matcher.merger.formerId(from, slug);
    if (former === null || former === id) return;
    writer.recordMerge(kind, former, id, slug);
    for (const one of matcher.merger.store.mergedInto(former)) {
      if (writer.moveSlug(kind, one.slug, from, id)) writer.recordMerge(kind, one.id, id, one.slug);
    }
  }

  /**
   * Rebuilds the remaining record from its source records, or reduces it to its name.
   * @returns false if its parent is left out for now
   */
  #rebuildRemaining(kind: FeedKind, id: number, stayingParts: readonly RecordPart[]): boolean {
    const { matcher, sources, resolver } = this.#tools.session;
    const own = stayingParts.find(isMergedName);
    if (sources.statementsOf(id).length > 0) return this.#rebuildUnlessOwnParent(kind, id);
    if (own !== undefined && !stayingParts.some((part) => !isMergedName(part))) {
      matcher.merger.store.removeInheritedName(id, own.name);
      clearOwnChildren(this.#tools.session, kind, id);
      resolver.reduceToName(kind as NameOnlyKind, id, own.name);
    }
    this.#tools.applier.rebuild(kind, id);
    return true;
  }

  /**
   * Rebuilds a record. The parent of a genre or label may be a record that leaves it, or be below one: then it is left out.
   * @returns false if the parent is left out
   */
  #rebuildUnlessOwnParent(kind: FeedKind, id: number): boolean {
    const { session } = this.#tools;
    try {
      session.rebuild(kind, id);
      return true;
    } catch (failure) {
      if (!(failure instanceof RejectedRecord && hasParent(kind))) throw failure;
    }
    const rows = session.sources.parsedStatementsOf(id);
    const withoutParent = rows.map((row) => ({ ...row, statement: { ...row.statement, parent: null } }));
    session.rebuildFrom(kind, id, withoutParent);
    return false;
  }

  /** Rebuilds a genre or label with its parent. Those below it come first: some of them are below a record that left it. */
  #rebuildWithParent(kind: FeedKind, id: number): void {
    const { session } = this.#tools;
    session.resolver.clearCache();
    for (const below of session.matcher.merger.store.dependents(kind, id))
      if (session.lookup.kindOf(below) === kind) session.rebuild(kind, below);
    session.rebuild(kind, id);
  }

  /** Moves source records to a new record. */
  #splitStatements(kind: FeedKind, from: number, group: readonly RecordPart[], slug: string | null): number {
    const { writer, sources, matcher } = this.#tools.session;
    const statements = group.filter(isStatementPart);
    writer.requestSlug(slug, true);
    const id = writer.newRecord(kind);
    for (const { source, sourceId, externalId, statement } of statements) {
      sources.move({ source: sourceId, kind, externalId }, id);
      const clock = sources.findSource(source)?.clock ?? 'instant';
      if (kind === 'event') {
        const event = { source, sourceId, clock, externalId, statement: parseContent<'event'>(statement) };
        matcher.events.unindex(from, event);
        matcher.events.index(id, event);
      } else this.#tools.applier.move(kind, { from, to: id }, { source, externalId, statement });
    }
    this.#giveNames(from, id, group.filter(isMergedName));
    return id;
  }

  /** Recreates a record that was known by name only. */
  #splitNames(kind: FeedKind, from: number, group: readonly RecordPart[]): number {
    const { matcher, resolver } = this.#tools.session;
    const [first, ...others] = group.filter(isMergedName) as [MergedNamePart, ...MergedNamePart[]];
    matcher.merger.store.removeInheritedName(from, first.name);
    const id = resolver.recreate(kind as NameOnlyKind, first.name);
    this.#giveNames(from, id, others);
    this.#tools.applier.rebuild(kind, id);
    return id;
  }

  #giveNames(from: number, to: number, parts: readonly MergedNamePart[]): void {
    for (const { name } of parts) {
      this.#tools.session.matcher.merger.store.removeInheritedName(from, name);
      this.#tools.session.matcher.merger.store.addInheritedName(to, name);
    }
  }
}

const hasParent = (kind: string): boolean => kind === 'genre' || kind === 'label';

function notSplit({ kind, slug }: RecordIdentity, { message }: RejectedRecord): Failure {
  const advice = hasParent(kind)
    ? ` Give one of the records another parent first: cratebase edit ${kind}/SLUG parent=NAME.`
    : '';
  return new Failure(`${kind}/${slug} cannot be split like this: ${message}.${advice}`);
}

/** The slugs that the groups had as records; `former` are all slugs that redirect to the record. */
function formerSlugsOf(
  kind: FeedKind,
  newGroups: RecordPart[][],
  former: string[],
  mergedParts: ReadonlySet<RecordPart>,
): Map<RecordPart[], string | null> {
  const slugs = new Map(
    newGroups.map((group) => [
      group,
      takeFormerSlug(
        kind,
        group.filter(isStatementPart).map(({ statement }) => statement),
        former,
      ),
    ]),
  );
  const [renamed, ...more] = newGroups.filter(
    (group) => mergedParts.has(group[0] as RecordPart) && !slugs.get(group),
  );
  // Its source changed the name since the merge; the only redirecting slug left must be its own.
  const [slug, ...others] = former;
  if (renamed && more.length === 0 && slug !== undefined && others.length === 0) slugs.set(renamed, slug);
  return slugs;
}
