import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureAlone } from './alone';
import { measureEngine } from './engine';
import { table } from './rows';

/** Usage: npm run bench [-- --json FILE]. Needs a Docker with the sandbox image, and what `npm run build` makes. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'string' },
      fake: { type: 'string', default: '' },
      controller: { type: 'string', default: '' },
      ctl: { type: 'string', default: '' },
    },
  });
  const rows = [...(await measureAlone(values)), ...(await measureEngine(values))];
  process.stdout.write(`${table(rows)}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
