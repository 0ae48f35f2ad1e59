/** What the exit code of a command says; every help text lists them. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
} as const;

/** A value of {@link EXIT_CODES}. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
