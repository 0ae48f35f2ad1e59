/** The command line of the benchmark. */
import { parseArgs } from 'node:util';
import { CACHE_FOLDER } from './cached-file.ts';
import type { Protocol } from './load.ts';
import { SHAPE_NAMES, type ShapeName } from './shapes.ts';

/** What to measure. */
export interface BenchArguments {
  readonly shapes: readonly ShapeName[];
  readonly protocols: readonly Protocol[];
  readonly engine: EngineName;
  readonly databases: readonly DatabaseState[];
  /** Runs of each kind, of which the median counts. */
  readonly repeat: number;
  /** Spans that the full database holds. */
  readonly prefillCount: number;
  /** Where filled databases are kept. */
  readonly cache: string;
  readonly isQuick: boolean;
  readonly isProfiling: boolean;
}

/** What keeps the data. */
export type EngineName = (typeof ENGINES)[number];

/** What the server begins with. */
export type DatabaseState = (typeof DATABASE_STATES)[number];

const ENGINES = ['sqlite', 'postgres'] as const;
const DATABASE_STATES = ['empty', 'full'] as const;
const PROTOCOLS = ['http', 'grpc'] as const;

/** How to use the benchmark. */
export const USAGE = `npm run bench:ingest -- [options]

  --shapes a,b      ${SHAPE_NAMES.join(', ')}; all
  --protocols a,b   ${PROTOCOLS.join(', ')}; both, with --quick http
  --engine E        ${ENGINES.join(', ')}; sqlite. With postgres a cluster of its own is started for each run
  --databases a,b   ${DATABASE_STATES.join(', ')}; both, with postgres ${DATABASE_STATES[0]} alone
  --repeat N        runs of each kind, of which the median counts; 3
  --prefill N       spans that the full database holds; 1000000
  --cache FOLDER    where filled databases are kept; ${CACHE_FOLDER}
  --quick           few spans, once, into a database of 20000: a minute, for a look
  --profile         once, with a profile of the server's CPU; compare no numbers with those of other runs`;

/** Reads the arguments. @throws Error that says which is wrong */
export function parseArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      shapes: { type: 'string' },
      protocols: { type: 'string' },
      engine: { type: 'string', default: ENGINES[0] },
      databases: { type: 'string' },
      repeat: { type: 'string' },
      prefill: { type: 'string' },
      cache: { type: 'string', default: CACHE_FOLDER },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const isOnce = values.quick || values.profile;
  const [engine = ENGINES[0]] = parseNames('--engine', values.engine, ENGINES);
  const states = engine === 'postgres' ? (['empty'] as const) : DATABASE_STATES;
  return {
    shapes: parseNames('--shapes', values.shapes, SHAPE_NAMES),
    protocols: parseNames('--protocols', values.protocols ?? (values.quick ? 'http' : undefined), PROTOCOLS),
    engine,
    databases: parseNames('--databases', values.databases, states),
    repeat: parseCount('--repeat', values.repeat ?? (isOnce ? '1' : '3')),
    prefillCount: parseCount('--prefill', values.prefill ?? (values.quick ? '20000' : '1000000')),
    cache: values.cache,
    isQuick: values.quick,
    isProfiling: values.profile,
  };
}

function parseNames<Name extends string>(
  flag: string,
  text: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (text === undefined) return known;
  return text.split(',').map((given) => {
    const name = known.find((one) => one === given);
    if (name === undefined) throw new Error(`${flag} takes ${known.join(', ')}, not ${given}.`);
    return name;
  });
}

function parseCount(flag: string, text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new Error(`${flag} takes a whole number from 1 on, not ${text}.`);
  return Number(text);
}
