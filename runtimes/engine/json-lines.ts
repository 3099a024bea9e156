import type { Readable } from 'node:stream';

/** The JSON documents of a stream, one a line. Lines that are none are left out: proxies and dying engines send such. */
export async function* jsonLines(stream: Readable): AsyncGenerator<unknown, void> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield* parsed(line);
  }
  yield* parsed(rest);
}

function* parsed(line: string): Generator<unknown, void> {
  if (line.trim() === '') return;
  try {
    yield JSON.parse(line) as unknown;
  } catch {
    return;
  }
}
