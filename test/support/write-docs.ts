/** `npm run docs`: writes into the documentation what it takes from the program: recorded answers, tables, pictures. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { guides } from '../../src/contract/guides.ts';
import { withTables } from './guide-tables.ts';
import { drawTerminal, pictureFolder, takePages } from './pictures.ts';
import { recordExamples } from './reference-examples.ts';

const root = new URL('../../', import.meta.url);

const examples = `${JSON.stringify(await recordExamples(), null, 2)}\n`;
writeFileSync(new URL('src/contract/examples.json', root), examples);
for (const { name } of guides) {
  const path = new URL(`docs/guides/${name}.md`, root);
  writeFileSync(path, withTables(readFileSync(path, 'utf8')));
}

const pictures = new URL(`${pictureFolder}/`, root);
mkdirSync(pictures, { recursive: true });
writeFileSync(new URL('terminal.svg', pictures), await drawTerminal());
const pages = await takePages();
if (pages === null)
  process.stderr.write(`No browser is here: the pictures of pages in ${pictureFolder} stay as they are.\n`);
for (const [name, picture] of pages ?? []) writeFileSync(new URL(name, pictures), picture);
