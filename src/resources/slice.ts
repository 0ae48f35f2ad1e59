/** A resource as the server assembles it: its parts, each in a module of its own that is loaded by the thread that runs it. */
import type { Kysely } from 'kysely';
import type { RowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import type { Route } from '#api/rest/route';
import type { Policy } from '#domain/access';
import type { Project } from '#domain/project';
import type { ChangeFeed } from '#ingest/change-feed';
import type { AnyCommand, CommandCalls, Commands } from '#store/commands/command';
import { type RunCommand, remoteCommands } from '#store/commands/remote-commands';
import type { SqlDialect } from '#store/dialect/dialect';
import type { ReadPorts } from '#store/read-ports';
import type { PricingPass } from '#store/background/passes';
import type { Tables } from '#store/schema/tables';

/** What the server offers to resources. Each names what it uses of it. */
export interface Services extends Pick<ReadPorts, 'spans' | 'aggregates'> {
  /** Reads ordinary tables, on a thread of its own. */
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly changes: ChangeFeed;
  readonly repricer: PricingPass;
}

/** What fields have beside that: rows of other resources, loaded once for an answer. */
export interface TypeServices extends Services {
  readonly load: { readonly project: RowLoader<Project> };
}

/** The commands of a resource. */
export type CommandList = Commands<Readonly<Record<string, AnyCommand>>>;

/** The parts of a resource. `List` is its commands. */
export interface SliceParts<List extends CommandList> {
  /** Who may use which of its operations. */
  readonly policy: Policy;
  /** Its changes, for the writer's thread. */
  readonly commands: () => Promise<List>;
  /** Its REST routes, for the main thread. */
  readonly routes: () => Promise<(services: Services, commands: CommandCalls<List>) => readonly Route[]>;
  /** Its GraphQL types, which are loaded with the first question. */
  readonly types: () => Promise<(kit: SchemaKit, services: TypeServices, commands: CommandCalls<List>) => void>;
}

/** A resource, whatever its commands are. */
export interface Slice {
  readonly policy: Policy;
  commands(): Promise<CommandList>;
  routes(services: Services, run: RunCommand): Promise<readonly Route[]>;
  types(run: RunCommand): Promise<(kit: SchemaKit, services: TypeServices) => void>;
}

/** Declares a resource, whose parts must fit together. */
export function defineSlice<List extends CommandList>({ policy, commands, routes, types }: SliceParts<List>): Slice {
  const callsOf = (run: RunCommand) => remoteCommands<List>(policy, run);
  return {
    policy,
    commands,
    routes: async (services, run) => (await routes())(services, callsOf(run)),
    types: async (run) => {
      const addTypes = await types();
      return (kit, services) => addTypes(kit, services, callsOf(run));
    },
  };
}
