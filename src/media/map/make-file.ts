/** Writes the packed outlines to a path, by default to where `outlinesFile` looks for them. `npm ci` and the build run it. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outlinesDigest } from '../../assets.ts';
import { packInstalledOutlines } from './pack.ts';

const kept = `../../../node_modules/.cache/cratebase/outlines-${outlinesDigest()}.zst`;
const path = process.argv[2] ?? fileURLToPath(new URL(kept, import.meta.url));
if (!existsSync(path)) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, packInstalledOutlines());
  renameSync(draft, path);
}
