/** What the OTLP listeners hand a request to. */
import type { KeyProject } from '#domain/caller';
import type { Signal } from '#otlp/signal';

/** The key that a request is sent with. */
export interface SenderKey {
  readonly rowId: number;
  /** The projects that alone it may send to; `null` for all. */
  readonly projects: readonly KeyProject[] | null;
}

/** One export request as it arrived; nothing of it has been looked at. */
export interface ReceivedExport {
  readonly signal: Signal;
  /** The body, still compressed. It owns its buffer, which is moved to another thread. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly format: 'protobuf' | 'json';
  /** The `Content-Encoding` (or `grpc-encoding`) as sent; empty for none. */
  readonly contentEncoding: string;
  /** The project that the request's header names, `null` for none. */
  readonly projectName: string | null;
  /** Added where the receiver is handed out, see `keyed-receiver.ts`; absent where no key is used. */
  readonly key?: SenderKey;
}

/** What an accepted request is answered with. */
export interface ExportOutcome {
  /** Spans or log records that were not stored and must not be sent again. */
  readonly rejectedCount: number;
  /** Why, in a sentence; empty when none was rejected. */
  readonly errorMessage: string;
}

/** Bytes set aside for one request until it is answered. Releasing twice is harmless. */
export interface Reservation extends Disposable {
  /** Sets aside more, waiting a bounded moment. @throws AppError `unavailable` with a time to try again */
  grow(bytes: number): Promise<void>;
  /**
   * Allows that the bytes are taken back for other addresses while the request arrives slowly.
   * @param onTaken called when they are, with why
   */
  arriving(onTaken: (error: Error) => void): void;
  /** Keeps the bytes until the request is answered, because it has come whole. */
  arrived(): void;
}

/** A body for which room is wanted. */
export interface ArrivingBody {
  /** Of whose share it takes. */
  readonly address?: string;
  /** How much it will have, where its sender said that. */
  readonly expectedBytes?: number | undefined;
}

/** Takes export requests; what it has answered is on disk. */
export interface ExportReceiver {
  /**
   * Waits a bounded moment until there is room for so many bytes of a body.
   * @throws AppError `unavailable` when there is none, `resource_exhausted` when too many requests wait already
   */
  reserve(bytes: number, body?: ArrivingBody): Promise<Reservation>;
  /**
   * Returns after the commit that holds what was sent is synced.
   * @throws AppError `invalid_argument`, `unsupported` (encoding), `too_large`, `unavailable`; `permission_denied` where any of
   * it is for a project that the key may not send to
   */
  export(received: ReceivedExport): Promise<ExportOutcome>;
}
