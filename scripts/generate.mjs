// Writes everything that is made from the schemas and the built-in manifests. With --check it only compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

async function load(entry) {
  const options = { bundle: true, platform: 'node', format: 'cjs', packages: 'external', write: false };
  const { outputFiles } = await build({ ...options, entryPoints: [join(root, entry)] });
  const module = { exports: {} };
  const run = runInThisContext(`(function (module, exports, require) {${outputFiles[0].text}\n})`);
  run(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}

function current(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const { generateFiles } = await load('scripts/generate/files.ts');
const files = generateFiles((path) => readFileSync(join(root, path), 'utf8'));
const stale = [...files].filter(([path, text]) => current(join(root, path)) !== text);

if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is not what "npm run generate" makes\n`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  process.stdout.write(`${stale.length} of ${files.size} files written\n`);
}
