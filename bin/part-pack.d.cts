/** Contents with names. */
export type Pack = { names: string[]; get(name: string): Buffer | undefined };
/** Makes a file of contents with names. */
export function makePack(contents: Iterable<[name: string, content: Uint8Array]>): Buffer;
/** Opens a file that `makePack` made. */
export function openPack(read: (start: number, length: number) => Buffer): Pack;
/** Reads pieces of a pack that is in memory. */
export function readFrom(bytes: Buffer): (start: number, length: number) => Buffer;
