/** Runs operations, whatever they arrived by. */
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  executeSubscriptionEvent,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  type ValidatedSubscriptionArgs,
  validateSubscriptionArgs,
} from 'graphql';
import { withAsker } from '#base/asker';
import { abortWith, unneeded, withSignal } from '#base/cancellation';
import { AppError } from '#base/errors';
import { readOnly } from '#base/read-only';
import type { Permission } from '#domain/access';
import type { Caller } from '#domain/caller';
import { Allowance, type AnswerRoom, EVENT_BOUNDS, OPERATION_BOUNDS } from './allowance.ts';
import { createContext } from './context.ts';
import { Documents } from './documents.ts';
import { type OnFault, presentError } from './errors.ts';
import { findOperation } from './find-operation.ts';
import { assertWithinLimits } from './limits.ts';
import { toVariableValues } from './json-scalar.ts';
import { sharesOfCaller } from '../shares-of-caller.ts';

/** What a caller sends. */
export interface OperationRequest {
  readonly query: string;
  /** By name, as they were sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
}

/** What is answered; without `data` where nothing ran. */
export interface OperationResult {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** An answer, or as many as a subscription has. */
export type OperationAnswer = OperationResult | AsyncIterableIterator<OperationResult, undefined>;

/** Who asks, and for how long. */
export interface OperationCaller {
  readonly caller: Caller;
  /** Ends queries and subscriptions; a change that has begun is finished. */
  readonly signal: AbortSignal;
  /** Where an answer finds room while it is made. Those of events, which are small, need none. */
  readonly room?: AnswerRoom;
  readonly onFault: OnFault;
  /** Called where the sign-in ended that the operation was sent with: its cookies are of no use any more. */
  readonly endSession?: () => void;
  /** Told of fields that the caller may not have. */
  readonly noteRefusal?: (permission: Permission) => void;
}

/** How long an operation may take, or an event of a subscription; a subscription may take that long to begin. */
const MAX_OPERATION_MS = 30_000;

const TOO_NESTED = 'The document is nested too deeply to be read.';

/** Runs the operations of one schema. */
export class Operations {
  readonly #schema: GraphQLSchema;
  readonly #documents: Documents;
  readonly #maxMs: number;

  constructor(schema: GraphQLSchema, maxMs = MAX_OPERATION_MS) {
    this.#schema = schema;
    this.#documents = new Documents(schema);
    this.#maxMs = maxMs;
  }

