import type { AppError } from '#base/errors';

/** The room that one request has. */
export interface HeldRoom {
  /** Of whom it takes from the share. */
  readonly address: string;
  /** Since when it has been arriving; what it waited for room before that is not its fault. */
  sinceMs: number;
  /** In the order in which requests came. */
  readonly place: number;
  requestedBytes: number;
  /** What it will have, where its sender said that. */
  readonly expectedBytes: number | undefined;
  /** Gives the request up, for as long as it is still arriving. */
  onTaken: ((error: AppError) => void) | undefined;
}
