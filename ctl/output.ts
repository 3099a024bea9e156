import { printableDocument } from '../controller/api/wire/printable';
import { reasonOf } from '../host/errno';

/** The only way to the terminal. Whatever is written, nothing but line ends can steer it. */
export interface Output {
  /** Text with its own line ends. */
  write(text: string): void;
  line(text: string): void;
}

/** What is printed can't be written: the disk is full, or a device takes nothing. */
export class OutputError extends Error {
  override readonly name = 'OutputError';

  constructor(cause: unknown) {
    super(`can't write the output: ${reasonOf(cause)}`, { cause });
  }
}

export function createOutput(stream: Pick<NodeJS.WritableStream, 'write'>): Output {
  const write = (text: string): void => {
    if (text !== '') stream.write(printableDocument(text));
  };
  return {
    write,
    line: (text) => {
      write(`${text}\n`);
    },
  };
}
