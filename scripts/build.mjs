import { chmodSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(root, 'dist');

/** Loaded when first needed, each a file of its own: `ctl get` must not pay for what it does not use. */
const chunks = { './run': 'ctl-cli.cjs', './print/yaml': 'ctl-yaml.cjs' };

/** Turns the dynamic imports of these modules into a require of their file. */
const splitChunks = {
  name: 'split-chunks',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path: target }) => {
      const file = kind === 'dynamic-import' ? chunks[target] : undefined;
      return file === undefined ? undefined : { path: `./${file}`, external: true };
    });
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  supported: { 'dynamic-import': false },
  plugins: [splitChunks],
  logLevel: 'warning',
};

const ctl = { ...common, minify: true, legalComments: 'none' };

/** Native modules are loaded from node_modules. */
const NATIVE = ['better-sqlite3', 'cpu-features', 'ssh2'];

rmSync(dist, { recursive: true, force: true });
await Promise.all([
  build({ ...ctl, entryPoints: ['ctl/main.ts'], outfile: 'dist/ctl', banner: { js: '#!/usr/bin/env node' } }),
  build({ ...ctl, entryPoints: ['ctl/run.ts'], outfile: 'dist/ctl-cli.cjs' }),
  build({ ...ctl, entryPoints: ['ctl/print/yaml.ts'], outfile: 'dist/ctl-yaml.cjs' }),
  // A checkout that has no daemon yet still gets its command line.
  ...(existsSync(path.join(root, 'controller/main.ts'))
    ? [
        build({
          ...common,
          entryPoints: ['controller/main.ts'],
          outfile: 'dist/controller.cjs',
          external: NATIVE,
          keepNames: true,
          sourcemap: true,
        }),
      ]
    : []),
]);
chmodSync(path.join(dist, 'ctl'), 0o755);
