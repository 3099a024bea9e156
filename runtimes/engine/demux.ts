/** Each frame: stream number, three zero bytes, length (32 bits, big-endian), data. Docker Engine API, "attach". */
const HEADER_BYTES = 8;
const STDERR = 2;

export interface Demuxed {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Takes a multiplexed stream apart, however its frames are cut; every byte is copied once. */
export class Demuxer {
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];
  #header = Buffer.alloc(0);
  #left = 0;
  #target = this.#stdout;
  #bytes = 0;

  /** How many bytes of data there were, on both streams together. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#left > 0 ? this.#takeData(rest) : this.#takeHeader(rest);
  }

  /** All so far. A frame that was cut off is given as far as it came. */
  result(): Demuxed {
    return { stdout: Buffer.concat(this.#stdout), stderr: Buffer.concat(this.#stderr) };
  }

  #takeData(chunk: Buffer): Buffer {
    const data = chunk.subarray(0, this.#left);
    if (data.length > 0) this.#target.push(data);
    this.#bytes += data.length;
    this.#left -= data.length;
    return chunk.subarray(data.length);
  }

  #takeHeader(chunk: Buffer): Buffer {
    const missing = HEADER_BYTES - this.#header.length;
    const header = Buffer.concat([this.#header, chunk.subarray(0, missing)]);
    if (header.length < HEADER_BYTES) {
      this.#header = header;
      return Buffer.alloc(0);
    }
    this.#header = Buffer.alloc(0);
    this.#target = header[0] === STDERR ? this.#stderr : this.#stdout;
    this.#left = header.readUInt32BE(4);
    return chunk.subarray(missing);
  }
}
