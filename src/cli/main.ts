import { hash, verify } from '@node-rs/argon2';
import Database from 'better-sqlite3';
import { readAsset, seedPaths } from '../assets.ts';

// Placeholder entry while the commands are being written: exercises both natives and the assets.
const db = new Database(':memory:');
console.log(
  JSON.parse(readAsset('package.json')).version,
  db.prepare('select sqlite_version() v').get(),
  seedPaths(),
);
console.log(await verify(await hash('x'), 'x'));
