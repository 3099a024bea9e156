import readline from 'node:readline/promises';

/** Asks at the terminal; anything but a clear yes is a no. */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const asker = readline.createInterface({ input, output });
  const ended = new Promise<string>((resolve) => {
    asker.on('close', () => {
      resolve('');
    });
  });
  try {
    return /^y(es)?$/i.test((await Promise.race([asker.question(`${question} [y/N] `), ended])).trim());
  } finally {
    asker.close();
  }
}
