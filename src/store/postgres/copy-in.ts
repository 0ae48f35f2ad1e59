/** `COPY … FROM STDIN` as something that the driver can run. */
import type pg from 'pg';

/**
 * Sends chunks of the binary format. The driver calls these methods as it calls those of its own queries. The chunks are handed to
 * the socket at once: they are in memory anyhow, and a server that cannot take them throws them away, so nobody has to wait until it
 * says that it can.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
export class CopyIn implements pg.Submittable {
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #chunks: readonly Buffer[];
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(text: string, chunks: readonly Buffer[]) {
    this.#text = text;
    this.#chunks = chunks;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    stream.cork();
    connection.query(this.#text);
    for (const chunk of this.#chunks) {
      const header = Buffer.alloc(HEADER_BYTES);
      header.write('d');
      header.writeUInt32BE(chunk.length + LENGTH_BYTES, 1);
      stream.write(header);
      stream.write(chunk);
    }
    stream.write(COPY_DONE);
    stream.uncork();
  }

  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }
}

/** Of the length, which counts itself but not the letter before it. */
const LENGTH_BYTES = 4;
const HEADER_BYTES = 1 + LENGTH_BYTES;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, LENGTH_BYTES]);
