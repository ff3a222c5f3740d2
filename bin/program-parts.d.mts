import type { BuildOptions } from 'esbuild';

/** How esbuild splits the program. */
export const partOptions: BuildOptions;
/** Makes the parts of what esbuild put out: the text of the function of each, by its name. */
export function makeParts(outputs: readonly { path: string; text: string }[]): Map<string, string>;
