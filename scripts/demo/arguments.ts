import { parseArgs } from 'node:util';
import { type Destination, SendError, tracesUrl } from './send.ts';
import type { WeekOptions } from './week.ts';

export interface DemoArguments extends WeekOptions, Destination {}

export const HELP = `Fills a running server with a believable week of agent traffic.

Usage: npm run demo -- [address] [options]

  address, --url   Server address (default http://localhost:6006, or the port in SERVICE_PORT)
  --key KEY        API key, for a server with authentication on (default CAIRN_API_KEY, then PHOENIX_API_KEY)
  --days N         How many days back the traffic goes, 1 to 90 (default 7)
  --scale N        How busy the services are, 0.01 to 100 (default 1)
  --seed TEXT      Another seed gives other traffic (default demo)
  --until TIME     End of the period, such as 2026-11-20T18:00Z (default now); rounded down to the hour
  --help           Show this text

The same seed gives the same traces with the same ids: a second run adds only what happened since the first.
`;

/**
 * The options, or `help` when the user asks for it.
 * @throws SendError with a line that says what to write instead.
 */
export function parseDemoArguments(
  args: readonly string[],
  nowMs = Date.now(),
  env: Readonly<Record<string, string | undefined>> = process.env,
): DemoArguments | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  if (positionals.length > 1)
    throw new SendError(`One address is enough; "${positionals[1]}" is too much. See --help.`);
  const untilMs = values.until === undefined ? nowMs : Date.parse(values.until);
  if (Number.isNaN(untilMs)) throw new SendError(`--until "${values.until}" is not a time such as 2026-11-20T18:00Z.`);
  return {
    url: tracesUrl(positionals[0] ?? values.url ?? `http://localhost:${env['SERVICE_PORT'] || 6006}`),
    key: parseKey(values.key ?? (env['CAIRN_API_KEY'] || env['PHOENIX_API_KEY'])),
    seed: values.seed,
    days: parseNumber('--days', values.days, 1, 90),
    scale: parseNumber('--scale', values.scale, 0.01, 100),
    untilMs,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        days: { type: 'string', default: '7' },
        scale: { type: 'string', default: '1' },
        seed: { type: 'string', default: 'demo' },
        until: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new SendError(`${error instanceof Error ? error.message : String(error)} See --help.`);
  }
}

/** What no header can hold is refused without showing it. */
function parseKey(text = ''): string | null {
  const key = text.trim();
  if (/[^\x21-\x7e]/.test(key)) throw new SendError('An API key is one word of ASCII characters. See --help.');
  return key === '' ? null : key;
}

function parseNumber(option: string, text: string, low: number, high: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= low && value <= high))
    throw new SendError(`${option} must be a number from ${low} to ${high}, not "${text}".`);
  return value;
}
