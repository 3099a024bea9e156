import path from 'node:path';
import { resolveHome } from '../controller/home';
import { version } from '../package.json';

/** The composition root: the only file that knows the process it runs in. Kept thin, the rest is loaded when needed. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const { run } = isPlainGet(args) ? await import('./run-get') : await import('./run');
  process.exitCode = await run(args, {
    home: resolveHome(process.env),
    env: process.env,
    script: path.join(__dirname, 'controller.cjs'),
    version,
    end: (code) => process.exit(code),
  });
}

function isPlainGet([verb, ...words]: readonly string[]): boolean {
  return verb === 'get' && words.length > 0 && words.every((word) => !word.startsWith('-'));
}

void main();
