import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { exporterEnvironment } from './key-usage.ts';

const URL = 'http://127.0.0.1:6006/traces';
const grpcAddress = 'localhost:4317';

/** The variables as a shell has them that was given the lines. */
function readVariables(lines: string): Readonly<Record<string, string | undefined>> {
  const print = 'console.log(JSON.stringify(process.env))';
  const text = execFileSync('sh', ['-c', `${lines}\nexec "$0" -e "$1"`, process.execPath, print], { encoding: 'utf8' });
  return JSON.parse(text) as Record<string, string>;
}

it('names the server and the key, for exporters and for the Phoenix clients', () => {
  expect(readVariables(exporterEnvironment(URL, { key: 'a.key', grpcAddress }))).toMatchObject({
    OTEL_EXPORTER_OTLP_ENDPOINT: URL,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a.key',
    PHOENIX_COLLECTOR_ENDPOINT: URL,
    PHOENIX_API_KEY: 'a.key',
  });
});

it('names the gRPC port to the Phoenix clients where it is not the one that they expect', () => {
  const usual = readVariables(exporterEnvironment(URL, { key: 'a.key', grpcAddress }));
  expect(usual['PHOENIX_GRPC_PORT']).toBeUndefined();
  const other = readVariables(exporterEnvironment(URL, { key: 'a.key', grpcAddress: '[::1]:7001' }));
  expect(other['PHOENIX_GRPC_PORT']).toBe('7001');
});

it('names the project of a limited key, whatever it is called', () => {
  const project = 'say "hi", $HOME & `id` = 100% \\n';
  const variables = readVariables(exporterEnvironment(URL, { key: 'a.key', grpcAddress, project }));
  const headers = (variables['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',').map((header) => header.split('='));
  expect(headers.map(([name, value = '']) => [name, decodeURIComponent(value)])).toEqual([
    ['authorization', 'Bearer a.key'],
    ['x-project-name', project],
  ]);
  expect(variables['PHOENIX_PROJECT_NAME']).toBe(project);
});
