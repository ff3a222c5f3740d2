/** Which record a name means, among those that are on record (docs/spec/imports.md#promises, promise 3). */
import type { FeedKind } from '../../contract/feed.ts';
import { isNameVariant } from '../../matching/entities/name-variants.ts';
import type { NameMatch, RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import type { CatalogueWriter } from '../../store/writer.ts';
import { lookupForms } from '../../text/lookup-forms.ts';
import { isNamedBySource } from './source-names.ts';

export class NameLookup {
  readonly #writer: CatalogueWriter;
  readonly #sources: SourceRecords;
  readonly #lookup: RecordLookup;

  constructor(writer: CatalogueWriter, sources: SourceRecords, lookup: RecordLookup) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
  }

  /** The record whose own name it is; else the one that has it as an alias, or writes it otherwise, if there is just one. */
  find(kind: FeedKind, folded: string, fits: (candidate: NameMatch) => boolean): number | null {
    const found = this.#lookup.byName(kind, folded).filter(fits);
    const own = found.filter((candidate) => candidate.is_alias === 0);
    if (own.length > 1 && (kind === 'artist' || kind === 'label')) return this.#firstBySourceKey(own);
    if (own[0]) return own[0].id;
    if (kind === 'artist') return this.artistByAlias(found, folded) ?? this.#byVariant(kind, folded, fits);
    if (found.length === 1) return (found[0] as NameMatch).id;
    const called = this.#bySourceName(found, folded);
    if (called !== null || (kind !== 'label' && kind !== 'festival')) return called;
    return this.#byVariant(kind, folded, fits);
  }

  /** Of those that have the name as an alias, the only one; else the one that is called so, or of whose name it is a spelling. */
  artistByAlias(found: NameMatch[], folded: string): number | null {
    if (found.length < 2) return found[0]?.id ?? null;
    const called = this.#bySourceName(found, folded);
    if (called !== null) return called;
    const spelt = found.filter(({ id }) =>
      isNameVariant(this.#writer.displayNameOf('artist', id).folded, folded),
    );
    return spelt.length === 1 ? (spelt[0] as NameMatch).id : null;
  }

  /** Of several that have the name as an alias, the one that a source calls so, or that one of that name went into. */
  #bySourceName(found: NameMatch[], folded: string): number | null {
    const called = found.filter(({ id }) =>
      isNamedBySource(this.#lookup, this.#sources, id, { folded, place: null }),
    );
    return called.length === 1 ? (called[0] as NameMatch).id : null;
  }

  /** "The", "DJ", "&" for "and", "Records", "Festival" and its year, signs between words. */
  #byVariant(
    kind: 'artist' | 'label' | 'festival',
    folded: string,
    fits: (candidate: NameMatch) => boolean,
  ): number | null {
    const found = new Set<number>();
    for (const form of lookupForms(kind, folded)) {
      if (form === folded) continue;
      const called = { folded: form, place: null };
      for (const one of this.#lookup.byName(kind, form)) {
        const isName = one.is_alias === 0 || isNamedBySource(this.#lookup, this.#sources, one.id, called);
        if (isName && fits(one)) found.add(one.id);
      }
    }
    if (found.size === 0) {
      for (const id of this.#lookup.byNormalizedName(kind, folded))
        if (fits({ id, is_alias: 0, country: null, city_id: null })) found.add(id);
    }
    return found.size === 1 ? ([...found][0] as number) : null;
  }

  /** Of several of one name the same in every file: by what sources call them, not by which came first. */
  #firstBySourceKey(found: NameMatch[]): number {
    const anchored = found.map(({ id }) => {
      const [first] = this.#sources.externalIdsOf(id);
      return { id, anchor: first ? `${first.source_name}\0${first.external_id}` : '\uffff' };
    });
    return anchored.reduce((a, b) => (b.anchor < a.anchor ? b : a)).id;
  }
}
