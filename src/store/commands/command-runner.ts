/** Runs commands in the writer's thread. */
import { nextMomentUs } from '#base/moment';
import { authorize } from '#domain/access';
import type { Caller } from '#domain/caller';
import type { RecordTransaction } from '../engine/records.ts';
import { toChangeError } from '../engine/storage-error.ts';
import type { StoreScope } from '../writer/store-requests.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { type AuditNote, auditRowsOf, insertAuditRows } from './audit.ts';
import type { AnyCommand, Commands } from './command.ts';

/** What a command gave, and where it changed what is shown. */
export interface CommandOutcome {
  readonly result: unknown;
  readonly touched: readonly TouchedProject[];
}

/** The transactions that commands run in; each is committed and synced when it returns, or undone. */
export interface CommandTransactions {
  record<T>(work: (transaction: RecordTransaction) => Promise<T>): Promise<T>;
  readonly telemetry: <T>(work: (scope: StoreScope) => Promise<T>) => Promise<T>;
  /** Within a telemetry transaction: other servers hear what it touched when it commits. */
  readonly tell: (touched: readonly TouchedProject[]) => Promise<void>;
  readonly forgetPrices: () => void;
  /** @throws AppError `insufficient_storage` while the data takes more space than it may */
  readonly assertRoom: () => Promise<void>;
  /** Runs what takes no room to speak of, on a full disk, too. */
  readonly makingRoom: <T>(run: () => Promise<T>) => Promise<T>;
}

/** Any command of any resource. */
type RegisteredCommand = Commands<Readonly<Record<string, AnyCommand>>>[string];

/** All commands of the server, by the operation that their policy names. */
export class CommandRunner {
  readonly #commands = new Map<string, RegisteredCommand>();
  readonly #transactions: CommandTransactions;

  constructor(resources: readonly Commands<Readonly<Record<string, AnyCommand>>>[], transactions: CommandTransactions) {
    this.#transactions = transactions;
    for (const command of resources.flatMap((resource) => Object.values(resource))) {
      this.#commands.set(command.permission.operation, command);
    }
  }

  /**
   * What the command of that name gives, once its changes are synced.
   * @throws AppError `unauthenticated`, `permission_denied`, `insufficient_storage`; whatever the command throws, and nothing is changed then
   */
  async run(operation: string, caller: Caller, input: unknown): Promise<CommandOutcome> {
    const command = this.#commands.get(operation);
    if (command === undefined) throw new Error(`no such command: ${operation}`);
    authorize(caller, command.permission);
    try {
      const run = () => this.#transact(command, caller, input as never);
      if (command.permission.needsRoom !== true) return await this.#transactions.makingRoom(run);
      await this.#transactions.assertRoom();
      return await run();
    } catch (error) {
      throw toChangeError(error, 'The stored data could not be changed.');
    }
  }

  #transact(command: RegisteredCommand, caller: Caller, input: never): Promise<CommandOutcome> {
    if (command.kind === 'record') {
      return this.#transactions.record((transaction) =>
        outcomeOf(command, caller, transaction, (scope) => command.run({ ...transaction, ...scope }, caller, input)),
      );
    }
    const { telemetry, tell, forgetPrices } = this.#transactions;
    return telemetry((transaction) =>
      outcomeOf(command, caller, { db: transaction.db, tell }, (scope) =>
        command.run({ ...transaction, ...scope, forgetPrices }, caller, input),
      ),
    );
  }
}

async function outcomeOf(
  command: RegisteredCommand,
  caller: Caller,
  { db, tell }: Pick<RecordTransaction, 'db' | 'tell'>,
  run: (scope: Pick<Parameters<AnyCommand['run']>[0], 'nowUs' | 'touch' | 'note'>) => Promise<unknown>,
): Promise<CommandOutcome> {
  const nowUs = Date.now() * 1000;
  const places: Omit<TouchedProject, 'changedAtUs'>[] = [];
  const notes: AuditNote[] = [];
  const result = await run({
    nowUs,
    touch: (place) => void places.push(place),
    note: (note) => void notes.push(note),
  });
  const isQuiet = command.kind === 'record' && command.isQuiet === true && notes.length === 0;
  if (!isQuiet) await insertAuditRows(db, auditRowsOf(command.permission.operation, caller, nowUs, notes));
  const changedAtUs = nextMomentUs();
  const touched = places.map((place) => ({ ...place, changedAtUs }));
  await tell(touched);
  return { result, touched };
}
