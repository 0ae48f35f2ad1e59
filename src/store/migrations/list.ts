/** Every migration, in order. A migration is never edited after its release; the next change is the next file. */
import type { Kysely } from 'kysely';
import * as createTelemetry from './0001-create-telemetry.ts';

/** One step of the schema. */
export interface Migration {
  /** `NNNN-verb-noun`, the name of its file. */
  readonly name: string;
  up(db: Kysely<unknown>): Promise<void>;
}

/** All migrations, contiguous from 0001. */
export const MIGRATIONS: readonly Migration[] = [createTelemetry];
