/** SERVICE_REDACT_ATTRIBUTES: what it masks is nowhere. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callExport, ENCODINGS, encodeRequest, exportTraces } from '../harness/otlp-client.ts';
import { otlpSpan, keyValues, requestOf, spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { TEST_ENGINE } from '../harness/test-engine.ts';
import { getOnlySpan, listSessions, listSpans } from '../harness/telemetry.ts';

const SECRET = 'TOP-SECRET-4711';
const MASK = '__REDACTED__';

let server: TestServer;
let lastTrace = 0;

beforeAll(async () => {
  server = await startTestServer({
    REDACT_ATTRIBUTES: 'input.value, user.*, llm.input_messages.*.message.content, host.Key, session.id',
  });
});

afterAll(() => server[Symbol.asyncDispose]());

function request(id: string) {
  const attributes = keyValues({
    'input.value': SECRET,
    'user.email': SECRET,
    user: { address: { city: SECRET }, name: [SECRET] },
    'llm.input_messages.0.message.content': SECRET,
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages': [{ message: { content: SECRET } }],
    'HOST.KEY': SECRET,
    kept: 'plain',
  });
  const span = {
    ...otlpSpan({ traceId: id, spanId: spanId(1) }),
    attributes,
    events: [{ name: 'event', timeUnixNano: '1', attributes }],
    links: [{ traceId: id, spanId: spanId(2), attributes }],
  };
  const [resourceSpans] = requestOf([span], { 'host.key': SECRET }).resourceSpans;
  const [scopeSpans] = resourceSpans?.scopeSpans ?? [];
  return {
    resourceSpans: [{ ...resourceSpans, scopeSpans: [{ ...scopeSpans, scope: { name: 'scope', attributes } }] }],
  };
}

describe('masked attributes', () => {
  it.each([...ENCODINGS, 'gRPC'])('sent as %s are in no list and in no original', async (how) => {
    const id = traceId(++lastTrace);
    const encoding = ENCODINGS.find((one) => one === how);
    if (encoding === undefined)
      await callExport(server.grpcAddress, encodeRequest('application/x-protobuf', request(id)));
    else
      expect(await exportTraces(server.url, request(id), { encoding })).toMatchObject({
        status: 200,
        rejectedSpans: 0,
      });
    const answers = await Promise.all(
      [
        `/v1/projects/default/spans?trace_id=${id}`,
        `/v1/projects/default/spans/otlpv1?trace_id=${id}`,
        `/v1/traces/${id}/original`,
        `/v1/traces/${id}/original?format=json`,
      ].map(async (path) => (await fetch(`${server.url}${path}`)).text()),
    );
    for (const answer of answers) {
      expect(answer).not.toContain(SECRET);
      expect(answer).toContain(MASK);
    }
    expect((await getOnlySpan(server.url, id)).attributes).toMatchObject({
      'input.value': MASK,
      'user.email': MASK,
      'user.address': MASK,
      'llm.input_messages.0.message.role': 'user',
      'HOST.KEY': MASK,
      kept: 'plain',
    });
  });

  it('that Cairn reads are masked for it as well: a masked session is one for all', async () => {
    for (const number of [97, 98]) {
      const span = otlpSpan({
        traceId: traceId(number),
        spanId: spanId(1),
        attributes: { 'session.id': `${SECRET} ${number}` },
      });
      await exportTraces(server.url, requestOf([span]));
    }
    expect(await listSessions(server.url, 'default')).toMatchObject([{ session_id: MASK, traces: [{}, {}] }]);
  });

  it('make the same request a duplicate, for what is compared is masked as well', async () => {
    for (let round = 0; round < 2; round++) await exportTraces(server.url, request(traceId(99)));
    expect(await listSpans(server.url, 'default', `trace_id=${traceId(99)}`)).toHaveLength(1);
  });

  it.skipIf(TEST_ENGINE !== 'sqlite')(
    'are not in the data file or its log, nor in the blocks that are compressed there',
    async () => {
      await exportTraces(server.url, request(traceId(100)));
      const beforeClose = await readFiles(server.folder);
      await server.server.close();
      const afterClose = await readFiles(server.folder);
      for (const [name, bytes] of [...beforeClose, ...afterClose]) {
        expect({ name, hasSecret: bytes.includes(SECRET) }).toEqual({ name, hasSecret: false });
      }
      expect(Buffer.concat(beforeClose.map(([, bytes]) => bytes)).includes('plain')).toBe(true);
      expect(beforeClose.map(([name]) => name)).toContain('cairn.db-wal');
      const blocks = readBlocks(join(server.folder, 'cairn.db'));
      expect(blocks.some((block) => block.includes(SECRET))).toBe(false);
      expect(blocks.every((block) => block.includes(MASK))).toBe(true);
    },
  );
});

async function readFiles(folder: string): Promise<[string, Buffer][]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('cairn.db'));
  return Promise.all(names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))]));
}

/** What the blocks hold, decompressed; they begin with the lengths of their spans. */
function readBlocks(path: string): Buffer[] {
  const database = new Database(path, { readonly: true });
  const rows = database.prepare('SELECT data FROM blocks').all() as { data: Uint8Array }[];
  database.close();
  return rows.map((row) => zstdDecompressSync(row.data));
}
