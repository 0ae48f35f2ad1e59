/** Opens one port on every address that the server is to be reached at. */
import { AppError, errorMessage } from '#base/errors';

/** Opens the port at one address and returns the port that it got. */
export type ListenAt = (address: string, port: number) => Promise<number>;

/**
 * Connections that may wait until the server takes them, where the system allows as many. Of more than wait, Linux resets some that
 * clients already count as open: a burst of 1,150 lost up to a hundred by Node's own bound of 511.
 */
export const BACKLOG = 4096;

/** How people call what listens, and the settings of its port and its address. */
export interface ListenerLabel {
  readonly label: string;
  readonly setting: string;
  /** The flag of the command line for the same. */
  readonly flag?: string;
  readonly hostSetting?: string;
}

/** Everything that a server may listen with. */
export const LISTENERS = {
  http: { label: 'HTTP', setting: 'SERVICE_PORT', flag: '--port' },
  grpc: { label: 'OTLP over gRPC', setting: 'SERVICE_GRPC_PORT', flag: '--grpc-port' },
  otlpHttp: { label: 'OTLP over HTTP', setting: 'SERVICE_OTLP_HTTP_PORT' },
  metrics: { label: 'metrics', setting: 'SERVICE_METRICS_PORT', hostSetting: 'SERVICE_METRICS_HOST' },
} as const satisfies Readonly<Record<string, ListenerLabel>>;

/**
 * Opens the port at all addresses; returns the port, which is a free one where 0 was asked. The first address must be
 * there; others are left out where the machine does not have them.
 * @throws AppError `failed_precondition` with what to do, when the port is taken or may not be opened
 */
export async function listenEverywhere(
  what: ListenerLabel,
  addresses: readonly string[],
  port: number,
  listenAt: ListenAt,
): Promise<number> {
  let bound = port;
  for (const [index, address] of addresses.entries()) {
    try {
      bound = await listenAt(address, bound);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (index > 0 && ABSENT_ADDRESS.has(code)) continue;
      throw new AppError('failed_precondition', refusal(what, address, bound, code, error), { cause: error });
    }
  }
  return bound;
}

const ABSENT_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

function refusal(
  { label, setting, flag, hostSetting = 'SERVICE_HOST' }: ListenerLabel,
  address: string,
  port: number,
  code: string,
  error: unknown,
): string {
  const means = flag === undefined ? setting : `${flag} or ${setting}`;
  const place = `Port ${port} for ${label} on ${address}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use: stop the program that uses it, or choose another port with ${means}.`;
    case 'EACCES':
      return `This user may not open ${place}: choose a port above 1023 with ${means}.`;
    case 'EADDRNOTAVAIL':
      return `${place} cannot be opened, because the address does not belong to this machine: change ${hostSetting}.`;
    default:
      return `${place} cannot be opened (${errorMessage(error)}): change ${hostSetting} or ${setting}.`;
  }
}
