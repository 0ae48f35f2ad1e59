import { expect, it } from 'vitest';
import { slashesInNames } from './slashes-in-names.ts';

const encode = slashesInNames(
  [
    '/v1/projects',
    '/v1/projects/{project_identifier}',
    '/v1/projects/{project_identifier}/spans',
    '/v1/projects/{project_identifier}/spans/otlpv1',
    '/v1/projects/{project_identifier}/annotation_configs/{config_identifier}',
    '/v1/projects/{project_identifier}/bulk_actions/{bulk_action_id}',
    '/v1/sessions/delete',
    '/v1/sessions/{session_identifier}',
    '/v1/spans/{span_identifier}/original',
  ].map((path) => ({ path })),
);

it.each([
  ['/v1/projects/org/app', '/v1/projects/org%2Fapp'],
  ['/v1/projects/org/app/v2/spans?limit=1&name=a/b?c', '/v1/projects/org%2Fapp%2Fv2/spans?limit=1&name=a/b?c'],
  ['/v1/projects/org/app/spans/otlpv1', '/v1/projects/org%2Fapp/spans/otlpv1'],
  ['/v1/projects/a/b/annotation_configs/c/d', '/v1/projects/a%2Fb/annotation_configs/c%2Fd'],
  ['/v1/projects/a/b/bulk_actions/7', '/v1/projects/a%2Fb/bulk_actions/7'],
  ['/v1/sessions/user/1', '/v1/sessions/user%2F1'],
])('encodes the slashes of names in %s', (url, encoded) => {
  expect(encode(url)).toBe(encoded);
});

it.each([
  '/v1/projects',
  '/v1/projects/',
  '/v1/projects/app',
  '/v1/projects/app/',
  '/v1/projects/app/spans',
  '/v1/projects/org%2Fapp/spans',
  '/v1/projects/app/annotation_configs/tone',
  '/v1/sessions/delete',
  '/v1/spans/a/b/original',
  '/projects/a/b',
  `/v1/projects/a/${'b'.repeat(5000)}`,
])('leaves %s as it is', (url) => {
  expect(encode(url)).toBe(url);
});

it('reads hostile addresses in time', () => {
  const url = `/v1/projects/${'a/annotation_configs/'.repeat(190)}`;
  const start = process.threadCpuUsage().user;
  for (let round = 0; round < 100; round += 1) encode(url);
  expect(process.threadCpuUsage().user - start).toBeLessThan(2_000_000);
});
