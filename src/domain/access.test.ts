import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Access, authorize, definePolicy, isAllowed, type Permission } from './access.ts';
import { ANONYMOUS, type Caller, NOBODY, type Role, systemCaller } from './caller.ts';

const CAN = definePolicy('things', { see: 'public', read: 'read', change: 'write', manage: 'admin' });

const user = (role: Role): Caller => ({ kind: 'user', role, rowId: 1, name: 'Ada' });

const mayUse = (caller: Caller): readonly string[] =>
  Object.values(CAN)
    .filter(({ access }) => isAllowed(caller, access))
    .map(({ operation }) => operation);

const ALL = ['things.see', 'things.read', 'things.change', 'things.manage'];

describe('a caller may use', () => {
  it.each<[string, Caller, number]>([
    ['nobody', NOBODY, 1],
    ['a viewer', user('viewer'), 2],
    ['a member', user('member'), 3],
    ['a key of the system', { kind: 'system_key', role: 'member', rowId: 1, name: 'ci' }, 3],
    ['an administrator', user('admin'), 4],
    ['a background job', systemCaller('retention'), 4],
    ['everybody, while nobody is asked', ANONYMOUS, 4],
  ])('%s', (_who, caller, count) => {
    expect(mayUse(caller)).toEqual(ALL.slice(0, count));
  });
});

describe('a refusal says', () => {
  it.each<[string, Caller, Permission, object]>([
    ['that credentials are missing', NOBODY, CAN.read, { code: 'unauthenticated', message: /not authenticated/ }],
    ['that viewers cannot', user('viewer'), CAN.change, { code: 'permission_denied', message: /^Viewers cannot/ }],
    ['that administrators can', user('member'), CAN.manage, { code: 'permission_denied', message: /^Only admin can/ }],
  ])('%s', (_what, caller, permission, { code, message }: { code?: string; message?: RegExp }) => {
    expect(() => authorize(caller, permission)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message ?? /./) }),
    );
  });
});

it('only a policy makes a permission', () => {
  expectTypeOf<{ readonly operation: string; readonly access: Access }>().not.toExtend<Permission>();
  expectTypeOf(CAN.read).toEqualTypeOf<Permission>();
});