  /** Never throws: whatever goes wrong is in the answer. */
  async run({ query, variables, operationName }: OperationRequest, caller: OperationCaller): Promise<OperationAnswer> {
    try {
      const checked = this.#documents.read(query);
      if ('errors' in checked) return present(checked, caller);
      const { document } = checked;
      const operation = findOperation(document, operationName);
      const { namesOfObject } = assertWithinLimits(this.#schema, document, operation);
      const stop = new AbortController();
      const excess = new AbortController();
      const end = (error: Error) => {
        excess.abort(error);
        stop.abort(error);
      };
      const allowance = new Allowance(OPERATION_BOUNDS, end, { room: caller.room, namesOfObject });
      const args: ExecutionArgs = {
        schema: this.#schema,
        document,
        operationName: operation.name?.value ?? null,
        variableValues: toVariableValues(this.#schema, operation, variables),
        contextValue: createContext(caller.caller, allowance, caller),
      };
      switch (operation.operation) {
        case OperationTypeNode.QUERY: {
          const abortSignal = stop.signal;
          const run = () => readOnly(() => withSignal(abortSignal, () => execute({ ...args, abortSignal })));
          using _ = abortWith(stop, caller.signal);
          let hasFailed = true;
          try {
            const result = await this.#inTime(stop, run);
            hasFailed = result.errors !== undefined;
            return present(result, caller);
          } finally {
            // One field that fails can end the operation while others are still being read.
            if (hasFailed) stop.abort(unneeded());
          }
        }
        case OperationTypeNode.MUTATION:
          // What is read after a change ends with its allowance; changes do not end with their caller, nor in their midst.
          return present(await this.#inTime(stop, () => execute({ ...args, abortSignal: excess.signal })), caller);
        case OperationTypeNode.SUBSCRIPTION:
          return await this.#subscribe(args, stop, namesOfObject, caller);
      }
    } catch (error) {
      return presentFailure(error, caller);
    }
  }

  async #subscribe(
    args: ExecutionArgs,
    stop: AbortController,
    namesOfObject: number,
    caller: OperationCaller,
  ): Promise<OperationAnswer> {
    const checked = validateSubscriptionArgs(args);
    if (!('schema' in checked)) return present({ errors: checked }, caller);
    const begun = openSource(checked);
    endWhenAborted(begun, AbortSignal.any([caller.signal, stop.signal]));
    const source = await this.#inTime(stop, () => begun);
    if (!('next' in source)) return present(source, caller);
    return answerEvents(source, (event) => this.#answerEvent(checked, event, namesOfObject, caller));
  }

  /** An event that takes too long, or answers too much, is an event with an error; the next may do better. */
  async #answerEvent(
    args: ValidatedSubscriptionArgs,
    rootValue: unknown,
    namesOfObject: number,
    caller: OperationCaller,
  ): Promise<OperationResult> {
    const stop = new AbortController();
    using _ = abortWith(stop, caller.signal);
    try {
      const allowance = new Allowance(EVENT_BOUNDS, (error) => stop.abort(error), { namesOfObject });
      const contextValue = createContext(caller.caller, allowance, caller);
      const eventArgs = { ...args, rootValue, contextValue, externalAbortSignal: stop.signal };
      const run = () =>
        readOnly(() => withAsker(sharesOfCaller(caller.caller), () => executeSubscriptionEvent(eventArgs)));
      return present(await this.#inTime(stop, run), caller);
    } catch (error) {
      return presentFailure(error, caller);
    }
  }

  /** What was started, unless it is stopped before it ends: by its deadline, or by what it answers. */
  async #inTime<T>(stop: AbortController, start: () => T | Promise<T>): Promise<T> {
    const stopped = Promise.withResolvers<never>();
    stop.signal.addEventListener('abort', () => stopped.reject(stop.signal.reason), { once: true });
    const timer = setTimeout(
      () => stop.abort(new AppError('deadline_exceeded', 'The operation took too long. Ask for less at once.')),
      this.#maxMs,
    );
    try {
      return await Promise.race([stopped.promise, (async () => start())()]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function present({ data, errors = [] }: ExecutionResult, { onFault }: OperationCaller): OperationResult {
  return {
    ...(data !== undefined && { data }),
    ...(errors.length > 0 && { errors: errors.map((error) => presentError(error, onFault)) }),
  };
}

function presentFailure(error: unknown, { signal, onFault }: OperationCaller): OperationResult {
  // What GraphQL throws when it is stopped says less than why it was.
  if (signal.aborted && !(error instanceof AppError)) return { errors: [presentError(signal.reason, onFault)] };
  // What a resolver throws is in its result; only reading the document goes as deep as a caller likes.
  const shown = error instanceof RangeError ? new AppError('invalid_argument', TOO_NESTED, { cause: error }) : error;
  return { errors: [presentError(shown, onFault)] };
}

/** What a subscription watches, or why it cannot. */
async function openSource(args: ValidatedSubscriptionArgs): Promise<AsyncIterator<unknown, unknown> | ExecutionResult> {
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source;
}

function answerEvents(
  source: AsyncIterator<unknown, unknown>,
  answer: (event: unknown) => Promise<OperationResult>,
): AsyncIterableIterator<OperationResult, undefined> {
  return {
    next: async () => {
      const { done, value } = await source.next();
      return done === true ? { done, value: undefined } : { done: false, value: await answer(value) };
    },
    // A generator would wait for its next event before it ended.
    return: async () => {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * Ends a subscription, also one that stands only after nobody waits for it any more: what it watches is let go. A signal
 * given to GraphQL would leave that behind.
 */
function endWhenAborted(begun: Promise<AsyncIterator<unknown, unknown> | ExecutionResult>, signal: AbortSignal): void {
  const end = async (): Promise<void> => {
    const source = await begun;
    if ('next' in source) await source.return?.();
  };
  if (signal.aborted) void end();
  else signal.addEventListener('abort', () => void end(), { once: true });
}
