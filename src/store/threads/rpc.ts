/** Calls between the main thread and a worker: one message a call, one message an answer, errors kept apart by code. */
import type { MessagePort, Transferable } from 'node:worker_threads';
import { type Asker, forAsker } from '#base/asker';
import { withSignal } from '#base/cancellation';
import { AppError, type ErrorCode, errorMessage, type ErrorReason } from '#base/errors';
import { collectWithOthers } from '#base/collect-together';
import { giveBackWhenIdle } from '#base/give-back';
import { type Damage, listenForDamage, noteDamage } from '../engine/damage.ts';
import { type RoomAnswer, takeRoomFrom } from './thread-room.ts';
import { isStorageFailure, StorageError, type StorageFault } from '../engine/storage-error.ts';
import type { FairTurns } from './fair-turns.ts';

/** What a worker answers, by method name; arguments and results are structured clones. */
export type CallHandlers = Readonly<Record<string, (...parameters: never[]) => unknown>>;

/** The names of the handlers. */
export type MethodOf<Handlers extends CallHandlers> = keyof Handlers & string;

/** What a caller in another thread is answered. */
export type AnswerOf<Handlers extends CallHandlers, Method extends MethodOf<Handlers>> = Unmoved<
  Awaited<ReturnType<Handlers[Method]>>
>;

type Unmoved<Result> = Result extends Moved<infer Value> ? Value : Result;

/** A call on its way to a worker. */
export interface CallMessage {
  readonly id: number;
  readonly method: string;
  readonly parameters: readonly unknown[];
  /** Whether a {@link CancelMessage} may follow. */
  readonly isCancellable: boolean;
  /** For whom it is made; `undefined` for the server's own work. */
  readonly asker: Asker | undefined;
}

/** Nobody waits for the answer of the call any more. */
export interface CancelMessage {
  readonly cancelledId: number;
}

/** The answer to a call. */
export type AnswerMessage = AnsweredCall & ({ readonly result: unknown } | { readonly error: FailureMessage });

interface AnsweredCall {
  readonly id: number;
  /** How long the thread did nothing else at a time; 0 where calls have no turns. */
  readonly longestTurnMs: number;
}

type LogMessageLevel = 'info' | 'warn' | 'error';

/** A line for the server's log. */
export interface LogMessage {
  readonly log: { readonly level: LogMessageLevel; readonly message: string; readonly stack: string | undefined };
}

/** Something damaged that was found in the thread. */
export interface DamageMessage {
  readonly damage: Damage;
}

/** An error as it crosses threads: `code` for those that a caller may see, `storage` for those of engines, `stack` for the log. */
interface FailureMessage {
  readonly code: ErrorCode | null;
  readonly storage: { readonly fault: StorageFault; readonly state: string | undefined } | null;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: ErrorReason | undefined;
  readonly stack: string | undefined;
}

/** A result whose buffers are moved to the caller instead of copied. */
export class Moved<Value> {
  readonly value: Value;
  readonly transfer: readonly Transferable[];

  constructor(value: Value, transfer: readonly Transferable[]) {
    this.value = value;
    this.transfer = transfer;
  }
}

/** How a worker answers. */
export interface ServeOptions {
  /** Share the thread out among calls; without them each begins at once. */
  readonly turns?: FairTurns;
  /** Drops what only makes answers faster, while there are no calls. */
  readonly dropCaches?: (() => void) | undefined;
}

