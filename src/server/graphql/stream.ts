/** Answers of a subscription as they go over HTTP, one after the other. */
import { Readable } from 'node:stream';
import type { OperationResult } from '#api/graphql/operation';
import { resultText } from './result-text.ts';

/** How a stream is written. */
export interface StreamForm {
  readonly contentType: string;
  readonly begin: string;
  readonly event: (result: OperationResult) => string;
  readonly heartbeat: string;
  readonly end: string;
}

/** @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode */
export const EVENT_STREAM: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  begin: ':\n\n',
  event: (result) => `event: next\ndata: ${resultText(result)}\n\n`,
  heartbeat: ':\n\n',
  end: 'event: complete\ndata:\n\n',
};

/** @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol */
export const MULTIPART: StreamForm = {
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
  begin: '--graphql',
  event: (result) => part(`{"payload":${resultText(result)}}`),
  heartbeat: part('{}'),
  end: '--\r\n',
};

/** The boundary comes last, so that a client knows at once that a part is whole. */
function part(json: string): string {
  return `\r\nContent-Type: application/json\r\n\r\n${json}\r\n--graphql`;
}

/** Proxies give up a connection that is silent for a minute. */
const HEARTBEAT_MS = 15_000;

/** What a stream may be told beside its events. */
export interface StreamOptions {
  readonly heartbeatMs?: number;
  /** Whether its client may have them; asked before each event and with each heartbeat. */
  readonly holds?: () => Promise<boolean>;
}

/**
 * The events as bytes. They are taken no faster than the client reads, and given up when it goes, or when `holds` says that it may
 * not have them any longer: the stream breaks off then, before the event that it may not have.
 */
export function streamEvents(
  events: AsyncIterableIterator<OperationResult, undefined>,
  form: StreamForm,
  { heartbeatMs = HEARTBEAT_MS, holds = async () => true }: StreamOptions = {},
): Readable {
  let isReading = false;
  const stream = new Readable({
    read: () => void readNext(),
    destroy: (error, done) => {
      clearInterval(heartbeat);
      void events.return?.();
      done(error);
    },
  });
  const heartbeat = setInterval(() => {
    if (stream.readableLength === 0) stream.push(form.heartbeat);
    breakOff().catch((error: unknown) => stream.destroy(error as Error));
  }, heartbeatMs);

  async function breakOff(): Promise<void> {
    if (!(await holds())) stream.destroy(new Error('The access of a subscription has ended.'));
  }

  async function readNext(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      const { done, value } = await events.next();
      if (done !== true) await breakOff();
      isReading = false;
      if (stream.destroyed) return;
      if (done !== true) return void stream.push(form.event(value));
      clearInterval(heartbeat);
      stream.push(form.end);
      stream.push(null);
    } catch (error) {
      stream.destroy(error as Error);
    }
  }

  stream.push(form.begin);
  return stream;
}

/** One answer where a stream is asked for. */
export async function* onlyEvent(result: OperationResult): AsyncGenerator<OperationResult, undefined> {
  yield result;
  return undefined;
}
