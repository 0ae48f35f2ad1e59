/** What commands of projects, retention, prices and annotation configs come to, said plainly: the model that the database is compared with. */
import fc from 'fast-check';
import { AppError } from '#base/errors';
import { ANONYMOUS } from '#domain/caller';
import { DEFAULT_POLICY_ROW_ID } from '#domain/retention';
import { remoteCommands, type RunCommand } from '#store/commands/remote-commands';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { type AnnotationConfigCommands, annotationConfigCommands } from './annotation-configs/commands.ts';
import { annotationConfigPolicy } from './annotation-configs/policy.ts';
import { type ModelCommands, modelCommands } from './models/commands.ts';
import { modelPolicy } from './models/policy.ts';
import { type ProjectCommands, projectCommands } from './projects/commands.ts';
import { projectPolicy } from './projects/policy.ts';
import { type RetentionCommands, retentionCommands } from './retention/commands.ts';
import { retentionPolicy } from './retention/policy.ts';

/** All of them, as the writer's thread has them. */
export const ALL_COMMANDS = [projectCommands, retentionCommands, modelCommands, annotationConfigCommands];

/** One command, with things named by small numbers: row ids are the database's. */
export type Step =
  | { readonly kind: 'createProject'; readonly name: string }
  | { readonly kind: 'describeProject'; readonly name: string; readonly description: string }
  | { readonly kind: 'createPolicy'; readonly name: string; readonly projects: readonly string[] }
  | {
      readonly kind: 'patchPolicy';
      readonly name: string;
      readonly cron: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: 'deletePolicy'; readonly name: string }
  | { readonly kind: 'assign'; readonly name: string; readonly project: string }
  | { readonly kind: 'createPrice'; readonly name: string; readonly pattern: string }
  | { readonly kind: 'deletePrice'; readonly name: string }
  | { readonly kind: 'createConfig'; readonly name: string }
  | { readonly kind: 'renameConfig'; readonly name: string; readonly to: string }
  | { readonly kind: 'deleteConfig'; readonly name: string }
  | { readonly kind: 'offer' | 'withdraw'; readonly name: string; readonly project: string }
  | { readonly kind: 'setOffered'; readonly names: readonly string[]; readonly project: string };

/** What is stored, by names. */
export interface Stored {
  /** Description by name. */
  readonly projects: Readonly<Record<string, string | null>>;
  /** Schedule by name. */
  readonly policies: Readonly<Record<string, string>>;
  /** Name of the policy by that of the project. */
  readonly assigned: Readonly<Record<string, string>>;
  /** Pattern by name. */
  readonly prices: Readonly<Record<string, string>>;
  /** Names of configs. */
  readonly configs: readonly string[];
  /** `<project> <config>`. */
  readonly offered: readonly string[];
  /** How many changes the log of who did what tells of. */
  readonly eventCount: number;
}

/** What a step gave: whether it was done, or why not. */
export type Outcome = 'done' | AppError['code'];

/** Row ids by name, as they were given: a thing that is gone keeps its number, which nothing else gets. */
export interface RowIds {
  readonly projects: Map<string, number>;
  readonly policies: Map<string, number>;
  readonly prices: Map<string, number>;
  readonly configs: Map<string, number>;
}

/** None yet. */
export function noRowIds(): RowIds {
  return { projects: new Map(), policies: new Map(), prices: new Map(), configs: new Map() };
}

const CRON = '0 3 * * *';

