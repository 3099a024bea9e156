import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A socket that answers as the test says, for what no real engine does on demand: hanging, dying, sending half. */
export class EngineServer {
  answer: Answer;
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #directory: string;

  private constructor(directory: string, answer: Answer) {
    this.#directory = directory;
    this.answer = answer;
    this.#server = createServer((request, response) => {
      this.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      this.answer(request, response);
    });
  }

  static async listen(answer: Answer = hang): Promise<EngineServer> {
    const server = new EngineServer(await mkdtemp(join(tmpdir(), 'berth-engine-')), answer);
    await new Promise<void>((resolve) => server.#server.listen(server.path, resolve));
    return server;
  }

  get path(): string {
    return join(this.#directory, 'engine.sock');
  }

  get endpoint(): string {
    return `unix://${this.path}`;
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => {
        if (error) reject(error);
        else resolve(count);
      });
    });
  }

  /** Breaks every connection, as a daemon that dies. */
  die(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.die();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Takes the request and never answers. */
export const hang: Answer = () => undefined;

export function json(value: unknown, status = 200): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value));
  };
}
