/** Writes the packed file of places to a path, by default to where `placesFile` looks for it. `npm ci` and the build run it. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placesDigest } from '../assets.ts';
import { packInstalledPlaces } from './pack.ts';

const cachePath = `../../node_modules/.cache/cratebase/places-${placesDigest()}.zst`;
const path = process.argv[2] ?? fileURLToPath(new URL(cachePath, import.meta.url));
if (!existsSync(path)) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, packInstalledPlaces());
  renameSync(draft, path);
}
