/**
 * `npm run bench:agents [-- --wrong]`: 60 questions in six languages, each with at most two calls, judged by the fields
 * and by the text of the answers. `--wrong` prints the answers that fail.
 */
import { readBenchOptions } from '../options.ts';
import { openAsker, type Verdict } from './ask.ts';
import { questions } from './questions.ts';

const usage = `npm run bench:agents -- [--wrong]
  --wrong  print the answers that fail`;
const { values } = readBenchOptions(usage, { options: { wrong: { type: 'boolean', default: false } } });
const goal = { structure: 58, text: 55 };
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const mark = (isRight: boolean): string => (isRight ? 'yes' : 'NO');
const count = (verdicts: readonly Verdict[], by: 'structure' | 'text'): number =>
  verdicts.filter((verdict) => verdict[by]).length;

const asker = await openAsker();
const verdicts = questions.map((question) => asker.ask(question));
asker.close();
print(`${'language'.padEnd(10)}${'fields'.padEnd(8)}${'text'.padEnd(6)}question`);
for (const { question, structure, text } of verdicts)
  print(
    `${question.language.padEnd(10)}${mark(structure).padEnd(8)}${mark(text).padEnd(6)}${question.asked}`,
  );
if (values.wrong)
  for (const { question, structure, text, results } of verdicts)
    if (!structure || !text)
      print(
        `\n## ${question.asked}\n${JSON.stringify(question.calls)}\nfields ${mark(structure)}, text ${mark(text)}\n${results.text}`,
      );
const [fields, texts] = [count(verdicts, 'structure'), count(verdicts, 'text')];
print(
  `\n${questions.length} questions: ${fields} by fields (goal ${goal.structure}), ${texts} by text alone (goal ${goal.text})`,
);
process.exitCode = fields >= goal.structure && texts >= goal.text ? 0 : 1;
