/** `openapi`: prints the document of /openapi.json. */
import type { Command } from 'commander';
import { readSettings } from '../../config.ts';
import { addExamples, flagsOf, settingOption } from '../command.ts';
import { printJson } from '../output/terminal.ts';

const options = ['baseUrl', 'name', 'contact', 'license', 'terms', 'attribution'] as const;

/** Adds `openapi` to the program. */
export function addOpenapi(program: Command): void {
  const command = program.command('openapi').description('Print the OpenAPI 3.1 document of the API.');
  for (const name of options) command.addOption(settingOption(name));
  addExamples(command, [['cratebase openapi --base-url https://music.example.org > openapi.json', '']]);
  command.action(async () => {
    const settings = readSettings([...options], flagsOf(command), process.env);
    const { describeApi } = await import('../../app.ts');
    const document = describeApi(settings);
    printJson(document, 2);
  });
}
