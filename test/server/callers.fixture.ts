/** Callers of a server that asks for credentials, and requests whose bodies never come. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Callers, ResolveCaller } from '#api/caller';
import { AppError } from '#base/errors';
import { type Caller, NOBODY, type Role } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';

/** What the header `authorization` may say: a role, or how resolving the caller goes. */
export type Shown = Role | 'nothing' | 'expired' | 'broken' | 'slow';

/** Resolves callers by what they show; `slow` ones when they are let in. */
export class Doorkeeper {
  /** How many callers wait. */
  waiting = 0;
  #gate = Promise.withResolvers<void>();

  /** For the server. */
  get callers(): Callers {
    return { resolve: this.#resolve, stillHolds: async () => true };
  }

  readonly #resolve: ResolveCaller = async ({ header, remoteAddress }) => {
    if (remoteAddress === undefined) throw new Error('a request has come from nowhere');
    const shown = header('authorization');
    switch (shown) {
      case 'viewer':
      case 'member':
      case 'admin':
        return user(shown);
      case 'expired':
        throw new AppError('unauthenticated', 'The token has expired.');
      case 'broken':
        throw new Error('the keys cannot be read');
      case 'slow':
        this.waiting++;
        await this.#gate.promise;
        this.waiting--;
        return user('member');
      default:
        return NOBODY;
    }
  };

  letIn(): void {
    this.#gate.resolve();
    this.#gate = Promise.withResolvers();
  }
}

function user(role: Role): Caller {
  return userCaller(role);
}

/** The header of a caller. */
export function credentialsOf(shown: Shown): Record<string, string> {
  return shown === 'nothing' ? {} : { authorization: shown };
}

/** What a server answers. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The answer to a request that says how long its body is and sends none of it. */
export function askWithoutBody(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const sent = request(url, { method, headers: { ...headers, 'content-length': '100' } });
  sent.flushHeaders();
  return answerTo(sent);
}

/** The answer to a request whose body does not end. */
export function askWithEndlessBody(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const sent = request(url, { method, headers: { ...headers, 'transfer-encoding': 'chunked' } });
  const body = Readable.from(blanks());
  sent.on('close', () => body.destroy());
  body.pipe(sent);
  return answerTo(sent);
}

/** Slowly, so that what is asked beside it is answered, too. */
async function* blanks(): AsyncGenerator<string> {
  while (true) {
    yield ' '.repeat(1024);
    await setTimeout(1);
  }
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  const { method, path } = sent;
  sent.on('error', () => undefined);
  sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`${method} ${path} waits for the body`)));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  sent.destroy();
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

/** The answer should come at once; a server of a busy machine may take its time. */
const ANSWER_MS = 20_000;

/** A call over gRPC, its message left to the test; the status is in the headers of its answer, or in the trailers. */
export class GrpcCaller implements AsyncDisposable {
  readonly #session: ClientHttp2Session;

  constructor(address: string) {
    this.#session = connect(`http://${address}`);
  }

  /** Without a message the call stays open. */
  async call(
    path: string,
    headers: Readonly<Record<string, string>>,
    message?: Uint8Array,
  ): Promise<IncomingHttpHeaders> {
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    stream.on('error', () => undefined);
    let trailers: IncomingHttpHeaders = {};
    stream.on('trailers', (received: IncomingHttpHeaders) => {
      trailers = received;
    });
    if (message !== undefined) stream.end(message);
    const closed = once(stream, 'close');
    const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    stream.resume();
    await closed;
    return { ...head, ...trailers };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session.destroy();
  }
}
