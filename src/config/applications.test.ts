import { expect, it } from 'vitest';
import { deriveConfig } from './load.ts';

const ON = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: 'a-long-secret-of-this-test-0123456789' };
const derive = (env: Record<string, string> = {}) => deriveConfig({ ...ON, ...env }).config?.auth.applications;
const problemsOf = (env: Record<string, string>) =>
  deriveConfig({ ...ON, ...env }).problems.map(({ message }) => message);

it('lets applications in with authentication, for 90 days', () => {
  expect(derive()).toEqual({
    areEnabled: true,
    grantUs: 90 * 24 * 3600 * 1e6,
    checksOrigin: true,
    registration: 'enabled',
    redirectHosts: null,
    registrationsPerHour: 10,
    isEncrypted: false,
  });
  expect(derive({ SERVICE_ENABLE_AUTH: 'false' })?.areEnabled).toBe(false);
  expect(derive({ SERVICE_ENABLE_OAUTH2_AUTHORIZATION_SERVER: 'false' })?.areEnabled).toBe(false);
});

it('takes every setting, also by the name of Phoenix', () => {
  expect(
    derive({
      PHOENIX_OAUTH2_GRANT_EXPIRY_DAYS: '0.5',
      SERVICE_OAUTH2_CONSENT_ORIGIN_CHECK: 'OFF',
      SERVICE_OAUTH2_DYNAMIC_CLIENT_REGISTRATION: 'local_only',
      SERVICE_OAUTH2_ALLOWED_REDIRECT_HOSTS: 'App.example.com, other.example.com',
      SERVICE_OAUTH2_DCR_RATE_LIMIT_PER_HOUR: '3',
    }),
  ).toMatchObject({
    grantUs: 12 * 3600 * 1e6,
    checksOrigin: false,
    registration: 'local_only',
    redirectHosts: ['app.example.com', 'other.example.com'],
    registrationsPerHour: 3,
  });
});

it.each([
  ['GRANT_EXPIRY_DAYS', '0'],
  ['GRANT_EXPIRY_DAYS', '91'],
  ['CONSENT_ORIGIN_CHECK', 'maybe'],
  ['DYNAMIC_CLIENT_REGISTRATION', 'true'],
  ['ALLOWED_REDIRECT_HOSTS', 'https://app.example.com'],
  ['ALLOWED_REDIRECT_HOSTS', '*.example.com'],
  ['DCR_RATE_LIMIT_PER_HOUR', '0'],
])('refuses to start with SERVICE_OAUTH2_%s=%s', (name, value) => {
  expect(problemsOf({ [`SERVICE_OAUTH2_${name}`]: value })).toHaveLength(1);
});