/** Answers the calls that arrive at the port with the handlers, and gives memory back while none does. */
export function serveCalls(port: MessagePort, handlers: CallHandlers, { turns, dropCaches }: ServeOptions = {}): void {
  const cancellable = new Map<number, AbortController>();
  let answering = 0;
  const stops = [giveBackWhenIdle({ isIdle: () => answering === 0, dropCaches }), collectWithOthers()];
  port.once('close', () => stops.forEach((stop) => stop()));
  const hearOfRoom = takeRoomFrom(port);
  const run = (message: CallMessage, signal?: AbortSignal) =>
    answer(port, message.id, (onEnd) => {
      const work = () => forAsker(message.asker, () => handle(handlers, message));
      return turns === undefined ? work() : turns.run(message.asker, signal, work, onEnd);
    });
  listenForDamage((damage) => port.postMessage({ damage } satisfies DamageMessage));
  port.on('message', (message: CallMessage | CancelMessage | RoomAnswer) => {
    if ('roomId' in message) return hearOfRoom(message);
    if ('cancelledId' in message) return cancellable.get(message.cancelledId)?.abort();
    answering++;
    const end = () => void answering--;
    if (!message.isCancellable) return void run(message).finally(end);
    const controller = new AbortController();
    cancellable.set(message.id, controller);
    void withSignal(controller.signal, async () => {
      await run(message, controller.signal);
      cancellable.delete(message.id);
    }).finally(end);
  });
}

/** Sends a line to the server's log, from inside a worker. */
export function logFromThread(port: MessagePort, level: LogMessageLevel, message: string, cause?: unknown): void {
  // Where a statement was asked says nothing of a database that is away.
  const hasStack = cause instanceof Error && !isStorageFailure(cause);
  const stack = hasStack ? cause.stack : cause === undefined ? undefined : errorMessage(cause);
  port.postMessage({ log: { level, message, stack } } satisfies LogMessage);
}

/** The error that an answer carries. */
export function toError(failure: FailureMessage): Error {
  if (failure.code === null) {
    const { message, storage } = failure;
    const error =
      storage === null ? new Error(message) : new StorageError(storage.fault, message, undefined, storage.state);
    if (failure.stack !== undefined) error.stack = failure.stack;
    return error;
  }
  const { code, message, retryAfterSeconds, reason } = failure;
  return new AppError(code, message, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(reason !== undefined && { reason }),
  });
}

async function handle(handlers: CallHandlers, { method, parameters }: CallMessage): Promise<unknown> {
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler === undefined) throw new Error(`no such call: ${method}`);
  return handler(...(parameters as never[]));
}

async function answer(
  port: MessagePort,
  id: number,
  work: (onEnd: (longestTurnMs: number) => void) => Promise<unknown>,
): Promise<void> {
  let longestTurnMs = 0;
  const send = (
    message: { readonly result: unknown } | { readonly error: FailureMessage },
    moved: readonly Transferable[] = [],
  ) => port.postMessage({ id, longestTurnMs, ...message } satisfies AnswerMessage, moved);
  try {
    const result = await work((ms) => void (longestTurnMs = ms));
    if (isMoved(result)) send({ result: result.value }, result.transfer);
    else send({ result });
  } catch (error) {
    const damage = pageDamageIn(error);
    if (damage !== undefined) noteDamage({ kind: 'database', message: toFailure(damage).message, spans: [] });
    send({ error: toFailure(error) });
  }
}

/** Of what could not be stored, the cause says it. */
function pageDamageIn(error: unknown): StorageError | undefined {
  if (error instanceof AppError) return pageDamageIn(error.cause);
  return error instanceof StorageError && error.fault === 'damaged' ? error : undefined;
}

function isMoved(result: unknown): result is Moved<unknown> {
  return result instanceof Moved;
}

function toFailure(thrown: unknown): FailureMessage {
  const error = toShown(thrown);
  const isShown = error instanceof AppError;
  return {
    code: isShown ? error.code : null,
    storage: error instanceof StorageError ? { fault: error.fault, state: error.state } : null,
    message: errorMessage(error),
    retryAfterSeconds: isShown ? error.retryAfterSeconds : undefined,
    reason: isShown ? error.reason : undefined,
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** A full disk and damage are said to whoever asked: they, or an administrator, can do something about it. */
function toShown(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.fault === 'full') return new AppError('insufficient_storage', DISK_FULL, { cause: error });
  if (error.fault === 'damaged') return new AppError('data_damaged', `${DAMAGED} (${error.message})`, { cause: error });
  return error;
}

const DISK_FULL = 'The disk with the data is full: make room, or delete traces, and try again.';

const DAMAGED =
  'The database is damaged: stop the server, run `cairn doctor`, and copy what is whole with `cairn db salvage`, or restore a backup.';
