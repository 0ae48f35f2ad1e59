/** What reads of the relational engines stand on. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import type { SetCatalogue } from '../../sets/define-set.ts';
import type { EnvelopeCache } from './envelope-cache.ts';
import type { TraceTrees } from './trace-trees.ts';

/** A read handle with what is kept between reads. */
export interface ReadScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly envelopes: EnvelopeCache;
  readonly trees: TraceTrees;
  /** What filters can ask rows to be in, beside the sets of the store itself. */
  readonly sets?: SetCatalogue | undefined;
}
