/**
 * Fails where an expression of `src` takes more than linear time, unless `allowed.ts` says what bounds its text:
 *
 *   node --import tsx test/support/expressions/check.ts [--all]
 *
 * What is new is analysed, and its verdict written to `verdicts.json`; `--all` analyses all of them anew (minutes).
 */
import { fileURLToPath } from 'node:url';
import { allowed, bounds, mostSteps } from './allowed.ts';
import { analyse, keepVerdicts, keptVerdicts, keyOf, type Verdict } from './analyse.ts';
import { type Expression, literalsOf, modules, watchConstructions } from './collect.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const say = (text: string): boolean => process.stderr.write(`${text}\n`);

/** How an expression is called in `allowed.ts`: by the declarations around it, or by how it begins. */
const nameOf = ({ within, source }: Expression): string =>
  within === '' || /<|Module|^new /.test(within) ? source.slice(0, 40) : within;

async function collect(): Promise<{ expressions: Expression[]; unseen: string[] }> {
  const constructed = watchConstructions();
  const files = modules();
  // The entry of the program would run it.
  for (const file of files.filter((one) => one !== 'src/cli/main.ts')) await import(`${root}${file}`);
  const { constructAll } = await import('./samples.ts');
  constructAll();
  const made = constructed();
  const read = await Promise.all(files.map(literalsOf));
  const unseen = read
    .flatMap(({ constructions }) => constructions)
    .filter(({ file, line }) => !made.some((one) => one.file === file && one.line === line))
    .map(({ file, line }) => `${file}:${line}`);
  return { expressions: [...read.flatMap(({ literals }) => literals), ...made], unseen };
}

async function main(): Promise<number> {
  const { expressions, unseen } = await collect();
  const known = process.argv.includes('--all') ? new Map<string, Verdict>() : keptVerdicts();
  const fresh = [...new Map(expressions.map((one) => [keyOf(one), one]))].filter(([key]) => !known.has(key));
  if (fresh.length > 0) say(`${fresh.length} of ${expressions.length} expressions are new: analysing them`);
  const verdicts = await analyse(
    fresh.map(([, one]) => one),
    (done) => done % 100 === 0 && say(`${done} of ${fresh.length}`),
  );
  fresh.forEach(([key], at) => {
    known.set(key, verdicts[at] as Verdict);
  });
  const kept = new Map(expressions.map((one) => [keyOf(one), known.get(keyOf(one)) as Verdict]));
  if (fresh.length > 0 || kept.size !== known.size) keepVerdicts(kept);

  const failures = unseen.map((place) => `${place} constructs an expression: call it in samples.ts`);
  const used = new Set<string>();
  for (const expression of expressions) {
    const verdict = kept.get(keyOf(expression)) as Verdict;
    if (verdict === 'linear') continue;
    const name = nameOf(expression);
    const place = `${expression.file}:${expression.line} (${name})`;
    const bound = Object.entries(allowed[expression.file] ?? {}).find(([, names]) =>
      names.includes(name),
    )?.[0];
    used.add(`${expression.file} ${bound} ${name}`);
    const degree = verdict === 'unknown' ? 2 : verdict;
    const says = typeof verdict === 'number' ? `takes time of degree ${verdict}` : `is ${verdict}`;
    if (bound === undefined || typeof degree !== 'number') failures.push(`${place} ${says}: rewrite it`);
    else if ((bounds[bound]?.letters ?? Number.POSITIVE_INFINITY) ** degree > mostSteps)
      failures.push(`${place} ${says}, too much for texts of ${bound}`);
  }
  for (const [file, byBound] of Object.entries(allowed))
    for (const [bound, names] of Object.entries(byBound))
      for (const name of names)
        if (!used.has(`${file} ${bound} ${name}`))
          failures.push(`allowed.ts: ${file} has no ${name} to allow`);
  for (const failure of failures) say(failure);
  const slow = expressions.filter((one) => kept.get(keyOf(one)) !== 'linear').length;
  say(
    `${expressions.length} expressions: ${expressions.length - slow} linear, ${slow} on texts with a bound`,
  );
  return failures.length === 0 ? 0 : 1;
}

process.exit(await main());
