/** The identity of the service, in the data file and in the options of this process (`identity/identity.ts`). */
import type { Clock } from '../clock.ts';
import type { Identity } from '../contract/identity.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import {
  type IdentityChanges,
  type IdentityConfig,
  type IdentitySetting,
  readIdentityConfig,
  ServiceIdentity,
} from '../identity/identity.ts';
import { citiesWithVenues, citySlugsNamed } from '../store/city-suggestions.ts';
import type { CatalogueReader } from '../store/reader.ts';
import type { Connections } from './connections.ts';

/** Cities that a form suggests. */
const maxSuggestedCities = 100;

type Catalogue = { readonly reader: CatalogueReader; readonly clock: Clock };

/**
 * The identity of the service: values of the data file, which options and variables of this process precede once
 * `configure` was called.
 */
export class FileIdentity {
  readonly #connections: Connections;
  readonly #catalogue: Catalogue;
  #identity: ServiceIdentity | undefined;

  constructor(connections: Connections, catalogue: Catalogue) {
    this.#connections = connections;
    this.#catalogue = catalogue;
  }

  /**
   * Returns the present identity of the service: name, logo, colours, links and texts. It is cheap enough to call for
   * each request, and follows changes of the data file by other processes.
   */
  current(): Identity {
    return this.#open().current();
  }

  /** Returns the values of the identity with their origin, for the terminal and the console. */
  settings(): IdentitySetting[] {
    return this.#open().list();
  }

  /** Lets options and variables of this process precede the data file. Throws a `Failure` for an invalid one. */
  configure(config: IdentityConfig): void {
    this.#identity = new ServiceIdentity(this.#connections.catalogue, readIdentityConfig(config));
  }

  /**
   * Sets values of the identity in the data file; null removes one. All are valid, or none is stored: otherwise it
   * rejects with a `Failure`. Each change is in the audit log as `setting.set`.
   */
  set(changes: IdentityChanges, actor: Actor): Promise<Identity> {
    return this.#open().set(this.#withCitySlug(changes), this.#connections.writer, {
      actor,
      now: this.#catalogue.clock.now(),
      hasCity: (slug) => this.#hasCity(slug),
    });
  }

  /** Throws the `Failure` that `set` would reject with, without a change. */
  check(changes: IdentityChanges): void {
    this.#open().check(this.#withCitySlug(changes), (slug) => this.#hasCity(slug));
  }

  /** Returns the cities that forms suggest: those with the most venues. */
  suggestCities(): { slug: string; name: string; country: string }[] {
    return citiesWithVenues(this.#connections.catalogue, maxSuggestedCities);
  }

  /** Replaces the name of a home city by its slug. Throws a `Failure` that names the slugs if there are several. */
  #withCitySlug(changes: IdentityChanges): IdentityChanges {
    const { homeCity } = changes;
    if (typeof homeCity !== 'string' || homeCity.trim() === '') return changes;
    if (this.#hasCity(homeCity.trim().toLowerCase())) return changes;
    const slugs = citySlugsNamed(this.#connections.catalogue, homeCity);
    if (slugs.length > 1)
      throw new Failure(`Several cities have this name. Write one of these: ${slugs.join(', ')}.`, 1, {
        field: 'homeCity',
        code: 'city_ambiguous',
        value: slugs.join(', '),
      });
    return slugs[0] === undefined ? changes : { ...changes, homeCity: slugs[0] };
  }

  #hasCity(slug: string): boolean {
    return this.#catalogue.reader.find('city', slug) !== null;
  }

  #open(): ServiceIdentity {
    this.#identity ??= new ServiceIdentity(this.#connections.catalogue);
    return this.#identity;
  }
}
