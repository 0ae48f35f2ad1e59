import { expect, it } from 'vitest';
import { isAllowedRedirect } from './authorization.ts';

const REMOTE = 'https://agent.example.com/callback';
const LOCAL = 'http://127.0.0.1:4000/callback';

it.each([
  ['enabled', null, true],
  ['enabled', ['agent.example.com'], true],
  ['enabled', ['other.example.com'], false],
  // Applications that registered themselves before the setting do not come back by it.
  ['local_only', null, false],
  ['local_only', ['agent.example.com'], false],
  ['disabled', null, true],
] as const)(
  'with registration %s and hosts %j, an address of another machine is allowed: %s',
  (registration, hosts, isAllowed) => {
    const settings = { registration, redirectHosts: hosts };
    expect([isAllowedRedirect(REMOTE, settings), isAllowedRedirect(LOCAL, settings)]).toEqual([isAllowed, true]);
  },
);
