import { expect, it } from 'vitest';
import { findNearestName } from './nearest-name.ts';

const NAMES = ['HOST', 'PORT', 'GRPC_PORT', 'OTLP_MAX_BYTES', 'WORKING_DIR'];

it.each([
  ['PROT', 'PORT'],
  ['PRT', 'PORT'],
  ['PPORT', 'PORT'],
  ['HOSTS', 'HOST'],
  ['GPRC_PORT', 'GRPC_PORT'],
  ['OTLP_MAXIMUM_BYTE', undefined],
  ['OTLP_MAX_BYTE', 'OTLP_MAX_BYTES'],
  ['WORKIN_DR', 'WORKING_DIR'],
  ['NAME', undefined],
])('%s is nearest to %s', (name, nearest) => {
  expect(findNearestName(name, NAMES)).toBe(nearest);
});
