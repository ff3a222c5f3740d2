/** `places`: finds cities and towns of the world by the beginning of their names. */
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { addExamples, printResult } from '../command.ts';
import { formatTable } from '../output/terminal.ts';

const maxLimit = 50;

/** Adds `places` to the program. It needs no data file. */
export function addPlaces(program: Command): void {
  const command = program
    .command('places')
    .argument('<name...>', 'beginning of a name, then a comma and a region or country if needed')
    .description('Find cities and towns of the world, largest first, with region, time zone and coordinates.')
    .option('--limit <number>', `maximum number of places, 1 to ${maxLimit}`, '10');
  addExamples(command, [
    ['cratebase places münch', ''],
    ['cratebase places paris, texas --json', ''],
  ]);
  command.action(async (words: string[]) => {
    const { limit } = command.opts<{ limit: string }>();
    const count = /^\d+$/.test(limit) ? Number(limit) : 0;
    if (count < 1 || count > maxLimit)
      throw new Failure(
        `--limit must be a whole number from 1 to ${maxLimit}, not ${JSON.stringify(limit)}.`,
        2,
      );
    const name = words.join(' ');
    if (name.trim() === '') throw new Failure('The name is empty. Example: cratebase places münch', 2);
    const { suggestPlaces } = await import('../../app.ts');
    const data = await suggestPlaces(name, count);
    printResult(command, { data }, () =>
      data.length === 0
        ? `No place starts with ${JSON.stringify(name)}. Try the name in English or in the language of the country.`
        : formatTable(
            ['NAME', 'REGION', 'COUNTRY', 'PEOPLE', 'TIME ZONE', 'AT'],
            data.map((place) => [
              place.name,
              place.region,
              place.country,
              place.population,
              place.timezone,
              `${place.latitude}, ${place.longitude}`,
            ]),
          ),
    );
  });
}
