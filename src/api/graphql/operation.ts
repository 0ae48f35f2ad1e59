/** Runs operations, whatever they arrived by. */
import {
  type ExecutionResult,
  execute,
  getOperationAST,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  subscribe,
} from 'graphql';
import { AppError } from '#base/errors';
import type { Principal } from '#domain/principal';
import { createContext } from './context.ts';
import { Documents } from './documents.ts';
import { type OnFault, presentError } from './errors.ts';
import { assertWithinLimits, type Variables } from './limits.ts';

/** What a caller sends. */
export interface OperationRequest {
  readonly query: string;
  readonly variables: Variables;
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
  readonly principal: Principal;
  /** Ends queries and subscriptions; a change that has begun is finished. */
  readonly signal: AbortSignal;
  readonly onFault: OnFault;
}

/** How long an operation may take; a subscription may take that long to begin. */
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
      const operation = getOperationAST(document, operationName);
      if (operation == null) {
        throw new AppError(
          'invalid_argument',
          'The document has several operations: say by operationName which to run.',
        );
      }
      assertWithinLimits(this.#schema, document, operation, variables);
      const stop = new AbortController();
      const contextValue = createContext(caller.principal, (error) => stop.abort(error));
      const args = { schema: this.#schema, document, operationName, variableValues: variables, contextValue };
      switch (operation.operation) {
        case OperationTypeNode.QUERY: {
          const abortSignal = AbortSignal.any([caller.signal, stop.signal]);
          return present(await this.#inTime(stop, () => execute({ ...args, abortSignal })), caller);
        }
        case OperationTypeNode.MUTATION:
          return present(await this.#inTime(stop, () => execute(args)), caller);
        case OperationTypeNode.SUBSCRIPTION: {
          const begun = Promise.resolve(subscribe(args));
          endWhenAborted(begun, AbortSignal.any([caller.signal, stop.signal]));
          const events = await this.#inTime(stop, () => begun);
          return Symbol.asyncIterator in events ? presentEvents(events, caller) : present(events, caller);
        }
      }
    } catch (error) {
      // Nobody waits for the answer of a query that its caller has ended.
      if (caller.signal.aborted) return { errors: [] };
      // What a resolver throws is in its result; only reading the document goes as deep as a caller likes.
      const shown =
        error instanceof RangeError ? new AppError('invalid_argument', TOO_NESTED, { cause: error }) : error;
      return { errors: [presentError(shown, caller.onFault)] };
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

/**
 * Ends a subscription, also one that stands only after nobody waits for it any more: what it watches is let go. A signal
 * given to `subscribe` would leave that behind.
 */
function endWhenAborted(
  begun: Promise<AsyncGenerator<ExecutionResult, void> | ExecutionResult>,
  signal: AbortSignal,
): void {
  const end = async (): Promise<void> => {
    const events = await begun;
    if (Symbol.asyncIterator in events) await events.return();
  };
  if (signal.aborted) void end();
  else signal.addEventListener('abort', () => void end(), { once: true });
}

function presentEvents(
  events: AsyncGenerator<ExecutionResult, void>,
  caller: OperationCaller,
): AsyncIterableIterator<OperationResult, undefined> {
  return {
    next: async () => {
      const { done, value } = await events.next();
      return done === true ? { done, value: undefined } : { done: false, value: present(value, caller) };
    },
    // A generator would wait for its next event before it ended.
    return: async () => {
      await events.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
