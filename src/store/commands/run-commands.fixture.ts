/** Commands on a database of a test, as the writer's thread runs them. */
import type { Kysely, KyselyPlugin } from 'kysely';
import { Gate } from '#base/gate';
import type { WriteEngine } from '../engine/engine.ts';
import type { Tables } from '../schema/tables.ts';
import { RelationalSpanWriter } from '../writer/writer.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { CommandRunner } from './command-runner.ts';
import type { RunCommand } from './remote-commands.ts';

type TestedEngine = Omit<
  WriteEngine,
  'prepare' | 'assertRoom' | 'assertReserve' | 'makeRoom' | 'assertKept' | 'tidy' | 'rest'
>;

/** What a test may decide of it. */
export interface RunOptions {
  /** Who writes spans, where that matters. */
  readonly writer?: RelationalSpanWriter;
  /** Takes what commands touched. */
  readonly touched?: TouchedProject[];
  /** Whether there is room for what grows. */
  readonly assertRoom?: () => Promise<void>;
  /** Stands between commands and their statements. */
  readonly plugin?: KyselyPlugin;
}

/** Runs them on the engine; inputs and results are cloned as between threads. */
export function runCommandsOn(
  engine: TestedEngine,
  lists: ConstructorParameters<typeof CommandRunner>[0],
  options: RunOptions = {},
): RunCommand {
  const { touched = [], plugin, writer = new RelationalSpanWriter({ ...engine, onError: fail }) } = options;
  const watched = <Scope extends { readonly db: Kysely<Tables> }>(scope: Scope): Scope =>
    plugin === undefined ? scope : { ...scope, db: scope.db.withPlugin(plugin) };
  const gate = new Gate();
  const { records } = engine;
  const runner = new CommandRunner(lists, {
    record: (work) => {
      const transact = () => records.transact((transaction) => work(watched(transaction)));
      return records.isOnWriteConnection ? gate.run(transact) : transact();
    },
    telemetry: (work) => gate.run(() => writer.change((scope) => work(watched(scope)))),
    tell: (projects) => engine.tell(projects),
    forgetPrices: () => writer.forgetPrices(),
    assertRoom: options.assertRoom ?? (async () => undefined),
    makingRoom: (work) => work(),
  });
  return async (operation, caller, input) => {
    const outcome = await runner.run(operation, caller, structuredClone(input));
    touched.push(...outcome.touched);
    return structuredClone(outcome.result);
  };
}

function fail(message: string, cause: unknown): never {
  throw new Error(message, { cause });
}
