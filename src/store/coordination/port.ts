/** How servers on one database share the work: each job is one server's at a time, and all hear what another did. */
import type { BeginJob } from '../jobs/held-jobs.ts';
import type { JobKind } from '../jobs/job.ts';
import type { TouchedProject } from '../engine/touched-project.ts';

/** What servers tell each other. */
export type Message =
  /** Where something changed that is shown. */
  | { readonly kind: 'touched'; readonly touched: readonly TouchedProject[] }
  /** A deletion is erased; with `null`, all spans of moved traces have followed. */
  | { readonly kind: 'erased'; readonly deletionRowId: number | null }
  /** Messages were lost, or left out: anything may have changed since; microseconds since the Unix epoch. */
  | { readonly kind: 'anything'; readonly changedAtUs: number };

/** One server's part in it. */
export interface Coordination {
  /** Says how jobs of a kind are worked on. One is begun whenever this server comes to hold it, and stopped when it no longer does. */
  serve(kind: JobKind, begin: BeginJob): void;
  /** Whether a job of the kind runs here. */
  isRunning(kind: JobKind): boolean;
  /** There may be something to do for jobs of the kind: whichever server holds them looks soon. */
  wake(kind: JobKind): void;
  /** A job of the kind was begun, paused, resumed or ended: whichever server may hold it looks at once. */
  announce(kind: JobKind): void;
  /** Tells all other servers, soon; where that is impossible they hear of `anything` later. */
  tell(message: Message): void;
  /** Called with what other servers told, in the order of their commits where it was told with one. */
  onMessage(handler: (message: Message) => void): void;
  /** Resolves, if ever, with a change of the schema that this version does not know: nothing may be written any more. */
  readonly outdated: Promise<string>;
  /** Stops all jobs, and only then lets other servers have them. */
  close(): Promise<void>;
}
