/** What is read of the head of a call, and what it counts while the call is open. */
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Head } from '../held-heads.ts';
import { PROJECT_NAME_HEADER } from '../project-name-header.ts';

/** The server refuses longer heads. Other implementations of gRPC take 8 to 16 KiB; a token may be most of that. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Calls with more are refused: exporters send about ten, and proxies add a dozen or two. Each takes a few hundred bytes. */
export const MAX_HEADERS = 64;

/** A connection holds so much before it is asked to give it up: one call with the longest head, or a few ordinary ones. */
export const FREE_CALL_BYTES = 16 * 1024;

/** What a call takes beside its head, in bytes of a head: 9 kB of memory, of which one of a head takes three. */
const CALL_BYTES = 3072;

const READ_HEADERS = [
  ':method',
  ':path',
  'authorization',
  'content-type',
  'cookie',
  'grpc-encoding',
  'grpc-timeout',
  'x-forwarded-for',
  PROJECT_NAME_HEADER,
] as const;

/** Those headers that are read while a call is answered: all others go as soon as it has begun. */
export function pickHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(READ_HEADERS.map((name) => [name, headers[name]]));
}

/** @param headerBytes see `countHeaderBytes` */
export function headOfCall(stream: ServerHttp2Stream, headerBytes: number): Head {
  return { bytes: CALL_BYTES + headerBytes, request: stream, isWhole: () => stream.readableEnded };
}

/** Ends a call in the words in which HTTP/2 itself refuses a head, which gRPC takes for RESOURCE_EXHAUSTED. */
export function refuseHead(stream: ServerHttp2Stream): void {
  stream.on('error', () => undefined);
  stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}
