import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { proseTraffic, smallTraffic } from '/tmp/rows-base/bench/plain-traffic.ts';
import { agentTraffic } from '/tmp/rows-base/bench/agent-traffic.ts';
import { encodeRequest } from '/tmp/rows-base/bench/encode-span.ts';
import { Random } from '/tmp/rows-base/bench/random.ts';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { normalizeRequest } from '#normalize/normalize-request';
import { toIncoming } from '#store/incoming/request';

// trained: pieces shared by at least K samples
export function train(samples: Buffer[], maxBytes: number, minSamples: number, D = 8): Buffer {
  const BITS = 20, MASK = (1 << BITS) - 1;
  const count = new Uint16Array(1 << BITS);
  const last = new Int32Array(1 << BITS).fill(-1);
  const hashAt = (s: Buffer, i: number) => (Math.imul(s.readUInt32LE(i), 0x9E3779B1) ^ Math.imul(s.readUInt32LE(i + D - 4), 0x85EBCA6B)) >>> (32 - BITS);
  samples.forEach((s, n) => { for (let i = 0; i + D <= s.length; i++) { const h = hashAt(s, i) & MASK; if (last[h] !== n) { last[h] = n; count[h]!++; } } });
  const taken = new Uint8Array(1 << BITS);
  const pieces: { bytes: Buffer; score: number }[] = [];
  for (const s of samples) {
    let start = -1, score = 0;
    for (let i = 0; i + D <= s.length + 1; i++) {
      const h = i + D <= s.length ? hashAt(s, i) & MASK : -1;
      if (h !== -1 && count[h]! >= minSamples && taken[h] === 0) { if (start === -1) { start = i; score = 0; } score += count[h]!; taken[h] = 1; }
      else if (start !== -1) { const bytes = s.subarray(start, i + D - 1); pieces.push({ bytes, score: score / bytes.length }); start = -1; }
    }
  }
  pieces.sort((a, b) => b.score - a.score);
  const out: Buffer[] = []; let size = 0;
  for (const p of pieces) { if (size + p.bytes.length > maxBytes) continue; out.push(p.bytes); size += p.bytes.length; }
  return Buffer.concat(out.reverse());
}

for (const [name, traffic] of [['prose', proseTraffic], ['small', smallTraffic]] as const) {
  const gen = traffic(new Random(1));
  const traces: Buffer[] = []; let raw = 0;
  for (let t = 0; t < 500; t++) {
    const body = encodeRequest({ 'service.name': 'reader' }, Array.from({ length: 8 }, () => gen.next().value as any));
    const inc = toIncoming(normalizeRequest(decodeExportTraceRequest(body), { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'd' }));
    raw += body.length;
    traces.push(Buffer.concat(inc.spans.flatMap((s) => { const l = Buffer.alloc(4); l.writeUInt32LE(s.bytes.length); return [l, s.bytes]; })));
  }
  const test = traces.slice(300); const testRaw = raw * 200 / 500;
  const run = (label: string, level: number, dictionary?: Buffer) => {
    let size = 0; let cpu = process.cpuUsage(); const outs: Buffer[] = [];
    for (const b of test) { const z = zstdCompressSync(b, { params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 }, ...(dictionary ? { dictionary } : {}) } as any); size += z.length; outs.push(z); }
    const c = process.cpuUsage(cpu); cpu = process.cpuUsage();
    for (const z of outs) zstdDecompressSync(z, (dictionary ? { dictionary } : {}) as any);
    const d = process.cpuUsage(cpu);
    console.log(`${name} ${label} (${dictionary?.length ?? 0} B) level ${level}: ${(size / testRaw * 100).toFixed(1)} %, ${((c.user + c.system) / test.length / 8).toFixed(0)} us/span enc, ${((d.user + d.system) / test.length).toFixed(0)} us dec`);
  };
  run('none', 9);
  const raw64 = Buffer.concat(traces.slice(0, 100)).subarray(0, 65536);
  for (const l of [3, 9]) run('raw 64k', l, raw64);
  for (const n of [64, 256]) for (const k of [3, 8]) for (const D of [6, 8]) {
    const t0 = process.cpuUsage(); const dict = train(traces.slice(0, n), 65536, k, D); const c = process.cpuUsage(t0);
    for (const l of [3, 6, 9]) run(`trained ${n} samples k=${k} D=${D} (${((c.user + c.system) / 1000).toFixed(0)} ms)`, l, dict);
  }
}
