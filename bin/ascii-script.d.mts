/** Replaces characters outside ASCII by escapes. */
export function toAscii(code: string): string;
