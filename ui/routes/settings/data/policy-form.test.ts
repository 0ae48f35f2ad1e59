import { expect, it } from 'vitest';
import { changeProjects, type EditedPolicy, OWN_SCHEDULE, readPolicy, writePolicy } from './policy-form.ts';

const POLICY: EditedPolicy = {
  id: 'R1',
  name: 'ninety',
  cron: '0 4 * * 1',
  rule: { maxDays: 90, maxCount: null },
  isDefault: false,
};

it('goes through the fields and comes out as it went in', () => {
  const text = writePolicy(POLICY);
  expect(text).toMatchObject({ days: '90', count: '', schedule: OWN_SCHEDULE, cron: '0 4 * * 1' });
  expect(readPolicy(text)).toEqual({
    input: { name: 'ninety', cronExpression: '0 4 * * 1', rule: { maxDays: { maxDays: 90 } } },
  });
  expect(writePolicy({ ...POLICY, cron: '0 0 * * 0' }).schedule).toBe('0 0 * * 0');
});

it('says which field is at fault', () => {
  const text = { ...writePolicy(undefined), name: 'a' };
  const faultOf = (change: Partial<typeof text>) => readPolicy({ ...text, ...change }).fault?.field;
  expect(faultOf({})).toBeUndefined();
  expect(faultOf({ name: ' ' })).toBe('name');
  expect(faultOf({ days: 'many' })).toBe('rule');
  expect(faultOf({ cron: 'never' })).toBeUndefined();
  expect(faultOf({ schedule: OWN_SCHEDULE, cron: '5 4 * * *' })).toBe('cron');
});

it('tells the projects that come from those that go', () => {
  expect(changeProjects([{ id: '1' }, { id: '2' }], [{ id: '2' }, { id: '3' }])).toEqual({
    addProjects: ['3'],
    removeProjects: ['1'],
  });
});
