import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { type EdgeError, ERROR_TABLE, GRPC_STATUS } from '#api/errors';
import { encodeRpcStatus } from '#otlp/response';
import { frameMessage } from './framing.ts';

/** The encodings of a message that a caller may choose from. */
export const ACCEPTED_ENCODINGS = ['identity', 'gzip', 'deflate'] as const;

const RESPONSE_HEADERS: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-accept-encoding': ACCEPTED_ENCODINGS.join(','),
};

/** Answers a call with its one message, unless it is answered or gone. */
export function sendMessage(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (!isWaiting(stream)) return;
  stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': GRPC_STATUS.OK }));
  stream.end(frameMessage(message));
}

/**
 * Answers a call with why it failed, unless it is answered or gone; what the caller is still sending is not awaited.
 * Returns whether it answered.
 */
export function sendFailure(stream: ServerHttp2Stream, { code, message, retryAfterSeconds }: EdgeError): boolean {
  const { grpcStatus } = ERROR_TABLE[code];
  const headers: OutgoingHttpHeaders = {
    ...RESPONSE_HEADERS,
    'grpc-status': grpcStatus,
    'grpc-message': percentEncode(message),
  };
  if (retryAfterSeconds !== undefined) {
    const details = encodeRpcStatus('protobuf', { code: grpcStatus, message, retryAfterSeconds });
    headers['grpc-status-details-bin'] = Buffer.from(details).toString('base64');
  }
  return refuse(stream, headers);
}

/** Answers what is no gRPC call in the words of HTTP. */
export function sendHttpStatus(stream: ServerHttp2Stream, httpStatus: number, headers: OutgoingHttpHeaders = {}): void {
  refuse(stream, { ...headers, ':status': httpStatus });
}

function refuse(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): boolean {
  if (!isWaiting(stream)) return false;
  stream.respond(headers, { endStream: true });
  stream.close(constants.NGHTTP2_NO_ERROR);
  return true;
}

function isWaiting(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.headersSent;
}

/** The form that gRPC gives a message in a header: printable ASCII, everything else as its bytes in UTF-8. */
function percentEncode(message: string): string {
  return Buffer.from(message, 'utf8')
    .toString('latin1')
    .replace(/[^ -$&-~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
