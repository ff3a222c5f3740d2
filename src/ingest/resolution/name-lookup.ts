/** Resolves names to existing records (docs/spec/imports.md#promises, promise 3). */
import type { FeedKind } from '../../contract/feed.ts';
import { isNameVariant } from '../../matching/entities/name-variants.ts';
import type { NameMatch } from '../../store/resolution/record-lookup.ts';
import { fold } from '../../text/fold.ts';
import { splitJointName } from '../../text/lineup/entry.ts';
import { lookupForms } from '../../text/lookup-forms.ts';
import type { StoreContext } from '../store-context.ts';
import { isNamedBySource } from './source-names.ts';

/** Fewer names are looked up one by one. */
const minPrefetched = 20;

/** Looks up records by folded names, aliases and variants. Only reads. */
export class NameLookup {
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  /** The record with this primary name; otherwise the only one with it as an alias or a variant. */
  find(kind: FeedKind, folded: string, fits: (candidate: NameMatch) => boolean): number | null {
    const matches = this.#context.lookup.byName(kind, folded).filter(fits);
    const own = matches.filter((candidate) => candidate.is_alias === 0);
    if (own.length > 1 && (kind === 'artist' || kind === 'label')) return this.#firstBySourceKey(own);
    if (own[0]) return own[0].id;
    if (kind === 'artist') return this.artistByAlias(matches, folded) ?? this.#byVariant(kind, folded, fits);
    if (matches.length === 1) return (matches[0] as NameMatch).id;
    const namedBySource = this.#bySourceName(matches, folded);
    if (namedBySource !== null || (kind !== 'label' && kind !== 'festival')) return namedBySource;
    return this.#byVariant(kind, folded, fits);
  }

  /** Looks up many artists in a few statements, so that `find` and `artistByName` read the cache. */
  prefetchArtists(names: readonly string[]): void {
    if (names.length < minPrefetched) return;
    const { lookup } = this.#context;
    const foldedNames = [...new Set(names.map(fold))];
    lookup.prefetchByName('artist', foldedNames);
    const unknown = foldedNames.filter((name) => lookup.byName('artist', name).length === 0);
    lookup.prefetchByName(
      'artist',
      unknown.flatMap((name) => lookupForms('artist', name)),
    );
    lookup.prefetchByNormalizedName('artist', unknown);
  }

  /** Whether a source lists an artist of this name or has an id for it, rather than only mentioning it. */
  isArtist(name: string): boolean {
    return lookupForms('artist', name).some((form) =>
      this.#context.lookup
        .byName('artist', form)
        .some(({ id }) => this.#context.sources.externalIdsOf(id).length > 0),
    );
  }

  /** The parts of "A & B" if they exist and the whole does not; otherwise the name itself. */
  splitJointName(name: string): readonly string[] {
    const parts = splitJointName(name);
    if (parts.length === 0 || this.isArtist(name)) return [name];
    return parts.every((part) => this.artistByName(part) !== null) ? parts : [name];
  }

  /** The only artist other than `except` with this alias; null if there is none or it is ambiguous. */
  artistWithAlias(name: string, except: number): number | null {
    const matches = this.#context.lookup.byName('artist', fold(name)).filter(({ id }) => id !== except);
    return this.artistByAlias(matches, fold(name));
  }

  /** The existing artist of a name; null if there is none. */
  artistByName(name: string): number | null {
    return this.find('artist', fold(name), () => true);
  }

  /** The only record with the alias; otherwise the one that a source calls so, or whose name is a spelling of it. */
  artistByAlias(matches: NameMatch[], folded: string): number | null {
    if (matches.length < 2) return matches[0]?.id ?? null;
    const namedBySource = this.#bySourceName(matches, folded);
    if (namedBySource !== null) return namedBySource;
    const spelt = matches.filter(({ id }) =>
      isNameVariant(this.#context.writer.displayNameOf('artist', id).folded, folded),
    );
    return spelt.length === 1 ? (spelt[0] as NameMatch).id : null;
  }

  /** The only record with the alias that a source calls so, or that a record of this name was merged into. */
  #bySourceName(matches: NameMatch[], folded: string): number | null {
    const namedBySource = matches.filter(({ id }) =>
      isNamedBySource(this.#context, id, { folded, place: null }),
    );
    return namedBySource.length === 1 ? (namedBySource[0] as NameMatch).id : null;
  }

  /** Variants: "The", "DJ", "&" for "and", "Records", "Festival" with its year, signs between words. */
  #byVariant(
    kind: 'artist' | 'label' | 'festival',
    folded: string,
    fits: (candidate: NameMatch) => boolean,
  ): number | null {
    const ids = new Set<number>();
    for (const form of lookupForms(kind, folded)) {
      if (form === folded) continue;
      const nameAndPlace = { folded: form, place: null };
      for (const one of this.#context.lookup.byName(kind, form)) {
        const isName = one.is_alias === 0 || isNamedBySource(this.#context, one.id, nameAndPlace);
        if (isName && fits(one)) ids.add(one.id);
      }
    }
    if (ids.size === 0) {
      for (const id of this.#context.lookup.byNormalizedName(kind, folded))
        if (fits({ id, is_alias: 0, country: null, city_id: null })) ids.add(id);
    }
    const [id = null, ...others] = ids;
    return others.length === 0 ? id : null;
  }

  /** Chooses among records of one name by source key, so that the order of imports does not matter. */
  #firstBySourceKey(matches: NameMatch[]): number {
    const keyed = matches.map(({ id }) => {
      const [first] = this.#context.sources.externalIdsOf(id);
      return { id, anchor: first ? `${first.source_name}\0${first.external_id}` : '\uffff' };
    });
    return keyed.reduce((a, b) => (b.anchor < a.anchor ? b : a)).id;
  }
}
