import http from 'node:http';

interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** The JSON lines of an open response, one by one. */
export class Lines<Item = unknown> {
  readonly ended: Promise<void>;
  readonly #response: http.IncomingMessage;
  readonly #ready: Item[] = [];
  readonly #waiting: ((item: Item) => void)[] = [];

  private constructor(response: http.IncomingMessage) {
    this.#response = response;
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const parts = `${rest}${chunk}`.split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) this.#push(JSON.parse(part) as Item);
    });
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      response.on('close', resolve);
    });
  }

  static async open<Item>({ port, path, headers }: Target): Promise<Lines<Item>> {
    const request = http.get({ host: '127.0.0.1', port, path, headers });
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
    });
    return new Lines<Item>(response);
  }

  next(): Promise<Item> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#response.destroy();
  }

  #push(item: Item): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#ready.push(item);
    else waiting(item);
  }
}
