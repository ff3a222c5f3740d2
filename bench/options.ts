/** The command line of the benches. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Reads the options of a bench. Prints the usage and exits with 0 for `--help`; prints one line with the reason above the
 * usage and exits with 2 for an unknown option, a missing value or an argument that the bench does not take.
 * @param usage the lines that `--help` prints
 */
export function readBenchOptions<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  const args = process.argv.slice(2);
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h');
  if (isHelp) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split(/\n|\. (?=To )/);
    process.stderr.write(`bench: ${reason.replace(/\.$/, '')}\n${usage}\n`);
    process.exit(2);
  }
}
