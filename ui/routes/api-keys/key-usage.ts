/** What to paste so that a program uses a key. */

import { unusualGrpcPort } from '#base/grpc-port';

/**
 * The environment of a program that exports telemetry with the key.
 * @param url the server's address with its root path
 * @param with.grpcAddress `host:port` of OTLP over gRPC, which Phoenix's Python client prefers
 * @param with.project where a key that is limited to projects sends to
 */
export function exporterEnvironment(
  url: string,
  {
    key,
    grpcAddress,
    project,
  }: { readonly key: string; readonly grpcAddress: string; readonly project?: string | undefined },
): string {
  // As in the baggage header, spaces and the like are encoded.
  const headers = { authorization: `Bearer ${key}`, ...(project !== undefined && { 'x-project-name': project }) };
  const grpcPort = unusualGrpcPort(grpcAddress);
  const encoded = Object.entries(headers).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT="${url}"`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf"',
    `export OTEL_EXPORTER_OTLP_HEADERS="${encoded.join(',')}"`,
    '# The Phoenix clients read these instead:',
    `export PHOENIX_COLLECTOR_ENDPOINT="${url}"`,
    ...(grpcPort === undefined ? [] : [`export PHOENIX_GRPC_PORT="${grpcPort}"`]),
    `export PHOENIX_API_KEY="${key}"`,
    ...(project === undefined
      ? []
      : [`export PHOENIX_PROJECT_NAME="${project.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`]),
  ].join('\n');
}

/** A request with the key, as curl sends it. */
export function requestWithKey(url: string, key: string): string {
  return `curl "${url}/v1/user" --header "authorization: Bearer ${key}"`;
}
