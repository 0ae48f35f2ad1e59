/** Every migration, in order. A migration is never edited after its release; the next change is the next file. */
import type { SqlDialect } from '../dialect/dialect.ts';
import * as createTelemetry from './0001-create-telemetry.ts';
import * as addColumns from './0002-add-columns.ts';
import * as addSearch from './0003-add-search.ts';
import * as addCosts from './0004-add-costs.ts';
import * as addDeletion from './0005-add-deletion.ts';
import * as addWriteTurn from './0006-add-write-turn.ts';
import * as storeColumnsAsTheyAre from './0007-store-columns-as-they-are.ts';
import * as gatherWords from './0008-gather-words.ts';
import * as addRecordTurn from './0009-add-record-turn.ts';
import * as addForeignKeys from './0010-add-foreign-keys.ts';
import * as addJobs from './0011-add-jobs.ts';
import * as addAccounts from './0012-add-accounts.ts';
import * as addBulkActions from './0013-add-bulk-actions.ts';
import * as addAnnotations from './0014-add-annotations.ts';
import * as addSavedViews from './0015-add-saved-views.ts';
import * as addAnnotationQueues from './0016-add-annotation-queues.ts';
import * as addDefaultTab from './0017-add-default-tab.ts';
import * as mendAnnotations from './0018-mend-annotations.ts';
import * as addIdentities from './0019-add-identities.ts';
import * as addGrants from './0020-add-grants.ts';
import * as addVocabularies from './0021-add-vocabularies.ts';
import * as countChangesOfTheIndex from './0022-count-changes-of-the-index.ts';
import * as keepWordsInSegments from './0023-keep-words-in-segments.ts';
import * as addProjectSums from './0024-add-project-sums.ts';
import * as addBlockDictionaries from './0025-add-block-dictionaries.ts';
import * as widenSums from './0026-widen-sums.ts';
import * as sealWords from './0027-seal-words.ts';
import * as addVerification from './0028-add-verification.ts';
import * as addRequests from './0029-add-requests.ts';
import * as sumSpansOfStatements from './0030-sum-spans-of-statements.ts';

/** One step of the schema: statements, or indexes alone. */
export type Migration = StatementMigration | IndexMigration;

/** All of them are made in one transaction, or none. */
export interface StatementMigration {
  /** `NNNN-verb-noun`, the name of its file. */
  readonly name: string;
  readonly statements: (dialect: SqlDialect) => Iterable<string>;
}

/** Indexes of tables that may hold much already: the engine may build them while servers write. */
export interface IndexMigration {
  readonly name: string;
  /** By name, what follows `ON`, written as SQLite has it. */
  readonly indexes: Readonly<Record<string, string>>;
}

/** All migrations, contiguous from 0001. */
export const MIGRATIONS: readonly Migration[] = [
  createTelemetry,
  addColumns,
  addSearch,
  addCosts,
  addDeletion,
  addWriteTurn,
  storeColumnsAsTheyAre,
  gatherWords,
  addRecordTurn,
  addForeignKeys,
  addJobs,
  addAccounts,
  addBulkActions,
  addAnnotations,
  addSavedViews,
  addAnnotationQueues,
  addDefaultTab,
  mendAnnotations,
  addIdentities,
  addGrants,
  addVocabularies,
  countChangesOfTheIndex,
  keepWordsInSegments,
  addProjectSums,
  addBlockDictionaries,
  widenSums,
  sealWords,
  addVerification,
  addRequests,
  sumSpansOfStatements,
];

/** Those that this version does not know, in order: the database is newer. */
export function findUnknownMigrations(applied: readonly string[]): readonly string[] {
  const known = new Set(MIGRATIONS.map((migration) => migration.name));
  return applied.filter((name) => !known.has(name)).sort();
}
