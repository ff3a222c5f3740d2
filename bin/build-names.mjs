/** Keeps the names of functions and classes of packages in a bundle: oidc-provider, for example, stores those of its models. */
import { readFileSync } from 'node:fs';

/**
 * Our own code does not read such names. For it, `keepNames` of esbuild would cost time: each function that is made at run
 * time would be given its name by a call.
 */
export const keepPackageNames = {
  name: 'keep-package-names',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await build.esbuild.transform(readFileSync(path, 'utf8'), {
        keepNames: true,
        sourcefile: path,
        target: build.initialOptions.target,
      });
      return { contents: code, loader: 'js' };
    });
  },
};
