/**
 * Measures what stored spans take on disk: `npm run bench:disk`. What it does and what came out is in docs/performance.md.
 * @see docs/performance.md
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { DISK_SHAPES, type DiskShape, type DiskShapeName, diskRequests } from './disk/disk-shapes.ts';
import { type SpaceLine, SPACE_LINES, toLines } from './disk/space.ts';
import { openHttpExporter } from './http-exporter.ts';
import { startOnPostgres } from './on-postgres.ts';
import { startOnSqlite } from './on-sqlite.ts';
import { waitUntilCaughtUp } from './query/open-month.ts';

const USAGE = `npm run bench:disk -- [options]

  --shapes a,b    ${Object.keys(DISK_SHAPES).join(', ')}; all
  --engine E      sqlite, postgres; sqlite
  --spans N       spans of each shape; ${Object.values(DISK_SHAPES)
    .map(({ spanCount }) => spanCount)
    .join(', ')}
  --late N        seconds after loading at which it is measured again; 120`;

/** Requests that are under way at a time. */
const EXPORTERS = 4;

interface Arguments {
  readonly shapes: readonly DiskShapeName[];
  readonly start: typeof startOnSqlite;
  readonly spanCount: number | undefined;
  readonly lateSeconds: number;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      shapes: { type: 'string', default: Object.keys(DISK_SHAPES).join(',') },
      engine: { type: 'string', default: 'sqlite' },
      spans: { type: 'string' },
      late: { type: 'string', default: '120' },
    },
  });
  const wholeNumber = (text: string) => {
    if (!/^\d{1,8}$/.test(text)) throw new Error(`${text} is not a whole number`);
    return Number(text);
  };
  const start = { sqlite: startOnSqlite, postgres: startOnPostgres }[values.engine];
  if (start === undefined) throw new Error(`there is no engine ${values.engine}`);
  const shapes = values.shapes.split(',').map((name) => {
    if (!Object.hasOwn(DISK_SHAPES, name)) throw new Error(`there is no shape ${name}`);
    return name as DiskShapeName;
  });
  return {
    shapes,
    start,
    spanCount: values.spans === undefined ? undefined : wholeNumber(values.spans),
    lateSeconds: wholeNumber(values.late),
  };
}

/** Sends the spans; returns their bytes. */
async function load(url: string, shape: DiskShape, spanCount: number): Promise<number> {
  const requests = diskRequests(shape, spanCount);
  let rawBytes = 0;
  const send = async () => {
    const exporter = await openHttpExporter(url);
    // One generator for all: each takes the next request when its own is answered.
    for (let next = requests.next(); !next.done; next = requests.next()) {
      rawBytes += next.value.length;
      await exporter.send(next.value);
    }
    exporter.close();
  };
  await Promise.all(Array.from({ length: EXPORTERS }, send));
  return rawBytes;
}

async function measure(name: DiskShapeName, { start, spanCount, lateSeconds }: Arguments): Promise<string> {
  const shape: DiskShape = DISK_SHAPES[name];
  const measured = await start({ base: undefined, nodeOptions: [] });
  const columns: { readonly title: string; readonly lines: ReadonlyMap<SpaceLine, number> }[] = [];
  const look = async (title: string) => void columns.push({ title, lines: toLines(await measured.measureSpace()) });
  try {
    await look('empty');
    const count = spanCount ?? shape.spanCount;
    const rawBytes = await load(measured.server.httpUrl, shape, count);
    await look('after loading');
    await sleep(lateSeconds * 1000);
    await look(`${lateSeconds} s later`);
    await waitUntilCaughtUp(measured.server.httpUrl);
    await look('settled');
    const [, ...shown] = columns;
    const percent = (bytes: number) => `${((bytes / rawBytes) * 100).toFixed(1)} %`;
    const sum = (lines: ReadonlyMap<SpaceLine, number>) =>
      [...lines.values()].reduce((total, bytes) => total + bytes, 0);
    const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    return [
      `${name}: ${count.toLocaleString('en')} spans (${shape.description}), ${(rawBytes / 1e6).toFixed(1)} MB of OTLP; target ${shape.targetPercent} %, empty ${(sum(columns[0]?.lines ?? new Map()) / 1e6).toFixed(1)} MB`,
      '',
      row(['of the raw bytes', ...shown.map(({ title }) => title)]),
      row(['---', ...shown.map(() => '---:')]),
      ...SPACE_LINES.map((line) => row([line, ...shown.map(({ lines }) => percent(lines.get(line) ?? 0))])),
      row(['everything', ...shown.map(({ lines }) => percent(sum(lines)))]),
      '',
    ].join('\n');
  } finally {
    await measured.server.stop();
    await measured.remove();
  }
}

let given: Arguments;
try {
  given = readArguments();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
ensureBuilt(process.execPath);
for (const shape of given.shapes) console.log(await measure(shape, given));
