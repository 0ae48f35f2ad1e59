import { describe, expect, it } from 'vitest';
import { openTestEngine } from './open-test-engine.fixture.ts';

describe('changing many rows', () => {
  it('changes each by its key, and no others', async () => {
    const { bulkUpdate, rows } = await openTestEngine();
    await bulkUpdate('row_ids', [
      { table_name: 'spans', next_id: 7 },
      { table_name: 'blocks', next_id: 9 },
      { table_name: 'nothing', next_id: 11 },
    ]);
    expect(await rows('SELECT table_name, next_id FROM row_ids ORDER BY table_name')).toEqual([
      { table_name: 'blocks', next_id: 9 },
      { table_name: 'log_records', next_id: 1 },
      { table_name: 'sessions', next_id: 1 },
      { table_name: 'spans', next_id: 7 },
      { table_name: 'traces', next_id: 1 },
    ]);
  });

  it('sets, adds, and takes the lesser or the greater', async () => {
    const { bulkInsert, bulkUpdate, rows } = await openTestEngine();
    const sums = { error_count: 0, prompt_tokens: 0, completion_tokens: 0, cost_nanousd: 0 };
    const session = (id: number) => ({ id, project_id: 1, session_id: `s${id}`, start_us: 10, end_us: 20 });
    await bulkInsert('sessions', [
      { ...session(1), trace_count: 1, ...sums },
      { ...session(2), trace_count: 5, ...sums },
    ]);
    await bulkUpdate(
      'sessions',
      [
        { id: 2, session_id: 'a "b", {c} \\ d', trace_count: -2, start_us: 12, end_us: 25 },
        { id: 1, session_id: 'NULL', trace_count: 3, start_us: 4, end_us: 5 },
      ],
      { trace_count: 'add', start_us: 'least', end_us: 'greatest' },
    );
    expect(await rows('SELECT id, session_id, trace_count, start_us, end_us FROM sessions ORDER BY id')).toEqual([
      { id: 1, session_id: 'NULL', trace_count: 4, start_us: 4, end_us: 20 },
      { id: 2, session_id: 'a "b", {c} \\ d', trace_count: 3, start_us: 10, end_us: 25 },
    ]);
  });

  it('sets null, and has nothing to do without rows', async () => {
    const { bulkUpdate, rows } = await openTestEngine();
    await bulkUpdate('projects', [{ id: 1, description: 'told' }]);
    await bulkUpdate('projects', [{ id: 1, description: null }]);
    await bulkUpdate('projects', []);
    expect(await rows('SELECT description FROM projects')).toEqual([{ description: null }]);
  });
});
