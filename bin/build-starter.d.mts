/** Writes the starter catalogue to a file that does not exist. */
export function makeStarter(root: string, path: string): void;
