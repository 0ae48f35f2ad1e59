/** Commands that run beside each other behave as if one ran after the other: some order of them gives what each gave, and what is stored. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import type { RunCommand } from '#store/commands/remote-commands';
import { openPostgresServers } from '#store/engine/open-postgres-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { openSqliteTestEngine } from '#store/sqlite/open-test-engine.fixture';
import { describePostgres } from '../../test/harness/postgres/databases.ts';
import {
  ALL_COMMANDS,
  applyStep,
  FIRST_STEPS,
  noRowIds,
  NOTHING,
  type Outcome,
  readStored,
  type RowIds,
  runStep,
  STEP,
  type Step,
  type Stored,
} from './command-model.fixture.ts';

const TABLES = [
  'audit_events',
  'project_retention',
  'retention_policies',
  'model_prices',
  'annotation_configs',
  'projects',
];

/** Steps that begin together; with three of them, six orders are tried. */
const TOGETHER = fc.array(STEP, { minLength: 1, maxLength: 3 });

async function expectSomeOrder(servers: readonly TestEngine[], batches: readonly (readonly Step[])[]): Promise<void> {
  const [first] = servers;
  if (first === undefined) throw new Error('no server');
  for (const table of TABLES) await first.exec(`DELETE FROM ${table} ${KEPT[table] ?? ''}`);
  const runs = servers.map((server) => runCommandsOn(server, ALL_COMMANDS));
  const rowIds = noRowIds();
  let stored = NOTHING;
  for (const step of FIRST_STEPS) {
    expect(await runStep(runs[0] as RunCommand, step, rowIds)).toBe('done');
    ({ stored } = applyStep(stored, step));
  }
  for (const batch of batches) {
    const outcomes = await Promise.all(
      batch.map((step, index) => runStep(runs[index % runs.length] as RunCommand, step, rowIds)),
    );
    await nameConfigs(first, rowIds);
    const after = await readStored(first);
    const possible = ordersOf(batch).map((order) => inOrder(stored, batch, order));
    expect(possible).toContainEqual({ stored: after, outcomes });
    stored = after;
  }
}

const KEPT: Readonly<Record<string, string>> = {
  projects: 'WHERE id > 1',
  annotation_configs: `WHERE name <> 'user_feedback'`,
  retention_policies: 'WHERE id > 0',
};

/** What the batch comes to in that order: its steps mean the configs that had their names when all of them began. */
function inOrder(before: Stored, batch: readonly Step[], order: readonly number[]) {
  let stored = before;
  const names = new Map(before.configs.map((name) => [name, name]));
  const outcomes: Outcome[] = [];
  for (const place of order) {
    const step = batch[place] as Step;
    const applied = applyStep(stored, withConfigs(step, names));
    stored = applied.stored;
    outcomes[place] = applied.outcome;
    if (step.kind === 'renameConfig' && applied.outcome === 'done') names.set(step.name, step.to);
  }
  return { stored, outcomes };
}

/** The step with the present names of its configs. */
function withConfigs(step: Step, names: ReadonlyMap<string, string>): Step {
  const nameOf = (name: string) => names.get(name) ?? NO_CONFIG;
  switch (step.kind) {
    case 'renameConfig':
    case 'deleteConfig':
    case 'offer':
    case 'withdraw':
      return { ...step, name: nameOf(step.name) };
    case 'setOffered':
      return { ...step, names: step.names.map(nameOf) };
    default:
      return step;
  }
}

const NO_CONFIG = 'no config';

/** Learns which configs have which names: of two that were renamed beside each other, the database knows the last. */
async function nameConfigs({ rows }: TestEngine, { configs }: RowIds): Promise<void> {
  const present = await rows('SELECT id, name FROM annotation_configs');
  const ids = new Set(present.map(({ id }) => Number(id)));
  for (const [name, id] of configs) if (ids.has(id)) configs.delete(name);
  for (const { id, name } of present) configs.set(String(name), Number(id));
}

function ordersOf(batch: readonly unknown[]): readonly (readonly number[])[] {
  const places = [...batch.keys()];
  const extend = (order: readonly number[]): readonly (readonly number[])[] =>
    order.length === places.length
      ? [order]
      : places.filter((place) => !order.includes(place)).flatMap((place) => extend([...order, place]));
  return extend([]);
}

describe('commands on one server', () => {
  it('behave as if one ran after the other', async () => {
    const engine = await openSqliteTestEngine();
    onTestFinished(() => engine.close());
    await fc.assert(
      fc.asyncProperty(fc.array(TOGETHER, { maxLength: 6 }), (batches) => expectSomeOrder([engine], batches)),
      { numRuns: 60 },
    );
  });
});

describePostgres('commands on two servers', () => {
  it('behave as if one ran after the other', async () => {
    const servers = await openPostgresServers(2);
    await fc.assert(
      fc.asyncProperty(fc.array(TOGETHER, { maxLength: 6 }), (batches) => expectSomeOrder(servers, batches)),
      { numRuns: 25 },
    );
  });
});
