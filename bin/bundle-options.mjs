/**
 * How esbuild makes one file of a thread or of an executable's main file, which cannot be ES modules. The program is in parts
 * (`program-parts.mjs`).
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  // `pg` loads it only if a program asks for libpq.
  external: ['pg-native'],
  format: 'cjs',
  target: 'node24',
  // V8 keeps the text of the script. Its licences are in the notices.
  minifyWhitespace: true,
  legalComments: 'none',
  // A script that is evaluated cannot import() at run time; esbuild makes a require of it.
  supported: { 'dynamic-import': false },
};
