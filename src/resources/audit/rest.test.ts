import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { ANONYMOUS, NOBODY, systemCaller } from '#domain/caller';
import { keyCaller, systemKeyCaller, userCaller } from '#domain/callers.fixture';
import { type AuditNote, writeAudit } from '#store/commands/audit';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { type AuditCommands, auditCommands } from './commands.ts';
import { auditPolicy } from './policy.ts';
import { auditRoutes } from './rest.ts';

let engine: TestEngine;
let commands: CommandCalls<AuditCommands>;
let app: FastifyInstance;

/** So many events by somebody, a second apart, with one refusal of a stranger. */
const COUNT = 2500;
const START_US = Date.parse('2026-11-22T12:00:00Z') * 1000;
const SECOND_US = 1_000_000;

beforeAll(async () => {
  engine = await openTestEngine();
  commands = remoteCommands(auditPolicy, runCommandsOn(engine, [auditCommands]));
  app = appOf(auditRoutes({ read: () => engine }, commands));
  const callers = [{ ...userCaller('admin', 7), address: '192.0.2.1' }, systemKeyCaller(), ANONYMOUS];
  const note = (index: number): AuditNote => ({
    object: { type: 'Secret', id: `KEY_${index % 5}`, name: `KEY_${index % 5}` },
    projectRowId: 1,
    changes: ['value'],
  });
  for (const [place, caller] of callers.entries()) {
    const indexes = Array.from({ length: COUNT }, (_, index) => index).filter((index) => index % 3 === place);
    const operation = `things.op${place}`;
    for (let from = 0; from < indexes.length; from += 500) {
      await writeAudit(engine.db, operation, caller, indexes.slice(from, from + 500).map(note));
    }
  }
  await engine.exec(`UPDATE audit_events SET occurred_at_us = ${START_US} + id * ${SECOND_US}`);
  await commands.recordRefusals(systemCaller('audit'), [
    {
      caller: { ...NOBODY, address: '198.51.100.7' },
      operation: 'spans.list',
      object: null,
      occurredAtUs: START_US + (COUNT + 1) * SECOND_US,
      count: 42,
    },
  ]);
});

type Event = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: readonly Event[];
  readonly next_cursor: string | null;
}

const get = async (query: string): Promise<Page> => (await app.inject(`/v1/audit_events?${query}`)).json<Page>();

