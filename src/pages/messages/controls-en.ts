/** The texts of the parts that pages of every kind share, in English: forms, dates, charts of requests, names of browsers. */
import { englishBrowserWords } from '../../contract/user-agent.ts';

type Value = number | string;

export const controls = {
  /** The link beside a button that removes something. */
  keepIt: 'Keep it',
  /** Shown by the script of a button that copies. */
  copied: 'Copied',
  selected: 'Selected: press Ctrl+C',
  /** A point in time, from its date and its time of day. */
  moment: (date: string, time: string) => `${date}, ${time} UTC`,
  browser: englishBrowserWords,
  requests: {
    highest: (most: Value) => `highest bar: ${most}`,
    description: (title: string, rest: Value, mcp: Value) =>
      `${title}: ${rest} REST requests above the line, ${mcp} MCP requests below it. The figures follow as a table.`,
    rest: (count: Value) => `REST, above: ${count}`,
    mcp: (count: Value) => `MCP, below: ${count}`,
    together: 'Together',
  },
};
