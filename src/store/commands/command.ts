/**
 * Commands: every change that somebody asks for, in one transaction that is committed and synced before the answer. What a command must
 * know of stored rows it asks inside that transaction, so that nothing changes between the question and the change.
 */
import type { Caller } from '#domain/caller';
import type { Permission, Policy } from '#domain/access';
import type { AuditNote } from './audit.ts';
import type { RecordTransaction } from '../engine/records.ts';
import type { StoreScope } from '../writer/store-requests.ts';
import type { TouchedProject } from '../engine/touched-project.ts';

/** What every command has beside its transaction. */
interface CommandScope {
  /** Microseconds since the Unix epoch. */
  readonly nowUs: number;
  /** Where something that is shown has changed: those who watch hear of it after the commit, on all servers. */
  touch(project: Omit<TouchedProject, 'changedAtUs'>): void;
  /** For the log of who did what: once for each thing that the command changes. */
  note(note: AuditNote): void;
}

/** What a record command works in. */
export interface RecordScope extends CommandScope, Pick<RecordTransaction, 'db' | 'dialect' | 'lock'> {}

/** What a telemetry command works in: the transaction of the span writer, with its turn. */
export interface TelemetryScope extends CommandScope, StoreScope {
  /** To be called when prices changed: the writer reads them again before it prices the next span. */
  forgetPrices(): void;
}

/** A change of ordinary records. */
export interface RecordCommand<Input, Result> {
  readonly kind: 'record';
  /** Whether it leaves in the log only what it notes, whoever calls it. */
  readonly isQuiet?: boolean;
  run(scope: RecordScope, caller: Caller, input: Input): Promise<Result>;
}

/** A change of stored spans, or of what the span writer remembers, as projects and prices. */
export interface TelemetryCommand<Input, Result> {
  readonly kind: 'telemetry';
  run(scope: TelemetryScope, caller: Caller, input: Input): Promise<Result>;
}

/** Either of them, whatever it takes and gives. */
export type AnyCommand = RecordCommand<never, unknown> | TelemetryCommand<never, unknown>;

/** A command over ordinary records. It may run several times before it is committed once. */
export function recordCommand<Input, Result>(run: RecordCommand<Input, Result>['run']): RecordCommand<Input, Result> {
  return { kind: 'record', run };
}

/** The same for what people do too often for the log, and that says itself who did it: it leaves there only what it notes. */
export function quietRecordCommand<Input, Result>(
  run: RecordCommand<Input, Result>['run'],
): RecordCommand<Input, Result> {
  return { kind: 'record', isQuiet: true, run };
}

/** A command over telemetry. */
export function telemetryCommand<Input, Result>(
  run: TelemetryCommand<Input, Result>['run'],
): TelemetryCommand<Input, Result> {
  return { kind: 'telemetry', run };
}

/** The commands of a resource, each with its entry in the policy. */
export type Commands<List extends object> = {
  readonly [Name in keyof List]: List[Name] & { readonly permission: Permission };
};

/** A policy whose named operations add or change something: they are refused while the data takes more space than it may. */
export function growing<Operation extends string>(
  policy: Policy<Operation>,
  ...operations: readonly NoInfer<Operation>[]
): Policy<Operation> {
  const grown = operations.map((name) => [name, { ...policy[name], needsRoom: true }]);
  return { ...policy, ...(Object.fromEntries(grown) as Partial<Policy<Operation>>) };
}

/** Declares the commands of a resource. One that the policy does not name does not compile. */
export function defineCommands<
  Operation extends string,
  List extends { readonly [Name in keyof List]: Name extends Operation ? AnyCommand : never },
>(policy: Policy<Operation>, list: List): Commands<List> {
  const entries = Object.entries<AnyCommand>(list).map(([name, command]) => [
    name,
    { ...command, permission: policy[name as Operation] },
  ]);
  return Object.fromEntries(entries) as Commands<List>;
}

/** The commands as callers in other threads have them. */
export type CommandCalls<List extends object> = {
  readonly [Name in keyof List]: List[Name] extends {
    run(scope: never, caller: Caller, input: infer Input): infer Answer;
  }
    ? (caller: Caller, input: Input) => Answer
    : never;
};
