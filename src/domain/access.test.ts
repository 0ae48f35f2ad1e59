import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Access, assertInReach, authorize, definePolicy, type Permission, refusalOf } from './access.ts';
import { ANONYMOUS, type Caller, type KeyLimits, NOBODY, systemCaller } from './caller.ts';
import { keyCaller, pendingCaller, systemKeyCaller, userCaller } from './callers.fixture.ts';

const CAN = definePolicy('things', {
  see: 'public',
  know: 'identify',
  rename: 'profile',
  read: 'read',
  send: 'ingest',
  change: 'write',
  keep: 'own',
  manage: 'admin',
  employ: 'accounts',
  readIn: { access: 'read', within: 'project' },
  sendTo: { access: 'ingest', within: 'project' },
  changeIn: { access: 'write', within: 'project' },
  manageIn: { access: 'admin', within: 'project' },
});

const mayUse = (caller: Caller): string =>
  Object.values(CAN)
    .filter((permission) => refusalOf(caller, permission) === null)
    .map(({ operation }) => operation.replace('things.', ''))
    .join(' ');

const VIEWER = 'see know rename read keep readIn';
const MEMBER = 'see know rename read send change keep readIn sendTo changeIn';
const ADMIN = Object.keys(CAN).join(' ');

const limits = (operations: KeyLimits['operations'], ...projects: number[]): KeyLimits => ({
  operations,
  projects: projects.length === 0 ? null : projects.map((rowId) => ({ rowId, name: `project ${rowId}` })),
});

describe('a caller may use', () => {
  it.each<[string, Caller, string]>([
    ['nobody', NOBODY, 'see'],
    ['a viewer', userCaller('viewer'), VIEWER],
    ['a member', userCaller('member'), MEMBER],
    ['an administrator', userCaller('admin'), ADMIN],
    ['an administrator who must change the password', pendingCaller('admin'), 'see know rename'],
    ['a key of the system', systemKeyCaller(), MEMBER],
    ['the secret of the administrator', { kind: 'admin_secret', role: 'admin', rowId: 1 }, ADMIN],
    ['a background job', systemCaller('retention'), ADMIN],
    [
      'everybody, while nobody is asked',
      ANONYMOUS,
      ADMIN.replace('rename ', '').replace('keep ', '').replace('employ ', ''),
    ],
    ['an administrator’s key', keyCaller('admin'), ADMIN],
    ['an administrator’s key to read', keyCaller('admin', limits('read')), 'see know read readIn'],
    ['a member’s key to ingest', keyCaller('member', limits('ingest')), 'see know send sendTo'],
    ['a viewer’s key to ingest', keyCaller('viewer', limits('ingest')), 'see know'],
    ['an administrator’s key of a project', keyCaller('admin', limits(null, 3)), 'see know readIn sendTo changeIn'],
    ['a viewer’s key of a project', keyCaller('viewer', limits(null, 3)), 'see know readIn'],
    ['the system’s key to read a project', systemKeyCaller(limits('read', 3)), 'see know readIn'],
    [
      'a key whose projects are gone',
      systemKeyCaller({ operations: null, projects: [] }),
      'see know readIn sendTo changeIn',
    ],
  ])('%s', (_who, caller, operations) => {
    expect(mayUse(caller)).toBe(operations);
  });
});

describe('projects', () => {
  const refusal = (caller: Caller, projectRowId: number | undefined) => {
    try {
      assertInReach(caller, projectRowId);
    } catch (error) {
      return error;
    }
    return null;
  };

  it('are out of reach of keys that are limited to others, whether or not they are there', () => {
    const caller = systemKeyCaller(limits(null, 3));
    expect(refusal(caller, 3)).toBeNull();
    const refused = {
      code: 'permission_denied',
      message: expect.stringMatching(/^This key is limited to the project "/),
    };
    expect(refusal(caller, 4)).toMatchObject(refused);
    expect(refusal(caller, undefined)).toEqual(refusal(caller, 4));
    const ofNone = systemKeyCaller({ operations: null, projects: [] });
    expect(refusal(ofNone, 3)).toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('deleted'),
    });
  });

  it('are named to keys of many as far as a line goes', () => {
    const projects = Array.from({ length: 7 }, (_, index) => ({ rowId: index + 1, name: `p${index}` }));
    expect(refusal(systemKeyCaller({ operations: null, projects }), 99)).toMatchObject({
      message: 'This key is limited to the projects "p0", "p1", "p2", "p3", "p4" and 2 more.',
    });
  });

  it('are in reach of everybody else', () => {
    for (const caller of [ANONYMOUS, userCaller('viewer'), systemKeyCaller(), keyCaller('member', limits('read'))]) {
      expect([refusal(caller, 3), refusal(caller, undefined)]).toEqual([null, null]);
    }
  });
});

describe('a refusal says', () => {
  it.each<[string, Caller, Permission, string, RegExp]>([
    ['that credentials are missing', NOBODY, CAN.read, 'unauthenticated', /not authenticated/],
    ['that viewers cannot', userCaller('viewer'), CAN.change, 'permission_denied', /^Viewers cannot/],
    ['that administrators can', userCaller('member'), CAN.manage, 'permission_denied', /^Only admin can/],
    ['that the password comes first', pendingCaller('admin'), CAN.read, 'permission_denied', /^Choose a new password/],
    [
      'what a key is for',
      systemKeyCaller(limits('ingest')),
      CAN.read,
      'permission_denied',
      /limited to .* send telemetry/,
    ],
    [
      'that a key is of projects',
      systemKeyCaller(limits(null, 3)),
      CAN.read,
      'permission_denied',
      /limited to some projects/,
    ],
    ['that authentication is off', ANONYMOUS, CAN.employ, 'permission_denied', /SERVICE_ENABLE_AUTH/],
  ])('%s', (_what, caller, permission, code, message) => {
    expect(() => authorize(caller, permission)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

it('only a policy makes a permission', () => {
  expectTypeOf<{
    readonly operation: string;
    readonly access: Access;
    readonly within: null;
  }>().not.toExtend<Permission>();
  expectTypeOf(CAN.read).toEqualTypeOf<Permission>();
});
