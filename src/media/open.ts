/** Constructs what serves /media/. */
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { ImageCodec } from './codec.ts';
import { createMediaHandler, type MediaDeps } from './handler.ts';
import { Maps } from './map/maps.ts';
import { PictureCache } from './picture-cache.ts';
import { Pictures } from './pictures.ts';

export type MediaOptions = Omit<MediaDeps, 'pictures' | 'maps'> & {
  /** The folder of the pictures, and its maximum size. */
  folder: string;
  maxBytes: number;
  openFetch: () => Promise<GuardedFetch>;
};

/** Opens the handler of /media/. Threads and the folder are only created when they are needed. */
export function openMedia({ folder, maxBytes, openFetch, ...deps }: MediaOptions) {
  const cache = new PictureCache(folder, maxBytes);
  const pictures = new Pictures({ openFetch, cache, codec: new ImageCodec(), log: deps.log });
  const maps = new Maps();
  return {
    handle: createMediaHandler({ ...deps, pictures, maps }),
    close: async () => {
      await Promise.all([pictures.close(), maps.close()]);
    },
  };
}
