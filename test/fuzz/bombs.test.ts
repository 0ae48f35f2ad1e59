/** Small bodies that mean to fill the memory or the stack of a running server. */
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orInLongRun } from '../harness/long-run.ts';
import { encodeSpan, postBody, requestAround } from '../harness/otlp-client.ts';
import { otlpSpan, spanId, traceId } from '../harness/otlp-json.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { listSpans } from '../harness/telemetry.ts';
import { writeFields } from '../oracle/strict-wire.ts';
import { createDeepValue } from './mutate-message.ts';

const DEPTH = 10_000;
/** Of a field that is no group to those who know it. */
const START_GROUP = 0x53;
const END_GROUP = 0x54;

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_BODY = { 'content-type': 'application/json' };

/** A body of 64 MiB, its decompressed form, what it decodes to, and the server itself. */
const MAX_PEAK_MB = 600;

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-bombs-'));
  server = await startServerProcess(folder);
});

afterAll(async () => {
  await server.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A gigabyte, of parts that are compressed once. */
const PART = Buffer.alloc(64 * 2 ** 20);
const PARTS = 16;
const repeat = (part: Uint8Array) => Buffer.concat(Array<Uint8Array>(PARTS).fill(part));
/** Sent at once: more than are prepared beside each other. */
const BOMBS = orInLongRun(4, 8);
const FAST_BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };

describe('a running server', () => {
  it.each<[string, () => Uint8Array]>([
    ['gzip', () => repeat(zlib.gzipSync(PART))],
    ['zstd', () => repeat(zlib.zstdCompressSync(PART))],
    ['deflate', () => zlib.deflateSync(Buffer.alloc(2 * PART.length))],
    ['br', () => zlib.brotliCompressSync(Buffer.alloc(2 * PART.length), FAST_BROTLI)],
    ['gzip, gzip', () => zlib.gzipSync(repeat(zlib.gzipSync(PART)))],
    ['gzip, zstd', () => zlib.zstdCompressSync(repeat(zlib.gzipSync(PART)))],
  ])('refuses bombs of %s at once', async (coding, create) => {
    const bomb = new Uint8Array(create());
    const headers = { ...PROTOBUF, 'content-encoding': coding };
    const answers = await Promise.all(Array.from({ length: BOMBS }, () => postBody(server.url, bomb, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(BOMBS).fill(413));
  });

  it('refuses JSON that is nested ten thousand levels deep', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"resourceSpans":[', ']}'],
    ] as const) {
      const body = `${open.repeat(DEPTH)}1${close.repeat(DEPTH)}`;
      const { status, message } = await postBody(server.url, new Uint8Array(Buffer.from(body)), JSON_BODY);
      expect({ status, message }).toEqual({ status: 400, message: expect.stringContaining('nested deeper') });
    }
  });

  it('stores a value that is nested ten thousand levels deep, cut off, and its neighbours', async () => {
    const deep = withField(
      9,
      writeFields([text(1, 'deep'), { number: 2, wireType: 2, content: createDeepValue(DEPTH) }]),
    );
    const { status, rejectedSpans } = await postBody(server.url, between(1, deep), PROTOBUF);
    expect({ status, rejectedSpans }).toEqual({ status: 200, rejectedSpans: 0 });
    const spans = await listSpans(server.url, 'default', `trace_id=${traceId(1)}`);
    expect(spans).toHaveLength(3);
    const attributes = spans.map((span) => JSON.stringify(span.attributes));
    expect(attributes.filter((one) => one.includes('nested deeper than 64 levels'))).toHaveLength(1);
  });

  it('rejects a span with groups that are nested ten thousand levels deep, alone', async () => {
    const groups = Buffer.concat([Buffer.alloc(DEPTH, START_GROUP), Buffer.alloc(DEPTH, END_GROUP)]);
    const { status, rejectedSpans } = await postBody(server.url, between(2, groups), PROTOBUF);
    expect({ status, rejectedSpans }).toEqual({ status: 200, rejectedSpans: 1 });
    expect(await listSpans(server.url, 'default', `trace_id=${traceId(2)}`)).toHaveLength(2);
  });

  it.skipIf(process.platform !== 'linux')('has stayed small all the time', () => {
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
    const peakMb = (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
    expect(peakMb).toBeLessThan(MAX_PEAK_MB);
  });
});

function text(number: number, value: string) {
  return { number, wireType: 2, content: Buffer.from(value) };
}

function withField(number: number, content: Uint8Array): Uint8Array {
  return writeFields([{ number, wireType: 2, content }]);
}

/** Three spans of a trace; the second has these bytes at its end. */
function between(trace: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const [first, second, third] = [1, 2, 3].map((span) =>
    encodeSpan(otlpSpan({ traceId: traceId(trace), spanId: spanId(span) })),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  return requestAround([first, Buffer.concat([second, bytes]), third]);
}
