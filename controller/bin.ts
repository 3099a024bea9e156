import { writeSync } from 'node:fs';
import { main } from './main';

main().catch((error: unknown) => {
  tell(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

function tell(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Where it would be told can't be written either; the exit code is left.
  }
}
