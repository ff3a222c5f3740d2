/** Recognizes texts that came before, in little memory. */
import { fnv1a } from './fnv1a.ts';

/**
 * Remembers recent texts in a table of numbers: each has one place there, and a later text of that place replaces it. It
 * keeps no text alive. The chance that two texts are taken for one is one in a billion.
 */
export class RecentTexts {
  readonly #seen: Uint32Array;

  /** @param places a power of two */
  constructor(places: number) {
    this.#seen = new Uint32Array(places);
  }

  /** Adds a text. Returns whether it was there. */
  add(text: string): boolean {
    const hash = fnv1a(text);
    const place = (hash ^ (hash >>> 16)) & (this.#seen.length - 1);
    const value = fnv1a(text, text.length);
    const isKnown = this.#seen[place] === value;
    this.#seen[place] = value;
    return isKnown;
  }
}
