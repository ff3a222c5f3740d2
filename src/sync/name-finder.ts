/** Which record a name means, among those that are on record (docs/spec/imports.md#promises, promise 3). */
import type { FeedKind } from '../contract/feed.ts';
import type { Candidate, Lookup } from '../store/lookup.ts';
import type { Sources } from '../store/sources.ts';
import type { Writer } from '../store/writer.ts';
import { isCalled } from './match/called.ts';
import { nameForms } from './match/name-forms.ts';
import { isVariant } from './match/name-variants.ts';

export class NameFinder {
  readonly #writer: Writer;
  readonly #sources: Sources;
  readonly #lookup: Lookup;

  constructor(writer: Writer, sources: Sources, lookup: Lookup) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
  }

  /** The record whose own name it is; else the one that has it as an alias, or writes it otherwise, if there is just one. */
  find(kind: FeedKind, folded: string, fits: (candidate: Candidate) => boolean): number | null {
    const found = this.#lookup.byName(kind, folded).filter(fits);
    const own = found.filter((candidate) => candidate.is_alias === 0);
    if (own.length > 1 && (kind === 'artist' || kind === 'label')) return this.#firstByAnchor(own);
    if (own[0]) return own[0].id;
    if (kind === 'artist') return this.artistCalled(found, folded) ?? this.#otherwise(kind, folded, fits);
    if (found.length === 1) return (found[0] as Candidate).id;
    const called = this.#calledSo(found, folded);
    if (called !== null || (kind !== 'label' && kind !== 'festival')) return called;
    return this.#otherwise(kind, folded, fits);
  }

  /** Of those that have the name as an alias, the only one; else the one that is called so, or of whose name it is a spelling. */
  artistCalled(found: Candidate[], folded: string): number | null {
    if (found.length < 2) return found[0]?.id ?? null;
    const called = this.#calledSo(found, folded);
    if (called !== null) return called;
    const spelt = found.filter(({ id }) => isVariant(this.#writer.nameOf('artist', id).folded, folded));
    return spelt.length === 1 ? (spelt[0] as Candidate).id : null;
  }

  /** Of several that have the name as an alias, the one that a source calls so, or that one of that name went into. */
  #calledSo(found: Candidate[], folded: string): number | null {
    const called = found.filter(({ id }) =>
      isCalled(this.#lookup, this.#sources, id, { folded, place: null }),
    );
    return called.length === 1 ? (called[0] as Candidate).id : null;
  }

  /** "The", "DJ", "&" for "and", "Records", "Festival" and its year, signs between words. */
  #otherwise(
    kind: 'artist' | 'label' | 'festival',
    folded: string,
    fits: (candidate: Candidate) => boolean,
  ): number | null {
    const found = new Set<number>();
    for (const form of nameForms(kind, folded)) {
      if (form === folded) continue;
      const called = { folded: form, place: null };
      for (const one of this.#lookup.byName(kind, form)) {
        const isName = one.is_alias === 0 || isCalled(this.#lookup, this.#sources, one.id, called);
        if (isName && fits(one)) found.add(one.id);
      }
    }
    if (found.size === 0) {
      for (const id of this.#lookup.byWords(kind, folded))
        if (fits({ id, is_alias: 0, country: null, city_id: null })) found.add(id);
    }
    return found.size === 1 ? ([...found][0] as number) : null;
  }

  /** Of several of one name the same in every file: by what sources call them, not by which came first. */
  #firstByAnchor(found: Candidate[]): number {
    const anchored = found.map(({ id }) => {
      const [first] = this.#sources.anchors(id);
      return { id, anchor: first ? `${first.source_name}\0${first.external_id}` : '\uffff' };
    });
    return anchored.reduce((a, b) => (b.anchor < a.anchor ? b : a)).id;
  }
}
