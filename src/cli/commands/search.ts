/** `search`: the results of /search, without a server. */
import type { Command } from 'commander';
import { readSettings } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { addExamples, flagsOf, printResult, withApp } from '../command.ts';
import { parseLimit } from '../numbers.ts';
import { formatTable } from '../output/terminal.ts';
import { resolveBaseUrl } from '../running-service.ts';

const maxLimit = 50;

/** Adds `search` to the program. */
export function addSearch(program: Command): void {
  const command = program
    .command('search')
    .argument('<query...>', 'search words; the last word is a prefix')
    .description(
      'Search artists, events, festivals, venues and labels, best match first. A question such as "techno in Berlin tonight" lists the next events that answer it.',
    )
    .option('--limit <number>', `maximum number of results, 1 to ${maxLimit}`, '10');
  addExamples(command, [
    ['cratebase search ben klo', ''],
    ['cratebase search tresor --limit 3 --json', ''],
    ['cratebase search techno in berlin this weekend', ''],
  ]);
  command.action(async (words: string[]) => {
    const { limit } = command.opts<{ limit: string }>();
    const count = parseLimit(limit, '--limit', maxLimit);
    const query = words.join(' ');
    if (query.trim() === '') throw new Failure('The query is empty. Example: cratebase search ben klo', 2);
    const data = await withApp(command, { readOnly: true }, (app) => {
      app.identity.configure(readSettings(['homeCity'], flagsOf(command), process.env));
      return app.searchHits(query, count, resolveBaseUrl(command, app));
    });
    printResult(command, { data }, () =>
      data.length === 0
        ? `Nothing found for ${JSON.stringify(query)}. Try fewer words, or other days.`
        : formatTable(
            ['KIND', 'NAME', 'WHERE', 'WHEN', 'SLUG'],
            data.map((hit) => [
              hit.type,
              hit.matched === hit.name ? hit.name : `${hit.name} (${hit.matched})`,
              [hit.city, hit.country].filter(Boolean).join(', ') || null,
              hit.start_at?.slice(0, 10),
              hit.slug,
            ]),
          ),
    );
  });
}
