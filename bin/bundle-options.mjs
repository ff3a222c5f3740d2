/** How esbuild makes one file of the program. An executable's main file cannot be an ES module, nor await at its top level. */
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
  // A main file with a code cache cannot import() at run time; esbuild makes a require of it.
  supported: { 'dynamic-import': false },
};