/** What the step makes of what is stored, if it runs alone. */
export function applyStep(stored: Stored, step: Step): { readonly stored: Stored; readonly outcome: Outcome } {
  const done = (change: Partial<Stored>) => ({
    stored: { ...stored, ...change, eventCount: stored.eventCount + 1 },
    outcome: 'done' as const,
  });
  const refused = (outcome: AppError['code']) => ({ stored, outcome });
  const { projects, policies, assigned, prices, configs, offered } = stored;
  switch (step.kind) {
    case 'createProject':
      if (step.name in projects) return refused('already_exists');
      return done({ projects: { ...projects, [step.name]: null } });
    case 'describeProject':
      if (!(step.name in projects)) return refused('not_found');
      return done({ projects: { ...projects, [step.name]: step.description } });
    case 'createPolicy':
      if (step.name in policies) throw new Error('a test makes each policy once');
      if (step.projects.some((project) => !(project in projects))) return refused('not_found');
      return done({
        policies: { ...policies, [step.name]: CRON },
        assigned: { ...assigned, ...Object.fromEntries(step.projects.map((project) => [project, step.name])) },
      });
    case 'patchPolicy': {
      if (step.added.some((project) => step.removed.includes(project))) return refused('invalid_argument');
      if (!(step.name in policies)) return refused('not_found');
      if ([...step.added, ...step.removed].some((project) => !(project in projects))) return refused('not_found');
      const after: Record<string, string> = { ...assigned };
      for (const project of step.added) after[project] = step.name;
      for (const project of step.removed) if (after[project] === step.name) delete after[project];
      return done({ policies: { ...policies, [step.name]: step.cron }, assigned: after });
    }
    case 'deletePolicy': {
      if (!(step.name in policies)) return refused('not_found');
      const { [step.name]: _, ...left } = policies;
      const kept = Object.entries(assigned).filter(([, policy]) => policy !== step.name);
      return done({ policies: left, assigned: Object.fromEntries(kept) });
    }
    case 'assign':
      if (!(step.name in policies) || !(step.project in projects)) return refused('not_found');
      return done({ assigned: { ...assigned, [step.project]: step.name } });
    case 'createPrice':
      if (step.name in prices || Object.values(prices).includes(step.pattern)) return refused('already_exists');
      return done({ prices: { ...prices, [step.name]: step.pattern } });
    case 'deletePrice': {
      if (!(step.name in prices)) return refused('not_found');
      const { [step.name]: _, ...left } = prices;
      return done({ prices: left });
    }
    case 'createConfig':
      if (configs.includes(step.name)) return refused('already_exists');
      return done({ configs: [...configs, step.name].toSorted() });
    case 'renameConfig': {
      if (!configs.includes(step.name)) return refused('not_found');
      if (step.to !== step.name && configs.includes(step.to)) return refused('already_exists');
      const renamed = (name: string) => (name === step.name ? step.to : name);
      const pairs = offered.map((pair) => pair.split(' ')).map(([project, name = '']) => `${project} ${renamed(name)}`);
      return done({ configs: configs.map(renamed).toSorted(), offered: pairs.toSorted() });
    }
    case 'deleteConfig':
      if (!configs.includes(step.name)) return refused('not_found');
      return done({
        configs: configs.filter((name) => name !== step.name),
        offered: offered.filter((pair) => !pair.endsWith(` ${step.name}`)),
      });
    case 'offer': {
      const pair = `${step.project} ${step.name}`;
      if (!(step.project in projects) || !configs.includes(step.name)) return refused('not_found');
      if (offered.includes(pair)) return refused('already_exists');
      return done({ offered: [...offered, pair].toSorted() });
    }
    case 'withdraw': {
      const pair = `${step.project} ${step.name}`;
      if (!offered.includes(pair)) return refused('not_found');
      return done({ offered: offered.filter((one) => one !== pair) });
    }
    case 'setOffered': {
      if (!(step.project in projects)) return refused('not_found');
      if (step.names.some((name) => !configs.includes(name))) return refused('invalid_argument');
      const others = offered.filter((pair) => !pair.startsWith(`${step.project} `));
      return done({ offered: [...others, ...step.names.map((name) => `${step.project} ${name}`)].toSorted() });
    }
  }
}

