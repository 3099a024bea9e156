import { printableDocument } from '../controller/api/wire/printable';

/** The only way to the terminal. Whatever is written, nothing but line ends can steer it. */
export interface Output {
  /** Text with its own line ends. */
  write(text: string): void;
  line(text: string): void;
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
