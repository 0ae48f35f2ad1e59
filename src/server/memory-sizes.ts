/** How much of the process's memory each purpose may take, see docs/decisions/0091-memory.md. */

import { MAX_SPAN_LIST_BYTES } from '#ingest/span-list/prepare';
import type { ConnectionBounds } from './http-listener.ts';
import { type GrpcBounds, MAX_GRPC_CONNECTIONS } from './otlp-grpc/server.ts';
import { isRoomy } from './thread-limits.ts';

/** What is shared out, in bytes. */
export interface MemorySizes {
  /** From so much on the process is short of memory, whatever the accounts say. */
  readonly shortFrom: number;
  /** Export requests that are being received or wait, as sent. */
  readonly bodies: number;
  /** Bodies of other requests that are being received, as sent. */
  readonly textBodies: number;
  /** Export requests above 8 MiB that are prepared at the same time. */
  readonly largeRequests: number;
  /** The largest list of spans over REST, of which some are read as JSON at the same time. */
  readonly largestSpanList: number;
  /** What large requests and originals become while they are stored and read. */
  readonly room: number;
  /** What no other purpose takes of that room. */
  readonly reserves: RoomReserves;
  /** Batches of columns that questions hold, and as much for those that these wait for. */
  readonly batches: number;
  /** Answers that are being made or sent. */
  readonly answers: number;
  /** The small ones among them. */
  readonly smallAnswers: number;
  /** What the connections of the listeners for HTTP may take. */
  readonly doors: ConnectionBounds;
  /** What those of the listener for gRPC may take. */
  readonly grpcDoors: GrpcBounds;
}

/** The purposes of the room. */
export interface RoomReserves {
  /** Large requests, decompressed and prepared. */
  readonly storing: number;
  /** What readers decompress and what they make of it. */
  readonly reading: number;
  /** The same of the background's reader. */
  readonly background: number;
  /** Originals that the writer reads. */
  readonly writing: number;
}

/** The sizes for a process that may take so many bytes and receives requests up to so many. */
export function memorySizes(maxBytes: number, largestRequestBytes: number): MemorySizes {
  const spare = Math.max(maxBytes - ownBytes(maxBytes), LEAST_BYTES);
  const room = Math.floor(spare / 3);
  const heads = Math.floor(spare / 24 / HEAD_FACTOR);
  const ofConnection = spare / MAX_GRPC_CONNECTIONS;
  return {
    shortFrom: Math.max(Math.floor(maxBytes * SHORT_SHARE), OWN_BYTES),
    bodies: Math.max(largestRequestBytes, Math.min(Math.floor(spare / 12), MOST_BODY_BYTES)),
    textBodies: Math.max(LARGEST_TEXT_BODIES, Math.min(Math.floor(spare / 16), MOST_BODY_BYTES)),
    largeRequests: maxBytes > 2 ** 31 ? 2 : 1,
    largestSpanList: Math.min(MAX_SPAN_LIST_BYTES, Math.floor(maxBytes / 32)),
    room,
    reserves: {
      storing: Math.min(Math.floor(room / 4), ORDINARY_BYTES),
      reading: Math.min(Math.floor(room / 3), 2 * ORDINARY_BYTES),
      background: Math.min(Math.floor(room / 6), ORDINARY_BYTES),
      writing: Math.min(Math.floor(room / 8), ORDINARY_BYTES),
    },
    batches: Math.floor(spare / 24),
    answers: Math.floor(spare / 6),
    smallAnswers: Math.floor(spare / 16),
    doors: {
      connections: Math.min(Math.floor(spare / 10 / CONNECTION_BYTES), MOST_CONNECTIONS),
      heads,
    },
    grpcDoors: {
      windowBytes: Math.max(LEAST_WINDOW_BYTES, Math.min(Math.floor(ofConnection / 2), MOST_WINDOW_BYTES)),
      calls: Math.max(LEAST_CALLS, Math.min(Math.floor(ofConnection / CALL_BYTES), MOST_CALLS)),
      callBytes: heads,
    },
  };
}

/** The page cache of each reader, of which there are three; the writer's is twice as large. All of them together are an eighth of the spare memory. */
export function pageCacheBytes(maxBytes: number): number {
  const share = Math.floor((maxBytes - ownBytes(maxBytes)) / 40);
  return Math.min(Math.max(share, LEAST_CACHE_BYTES), MOST_CACHE_BYTES);
}

const LEAST_CACHE_BYTES = 2 * 1024 * 1024;
const MOST_CACHE_BYTES = 16 * 1024 * 1024;

/** What the program itself takes under load: code, heaps, page caches, and what was dropped and is not collected yet. */
const OWN_BYTES = 352 * 1024 * 1024;

/** The second reader's heap and page cache, and what the larger young generations of the others take more, see `thread-limits.ts`. */
const SECOND_READER_BYTES = 96 * 1024 * 1024;

function ownBytes(maxBytes: number): number {
  return OWN_BYTES + (isRoomy(maxBytes) ? SECOND_READER_BYTES : 0);
}

/** The rest is for what comes before somebody looks again, and for what the system counts beside the process. */
const SHORT_SHARE = 3 / 4;

/** Where less than that is left, it is overdrawn: the server runs, and may be ended. */
const LEAST_BYTES = 64 * 1024 * 1024;

/** Room for many ordinary requests; more would only let them wait longer. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** As much as HTTP/2 gives without being asked; and enough for distant exporters. */
const LEAST_WINDOW_BYTES = 64 * 1024;
const MOST_WINDOW_BYTES = 2 * 1024 * 1024;

/** Calls come as fast as they are read; what they take is looked at only then. An exporter has a few at the same time, a collector ten. */
const CALL_BYTES = 16 * 1024;
const LEAST_CALLS = 16;
const MOST_CALLS = 100;

/** One of the largest that REST takes, beside small ones. */
const LARGEST_TEXT_BODIES = 16 * 1024 * 1024;

/** What the originals take that one thread reads together: 8 MiB, three times. */
const ORDINARY_BYTES = 24 * 1024 * 1024;

/** What a connection takes whose request is small and waits for its body. */
const CONNECTION_BYTES = 26 * 1024;

/** People and programs that ask have few each. */
const MOST_CONNECTIONS = 8192;

/** How much Node makes of heads, a byte of them. */
const HEAD_FACTOR = 3;
