/** A resource as the server assembles it: its parts, each in a module of its own that is loaded by the thread that runs it. */
import type { Kysely } from 'kysely';
import type { Loader } from '#api/graphql/loader';
import type { RowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import type { Route } from '#api/rest/route';
import type { StorageGuardConfig } from '#config/config';
import type { AuthServices } from '#credentials/port';
import type { Policy } from '#domain/access';
import type { ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import type { ChangeFeed } from '#ingest/change-feed';
import type { AnyCommand, CommandCalls, Commands } from '#store/commands/command';
import { type RunCommand, remoteCommands } from '#store/commands/remote-commands';
import type { SqlDialect } from '#store/dialect/dialect';
import type { ReadPorts } from '#store/read-ports';
import type { BulkActionNews } from '#store/background/coordinate-bulk';
import type { PricingPass } from '#store/background/passes';
import type { RecordHooks } from '#store/records/hooks';
import type { Tables } from '#store/schema/tables';
import type { SpanPart, SpanParts, SpanTableRow } from '#store/spans/browse-port';
import type { SessionRow, TraceRow } from '#store/spans/port';
import type { SetDefinition } from '#store/sets/define-set';

/** What the server offers to resources. Each names what it uses of it. */
export interface Services {
  /** Reads ordinary tables, on a thread of its own. */
  readonly read: ForCaller<ReadHandle>;
  readonly spans: ForCaller<ReadPorts['spans']>;
  readonly aggregates: ForCaller<ReadPorts['aggregates']>;
  readonly changes: ForCaller<ChangeFeed>;
  readonly repricer: ForCaller<PricingPass>;
  readonly bulkActions: ForCaller<BulkActionNews>;
  /** The same tables on the primary: what decides who somebody is must not be late. */
  readonly readPrimary: ForCaller<ReadHandle>;
  readonly auth: AuthServices;
  /** How much space the data may take; `null` if there is no limit. */
  readonly storageGuard: StorageGuardConfig | null;
}

/** A handle that reads, and what its statements are written in. */
export interface ReadHandle {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
}

/** A store over ordinary tables, opened for a caller on the tables that this caller may read. */
export function storeOn<Store>(
  read: ForCaller<ReadHandle>,
  open: (db: Kysely<Tables>, dialect: SqlDialect) => Store,
): ForCaller<Store> {
  return (caller) => {
    const { db, dialect } = read(caller);
    return open(db, dialect);
  };
}

/** What fields have beside that: rows of other resources, loaded once for an answer. */
export interface TypeServices extends Services {
  readonly load: {
    readonly project: RowLoader<Project>;
    readonly trace: RowLoader<TraceRow>;
    readonly session: RowLoader<SessionRow>;
    readonly span: RowLoader<SpanTableRow>;
    readonly spanPart: Loader<{ readonly rowId: number; readonly part: SpanPart }, SpanParts | undefined>;
  };
}

/** The commands of a resource. */
export type CommandList = Commands<Readonly<Record<string, AnyCommand>>>;

/** The parts of a resource. `List` is its commands. */
export interface SliceParts<List extends CommandList> {
  /** Who may use which of its operations. */
  readonly policy: Policy;
  /** Its changes, for the writer's thread. */
  readonly commands: () => Promise<List>;
  /** What becomes of its records when traces, spans or sessions that they are about go or move, for the writer's thread. */
  readonly hooks?: () => Promise<RecordHooks>;
  /** What filters can ask spans, traces and sessions to be in, for the threads of readers. */
  readonly sets?: () => Promise<readonly SetDefinition<object>[]>;
  /** Its REST routes, for the main thread. */
  readonly routes: () => Promise<(services: Services, commands: CommandCalls<List>) => readonly Route[]>;
  /** Its GraphQL types, which are loaded with the first question. */
  readonly types: () => Promise<(kit: SchemaKit, services: TypeServices, commands: CommandCalls<List>) => void>;
}

/** A resource, whatever its commands are. */
export interface Slice {
  readonly policy: Policy;
  commands(): Promise<CommandList>;
  hooks(): Promise<readonly RecordHooks[]>;
  sets(): Promise<readonly SetDefinition<object>[]>;
  routes(services: Services, run: RunCommand): Promise<readonly Route[]>;
  types(run: RunCommand): Promise<(kit: SchemaKit, services: TypeServices) => void>;
}

/** Declares a resource, whose parts must fit together. */
export function defineSlice<List extends CommandList>(parts: SliceParts<List>): Slice {
  const { policy, commands, hooks, sets, routes, types } = parts;
  const callsOf = (run: RunCommand) => remoteCommands<List>(policy, run);
  return {
    policy,
    commands,
    hooks: async () => (hooks === undefined ? [] : [await hooks()]),
    sets: async () => (await sets?.()) ?? [],
    routes: async (services, run) => (await routes())(services, callsOf(run)),
    types: async (run) => {
      const addTypes = await types();
      return (kit, services) => addTypes(kit, services, callsOf(run));
    },
  };
}
