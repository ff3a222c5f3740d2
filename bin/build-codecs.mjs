/** The image codecs in the executable: their WebAssembly files, and how their scripts are bundled. */
import { readFileSync } from 'node:fs';

/** The files below `node_modules`, as `codecPaths` of `src/media/codec.ts` names them. */
export const codecFiles = [
  '@jsquash/avif/codec/dec/avif_dec.wasm',
  '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm',
  '@jsquash/webp/codec/dec/webp_dec.wasm',
  '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
];

/**
 * Lets esbuild bundle the scripts of the codecs as CommonJS. They get their WebAssembly files from the caller; only their
 * look-up beside the script, which the executable does not need, uses the address of the script.
 */
export const bundleCodecs = {
  name: 'bundle-codecs',
  setup(build) {
    build.onLoad({ filter: /[\\/]@jsquash[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', 'globalThis.codecUrl'),
      loader: 'js',
    }));
  },
};