/** Runs the step on a server. */
export async function runStep(run: RunCommand, step: Step, rowIds: RowIds): Promise<Outcome> {
  const projects = remoteCommands<ProjectCommands>(projectPolicy, run);
  const retention = remoteCommands<RetentionCommands>(retentionPolicy, run);
  const models = remoteCommands<ModelCommands>(modelPolicy, run);
  const configs = remoteCommands<AnnotationConfigCommands>(annotationConfigPolicy, run);
  const configId = (name: string) => rowIds.configs.get(name) ?? NOWHERE;
  const projectIds = (names: readonly string[]) => names.map((name) => rowIds.projects.get(name) ?? NOWHERE);
  const policyId = (name: string) => rowIds.policies.get(name) ?? NOWHERE;
  const rule = { maxDays: 7, maxCount: null };
  try {
    switch (step.kind) {
      case 'createProject':
        rowIds.projects.set(step.name, (await projects.create(ANONYMOUS, { name: step.name })).rowId);
        break;
      case 'describeProject': {
        const [rowId = NOWHERE] = projectIds([step.name]);
        await projects.patch(ANONYMOUS, { rowId, description: step.description });
        break;
      }
      case 'createPolicy': {
        const input = { name: step.name, cron: CRON, rule, projectRowIds: projectIds(step.projects) };
        rowIds.policies.set(step.name, (await retention.create(ANONYMOUS, input)).rowId);
        break;
      }
      case 'patchPolicy': {
        const [added, removed] = [projectIds(step.added), projectIds(step.removed)];
        await retention.patch(ANONYMOUS, { rowId: policyId(step.name), cron: step.cron, added, removed });
        break;
      }
      case 'deletePolicy':
        await retention.delete(ANONYMOUS, policyId(step.name));
        break;
      case 'assign':
        await retention.assign(ANONYMOUS, {
          rowId: policyId(step.name),
          projectRowIds: projectIds([step.project]),
        });
        break;
      case 'createPrice': {
        const prices = [
          { tokenType: 'input', isPrompt: true, perMillionTokens: 1 },
          { tokenType: 'output', isPrompt: false, perMillionTokens: 1 },
        ];
        const price = await models.create(ANONYMOUS, { name: step.name, namePattern: step.pattern, prices });
        rowIds.prices.set(step.name, price.rowId);
        break;
      }
      case 'deletePrice':
        await models.delete(ANONYMOUS, rowIds.prices.get(step.name) ?? NOWHERE);
        break;
      case 'createConfig':
        rowIds.configs.set(step.name, (await configs.create(ANONYMOUS, configNamed(step.name))).rowId);
        break;
      case 'renameConfig': {
        const rowId = configId(step.name);
        await configs.update(ANONYMOUS, { rowId, content: configNamed(step.to) });
        if (step.to !== step.name) rowIds.configs.delete(step.name);
        rowIds.configs.set(step.to, rowId);
        break;
      }
      case 'deleteConfig':
        await configs.delete(ANONYMOUS, [configId(step.name)]);
        break;
      case 'offer':
      case 'withdraw': {
        const [projectRowId = NOWHERE] = projectIds([step.project]);
        const change = step.kind === 'offer' ? configs.assign : configs.unassign;
        const assignments = [{ projectRowId, configRowId: configId(step.name) }];
        await change(ANONYMOUS, { assignments, isRepeatable: false });
        break;
      }
      case 'setOffered': {
        const [projectRowId = NOWHERE] = projectIds([step.project]);
        await configs.replaceOfProject(ANONYMOUS, { projectRowId, configRowIds: step.names.map(configId) });
        break;
      }
    }
    return 'done';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

function configNamed(name: string) {
  const bounds = { lowerBound: 0, upperBound: 1 };
  return { kind: 'CONTINUOUS', name, description: null, isStrict: false, direction: 'NONE', ...bounds } as const;
}

/** A row id that no row has. */
const NOWHERE = 999_999;

/** What a database holds. */
export async function readStored({ rows }: Pick<TestEngine, 'rows'>): Promise<Stored> {
  const recordOf = async <Value>(query: string) =>
    Object.fromEntries((await rows(query)).map(({ name, value }) => [name, value])) as Record<string, Value>;
  return {
    projects: await recordOf(`SELECT name, description AS value FROM projects WHERE id > 1 ORDER BY name`),
    policies: await recordOf(
      `SELECT name, cron AS value FROM retention_policies WHERE id <> ${DEFAULT_POLICY_ROW_ID} ORDER BY name`,
    ),
    // An assignment whose policy is gone would be one of nothing.
    assigned: await recordOf(`SELECT projects.name, retention_policies.name AS value FROM project_retention
      LEFT JOIN projects ON projects.id = project_id LEFT JOIN retention_policies ON retention_policies.id = policy_id`),
    prices: await recordOf(`SELECT name, name_pattern AS value FROM model_prices WHERE deleted_at_us IS NULL`),
    configs: (await rows(`SELECT name FROM annotation_configs WHERE name <> 'user_feedback' ORDER BY name`)).map(
      (row) => String(row['name']),
    ),
    offered: (
      await rows(`SELECT projects.name AS project, annotation_configs.name AS config FROM project_annotation_configs
        LEFT JOIN projects ON projects.id = project_id LEFT JOIN annotation_configs ON annotation_configs.id = config_id`)
    )
      .map((row) => `${String(row['project'])} ${String(row['config'])}`)
      .toSorted(),
    eventCount: (await rows('SELECT id FROM audit_events')).length,
  };
}

const NAMES = ['a', 'b', 'c'];
const name = fc.constantFrom(...NAMES);
const names = fc.uniqueArray(name, { maxLength: 3 });

/** Any step; a policy is made once under its name, which nothing in the database demands. */
export const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('createProject' as const), name }),
  fc.record({ kind: fc.constant('describeProject' as const), name, description: fc.constantFrom('x', 'y') }),
  fc.record({ kind: fc.constant('createPolicy' as const), name: fc.uuid(), projects: names }),
  fc.record({
    kind: fc.constant('patchPolicy' as const),
    name,
    cron: fc.constantFrom('0 1 * * *', '0 2 * * *'),
    added: names,
    removed: names,
  }),
  fc.record({ kind: fc.constant('deletePolicy' as const), name }),
  fc.record({ kind: fc.constant('assign' as const), name, project: name }),
  fc.record({ kind: fc.constant('createPrice' as const), name, pattern: fc.constantFrom('p', 'q') }),
  fc.record({ kind: fc.constant('deletePrice' as const), name }),
  fc.record({ kind: fc.constant('createConfig' as const), name }),
  fc.record({ kind: fc.constant('renameConfig' as const), name, to: name }),
  fc.record({ kind: fc.constant('deleteConfig' as const), name }),
  fc.record({ kind: fc.constantFrom('offer' as const, 'withdraw' as const), name, project: name }),
  fc.record({ kind: fc.constant('setOffered' as const), names, project: name }),
);

/** What each test begins with: two projects, three policies and two configs that steps can name. */
export const FIRST_STEPS: readonly Step[] = [
  { kind: 'createProject', name: 'a' },
  { kind: 'createProject', name: 'b' },
  { kind: 'createPolicy', name: 'a', projects: ['a'] },
  { kind: 'createPolicy', name: 'b', projects: [] },
  { kind: 'createPolicy', name: 'c', projects: ['b'] },
  { kind: 'createConfig', name: 'a' },
  { kind: 'createConfig', name: 'b' },
  { kind: 'offer', name: 'a', project: 'a' },
];

/** Nothing. */
export const NOTHING: Stored = {
  projects: {},
  policies: {},
  assigned: {},
  prices: {},
  configs: [],
  offered: [],
  eventCount: 0,
};