/** All events that a query finds, page by page. */
async function all(query: string, limit = 1000): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await get(
      `limit=${limit}&${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(page.data.length).toBeLessThanOrEqual(limit);
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
}

const timeOf = (second: number) => encodeURIComponent(new Date(START_US / 1000 + second * 1000).toISOString());

describe('a list', () => {
  it('begins with the latest, and tells all of an event but values', async () => {
    const { data } = await get('limit=1');
    expect(data).toEqual([
      {
        id: formatGlobalId('AuditEvent', COUNT + 1),
        occurred_at: expect.any(String),
        outcome: 'refused',
        operation: 'spans.list',
        count: 42,
        caller_kind: 'nobody',
        caller_name: null,
        user_id: null,
        key_id: null,
        key_name: null,
        address: '198.51.100.7',
        object_type: null,
        object_id: null,
        object_name: null,
        project_id: null,
        changes: [],
      },
    ]);
    expect((await get('limit=1&caller_name=Ada')).data).toMatchObject([
      {
        outcome: 'done',
        operation: 'things.op0',
        count: 1,
        caller_kind: 'user',
        caller_name: 'Ada',
        user_id: formatGlobalId('User', 7),
        address: '192.0.2.1',
        object_type: 'Secret',
        object_name: expect.stringMatching(/^KEY_\d$/),
        project_id: formatGlobalId('Project', 1),
        changes: ['value'],
      },
    ]);
  });

  it.each([1000, 333])('goes through all of them in order, %i at once', async (limit) => {
    const events = await all('', limit);
    expect(events).toHaveLength(COUNT + 1);
    const times = events.map((event) => String(event['occurred_at']));
    expect(times).toEqual(times.toSorted().reverse());
    expect(new Set(events.map((event) => event['id'])).size).toBe(COUNT + 1);
  });

  it.each([
    ['operation=things.op1', 833],
    ['outcome=refused', 1],
    ['outcome=done', COUNT],
    ['caller_name=ci', 833],
    [`user_id=${formatGlobalId('User', 7)}`, 834],
    [`user_id=${formatGlobalId('User', 8)}`, 0],
    [`object_id=${formatGlobalId('Secret', 'KEY_3')}`, 500],
    [`object_id=${formatGlobalId('Secret', 'KEY_9')}`, 0],
    ['object_id=x', 0],
    [`start_time=${timeOf(11)}&end_time=${timeOf(21)}`, 10],
    [`operation=things.op0&object_id=${formatGlobalId('Secret', 'KEY_3')}&outcome=done`, 167],
  ])('is narrowed by %s', async (query, count) => {
    expect(await all(query, 300)).toHaveLength(count);
  });

  it.each([
    'outcome=perhaps',
    'limit=0',
    'limit=1001',
    'start_time=x',
    'cursor=x',
    'user_id=x',
    `user_id=${formatGlobalId('Project', 1)}`,
    `start_time=${timeOf(2)}&end_time=${timeOf(1)}`,
  ])('refuses %s', async (query) => {
    expect((await app.inject(`/v1/audit_events?${query}`)).statusCode).toBe(422);
  });
});

describe('an export', () => {
  const download = (query: string) => app.inject(`/v1/audit_events/export?${query}`);
  const inLog = () => engine.rows(`SELECT caller_kind, changes FROM audit_events WHERE operation = 'audit.export'`);

  it('holds all that is chosen as JSON lines, and is in the log itself', async () => {
    const before = (await inLog()).length;
    const { statusCode, headers, body } = await download('format=jsonl&operation=things.op1');
    expect(statusCode).toBe(200);
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'application/jsonl',
      'attachment; filename="audit-events.jsonl"',
    ]);
    const lines = body.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await all('operation=things.op1'));
    expect((await inLog()).slice(before)).toEqual([{ caller_kind: 'anonymous', changes: '["jsonl"]' }]);
  });

  it('is CSV with a header otherwise, longer than a page', async () => {
    const { headers, body } = await download('outcome=done&operation=');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(body).toBe(
      'id,occurred_at,outcome,operation,count,caller_kind,caller_name,user_id,key_id,key_name,address,object_type,object_id,object_name,project_id,changes\r\n',
    );
    const lines = (await download(`end_time=${timeOf(COUNT + 10)}`)).body.trimEnd().split('\r\n');
    expect(lines).toHaveLength(COUNT + 2);
    expect(lines[1]).toMatch(/,refused,spans.list,42,nobody,,,,,198.51.100.7,,,,,$/);
  });

  it('says by which key of a person something was done', async () => {
    await writeAudit(engine.db, 'things.byKey', keyCaller('member', null, 7), []);
    const known = { key_id: formatGlobalId('UserApiKey', 1), key_name: 'sender', caller_name: 'Ada' };
    expect(await all('operation=things.byKey')).toMatchObject([known]);
    expect(JSON.parse((await download('format=jsonl&operation=things.byKey')).body)).toMatchObject(known);
    const user = formatGlobalId('User', 7);
    expect((await download('operation=things.byKey')).body).toContain(`,user,Ada,${user},${known.key_id},sender,`);
  });

  it('runs no formula, and breaks no line', async () => {
    const names = ['=1+1', '+1', '-1', '@x', '\tx', 'a"b,c', 'two\nlines', 'plain'];
    const notes = names.map((name): AuditNote => ({ object: { type: 'Project', id: 1, name } }));
    await writeAudit(engine.db, 'things.named', ANONYMOUS, notes);
    const { body } = await download('operation=things.named');
    for (const cell of [`'=1+1`, `'+1`, `'-1`, `'@x`, `'\tx`, '"a""b,c"', '"two\nlines"', 'plain'])
      expect(body).toContain(`,${cell},`);
  });

  it('of a form that there is not is refused, and not in the log', async () => {
    const before = (await inLog()).length;
    expect((await download('format=xml')).statusCode).toBe(422);
    expect((await download('user_id=x')).statusCode).toBe(422);
    expect(await inLog()).toHaveLength(before);
  });
});

describe('old rows', () => {
  it('are deleted a bounded number at a time, the oldest first', async () => {
    const beforeUs = START_US + 1501 * SECOND_US;
    const prune = () => commands.prune(systemCaller('retention'), { beforeUs, limit: 1000 });
    expect([await prune(), await prune(), await prune()]).toEqual([1000, 500, 0]);
    const [oldest] = await engine.rows('SELECT min(occurred_at_us) AS at FROM audit_events');
    expect(oldest?.['at']).toBe(beforeUs);
  });

  it('can be deleted by nobody who is no administrator', async () => {
    await expect(
      commands.prune(userCaller('member'), { beforeUs: Number.MAX_SAFE_INTEGER, limit: 1 }),
    ).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
