/** How servers on one database share the work: each background job is one server's at a time, and all hear what another did. */
import type { TouchedProject } from '../engine/touched-project.ts';

/** What is done in the background, by one server at a time. */
export type JobName = 'compaction' | 'columns' | 'search' | 'removal' | 'retention' | 'reindex' | 'repricing';

/** A job that this server leads. What it remembers is its own: whoever leads it next finds in the tables how far it is. */
export interface LedJob {
  /** Begins nothing more, and resolves when what was begun is done. */
  stop(): Promise<void>;
  /** There may be something to do. Absent where it looks often enough by itself. */
  wake?(): void;
}

/** What servers tell each other. */
export type Message =
  /** Where something that is shown is another now. */
  | { readonly kind: 'touched'; readonly touched: readonly TouchedProject[] }
  /** A deletion is erased; with `null`, all spans of moved traces have followed. */
  | { readonly kind: 'erased'; readonly deletionRowId: number | null }
  /** Messages were lost, or left out: anything may be another since; microseconds since the Unix epoch. */
  | { readonly kind: 'anything'; readonly changedAtUs: number };

/** One server's part in it. */
export interface Coordination {
  /** `begin` is called whenever this server becomes the leader of the job, and what it returns is stopped when it no longer is. */
  lead(job: JobName, begin: () => LedJob): void;
  isLeading(job: JobName): boolean;
  /** Wakes the job, whoever leads it. Whoever begins to lead looks by itself. */
  wake(job: JobName): void;
  /** Tells all other servers, soon; where that is impossible they hear of `anything` later. */
  tell(message: Message): void;
  /** Called with what other servers told, in the order of their commits where it was told with one. */
  onMessage(handler: (message: Message) => void): void;
  /** Resolves, if ever, with a change of the schema that this version does not know: nothing may be written any more. */
  readonly outdated: Promise<string>;
  /** Stops what is led, and only then lets others lead it. */
  close(): Promise<void>;
}
