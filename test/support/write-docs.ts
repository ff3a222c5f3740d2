/** `npm run docs`: writes into the documentation what it takes from the program: recorded answers, and tables. */
import { readFileSync, writeFileSync } from 'node:fs';
import { guides } from '../../src/contract/guides.ts';
import { withTables } from './guide-tables.ts';
import { recordExamples } from './reference-examples.ts';

const root = new URL('../../', import.meta.url);

const examples = `${JSON.stringify(await recordExamples(), null, 2)}\n`;
writeFileSync(new URL('src/contract/examples.json', root), examples);
for (const { name } of guides) {
  const path = new URL(`docs/guides/${name}.md`, root);
  writeFileSync(path, withTables(readFileSync(path, 'utf8')));
}
