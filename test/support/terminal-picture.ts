/** Terminal output of commands as an SVG picture, at the time of the documentation's examples. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { recordedAt } from './reference-examples.ts';

const program = fileURLToPath(new URL('../../bin/cratebase.mjs', import.meta.url));

/** The commands. */
const session = [
  ['search', 'berl', '--limit', '6'],
  ['show', 'edition', 'sonar/2018'],
];
const columns = 76;
const cell = { width: 8.4, height: 20, size: 14 };
const margin = { left: 20, top: 44, below: 18 };

/** Preloaded code: simulates a terminal of that width, and stops the clock. */
const stage = `data:text/javascript,${encodeURIComponent(
  `Date.now = () => ${Date.parse(recordedAt)};
  Object.defineProperties(process.stdout, { isTTY: { value: true }, columns: { value: ${columns} } });`,
)}`;

function printed(args: readonly string[], data: string): string {
  const all = ['--import', stage, program, ...args, '--data', data];
  const { CRATEBASE_BASE_URL: _, NO_COLOR: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, all, {
    env: { ...env, TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`cratebase ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout.trimEnd();
}

type Run = { text: string; look: 'plain' | 'bold' | 'prompt' };

/** A line as runs of one look each; of a terminal's signs only bold is known. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let look: Run['look'] = 'plain';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this parses them
  for (const piece of line.split(/(\u001b\[\d*m)/)) {
    if (piece === '\u001b[1m') look = 'bold';
    else if (piece === '\u001b[22m') look = 'plain';
    else if (piece.startsWith('\u001b')) throw new Error(`${JSON.stringify(piece)} is not drawn`);
    else if (piece !== '') runs.push({ text: piece, look });
  }
  return runs;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] as string);

/** Words of a line, each where its column is: so columns stand below each other in whatever font there is. */
function drawLine(runs: readonly Run[], row: number): string {
  const y = margin.top + row * cell.height;
  let column = 0;
  return runs
    .flatMap(({ text, look }) => {
      const start = column;
      column += text.length;
      return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
        const x = (margin.left + (start + index) * cell.width).toFixed(1);
        const width = (words.length * cell.width).toFixed(1);
        const kind = look === 'plain' ? '' : ` class="${look}"`;
        return `<text x="${x}" y="${y}" textLength="${width}"${kind}>${escaped(words)}</text>`;
      });
    })
    .join('');
}

/** The whole session over a data file. Its colours are its own, so that it stands on light and dark pages alike. */
export function terminalPicture(data: string): string {
  const lines = session.flatMap((args, index): Run[][] => [
    ...(index === 0 ? [] : [[]]),
    [
      { text: '$ ', look: 'prompt' },
      { text: `cratebase ${args.join(' ')}`, look: 'bold' },
    ],
    ...printed(args, data).split('\n').map(runsOf),
  ]);
  const width = Math.ceil(2 * margin.left + columns * cell.width);
  const height = margin.top + (lines.length - 1) * cell.height + margin.below;
  const said = session.map((args) => `cratebase ${args.join(' ')}`).join(', then ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal: ${said}">
<style>
rect{fill:#1c1a18;stroke:#857e70}
circle{fill:#57524a}
text{fill:#ece8de;font:${cell.size}px ui-monospace,'SF Mono','Cascadia Code',Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}
.bold{font-weight:700}
.prompt{fill:#ff8d60;font-weight:700}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6"/>
<circle cx="22" cy="17" r="5"/><circle cx="38" cy="17" r="5"/><circle cx="54" cy="17" r="5"/>
${lines
  .map(drawLine)
  .filter((line) => line !== '')
  .join('\n')}
</svg>
`;
}
