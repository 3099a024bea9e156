import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { common, controllerBundle } from './lib/bundle.mjs';

// Usage: node scripts/build.mjs [--out DIR] [ctl] [controller]; both parts unless some are named.
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const out = path.resolve(values.out ?? path.join(root, 'dist'));
const parts = positionals.length > 0 ? positionals : ['ctl', 'controller'];

/** Loaded when first needed, each a file of its own: `ctl get` must not pay for what it does not use. */
const chunks = { './run': 'ctl-cli.cjs', './run-get': 'ctl-get.cjs', './print/yaml': 'ctl-yaml.cjs' };

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

function buildCtl(entry, file, more = {}) {
  return build({
    ...common,
    absWorkingDir: root,
    minify: true,
    legalComments: 'none',
    supported: { 'dynamic-import': false },
    plugins: [splitChunks],
    entryPoints: [entry],
    outfile: path.join(out, file),
    ...more,
  });
}

const builders = {
  ctl: async () => {
    await Promise.all([
      buildCtl('ctl/main.ts', 'ctl', { banner: { js: '#!/usr/bin/env node' } }),
      buildCtl('ctl/run.ts', chunks['./run']),
      buildCtl('ctl/run-get.ts', chunks['./run-get']),
      buildCtl('ctl/print/yaml.ts', chunks['./print/yaml']),
    ]);
    chmodSync(path.join(out, 'ctl'), 0o755);
  },
  controller: async () => {
    const outfile = path.join(out, 'controller.cjs');
    const entryPoints = ['controller/bin.ts'];
    await build({ ...controllerBundle, absWorkingDir: root, entryPoints, outfile, sourcemap: true });
  },
};

if (values.out === undefined && positionals.length === 0) rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// A checkout without a daemon still gets its command line.
const wanted = parts.filter((part) => part !== 'controller' || existsSync(path.join(root, 'controller/bin.ts')));
await Promise.all(wanted.map((part) => builders[part]()));
