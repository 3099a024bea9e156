import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Usage: node scripts/bench.mjs [--json FILE]. Bundles the benchmarks as the program itself is bundled, and runs them.
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = mkdtempSync(path.join(root, 'dist', 'bench-'));

const bundle = (entry) =>
  build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['better-sqlite3', 'ssh2'],
    entryPoints: [`test/bench/${entry}.ts`],
    outfile: path.join(out, `${entry}.cjs`),
  });

try {
  await Promise.all(['main', 'fake-controller'].map(bundle));
  const programs = {
    '--fake': path.join(out, 'fake-controller.cjs'),
    '--controller': path.join(root, 'dist/controller.cjs'),
    '--ctl': path.join(root, 'dist/ctl'),
  };
  const args = [...Object.entries(programs).flat(), ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, [path.join(out, 'main.cjs'), ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
