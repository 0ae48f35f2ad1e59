import type { Policy } from '#domain/access';
import type { Caller } from '#domain/caller';
import type { CommandCalls } from './command.ts';

/** Has the writer's thread run the command of an operation; returns what it gave after its commit is synced. */
export type RunCommand = (operation: string, caller: Caller, input: unknown) => Promise<unknown>;

/** The commands of a resource as its routes and fields call them. */
export function remoteCommands<List extends object>(policy: Policy, run: RunCommand): CommandCalls<List> {
  const calls = Object.entries(policy).map(([name, { operation }]) => [
    name,
    (caller: Caller, input: unknown) => run(operation, caller, input),
  ]);
  return Object.fromEntries(calls) as CommandCalls<List>;
}
