/** The identity of a service: how it calls itself, and what its operator says about it (docs/guides/identity.md). */

/** An image of the operator, as pages show it beside the name. */
export type Logo = {
  type: 'image/png' | 'image/svg+xml' | 'image/webp';
  /** File name ending. */
  ending: 'png' | 'svg' | 'webp';
  content: Buffer;
  /** Digest of the content, part of its address. */
  digest: string;
};

export type Identity = {
  name: string;
  /** null: the logo of cratebase. */
  logo: Logo | null;
  /** The accent colour as given, `#rrggbb`; null: that of cratebase. */
  accent: string | null;
  /** An email address or an http(s) URL. */
  contact: string | null;
  imprint: string | null;
  privacy: string | null;
  terms: string | null;
  /** A sentence at the bottom of every page. */
  footer: string | null;
  /** The text of /about: paragraphs, separated by empty lines. */
  about: string | null;
  /** The sentence that Free accounts show with the data; null: "Data from {name} ({base_url})". */
  attribution: string | null;
  /** Whether search engines may list the pages. */
  indexing: boolean;
  /** The slug of the city that the home page shows first. */
  homeCity: string | null;
  /** Whether pages show pictures from the addresses in the catalogue. */
  media: boolean;
  /** The template of a tile server for maps, with {z}, {x} and {y}; null: the service draws them. */
  mapTiles: string | null;
  /** The credit below maps of the tile server; null: OpenStreetMap. */
  mapAttribution: string | null;
  /** Changes with every other member, for caches. */
  version: string;
};

export type IdentityKey = Exclude<keyof Identity, 'version'>;

/** Returns the identity of a service whose operator has set nothing. */
export const defaultIdentity = (name = 'cratebase'): Identity => ({
  name,
  logo: null,
  accent: null,
  contact: null,
  imprint: null,
  privacy: null,
  terms: null,
  footer: null,
  about: null,
  attribution: null,
  indexing: true,
  homeCity: null,
  media: true,
  mapTiles: null,
  mapAttribution: null,
  version: name,
});

/** Returns the present identity. It is cheap, and may change between two calls. */
export type ReadIdentity = () => Identity;
