import { orUnavailable } from './or-unavailable.ts';
import type { AnswerOf, CallHandlers, MethodOf } from './rpc.ts';

/** Threads that answer the same calls, wherever each call goes. */
export interface Callable<Handlers extends CallHandlers> {
  call<Method extends MethodOf<Handlers>>(
    method: Method,
    parameters: Parameters<Handlers[Method]>,
  ): Promise<AnswerOf<Handlers, Method>>;
}

/** Every method of a port, by name: a port that gains a method does not compile until its list has it. */
export type MethodsOf<Port> = Readonly<Record<keyof Port & string, true>>;

/** A port whose methods other threads serve under the same names. */
export function remotePort<Port extends object>(
  threads: Callable<Port & CallHandlers>,
  methods: MethodsOf<Port>,
): Port {
  const calls = Object.keys(methods).map((name) => [
    name,
    (...parameters: never) => orUnavailable(threads.call(name, parameters)),
  ]);
  return Object.fromEntries(calls) as Port;
}
