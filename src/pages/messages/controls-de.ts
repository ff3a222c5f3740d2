/** The texts of the parts that pages of every kind share, in German. */
import type { Messages } from './pattern.ts';

export const controls: Messages['controls'] = {
  keepIt: 'Behalten',
  copied: 'Kopiert',
  selected: 'Markiert: Strg+C drücken',
  moment: (date, time) => `${date} um ${time} Uhr UTC`,
  browser: {
    on: (browser, system) => `${browser} auf ${system}`,
    unknown: 'Ein unbekannter Browser',
    unknownOn: (system) => `Ein Browser auf ${system}`,
  },
  requests: {
    highest: (most) => `höchster Balken: ${most}`,
    description: (title, rest, mcp) =>
      `${title}: ${rest} REST-Anfragen über der Linie, ${mcp} MCP-Anfragen darunter. Die Zahlen folgen als Tabelle.`,
    rest: (count) => `REST, oben: ${count}`,
    mcp: (count) => `MCP, unten: ${count}`,
    together: 'Zusammen',
  },
};
