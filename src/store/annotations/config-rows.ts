/** Rows of annotation configs. */
import type { Kysely } from 'kysely';
import type { AnnotationConfig, CategoricalValue } from '#domain/annotation-config';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { AnnotationConfigsTable } from '../schema/annotation-tables.ts';
import type { Tables } from '../schema/tables.ts';

/** What a config is read from. */
export const CONFIG_COLUMNS = [
  'annotation_configs.id',
  'annotation_configs.name',
  'annotation_configs.kind',
  'annotation_configs.description',
  'annotation_configs.optimization_direction',
  'annotation_configs.content',
  'annotation_configs.is_strict',
] as const;

type ConfigRow = Pick<
  AnnotationConfigsTable,
  'name' | 'kind' | 'description' | 'optimization_direction' | 'content'
> & { readonly id: number; readonly is_strict: number };

/** What a kind has beside the columns. */
interface StoredContent {
  readonly values?: readonly { readonly label: string; readonly score?: number | null }[];
  readonly lowerBound?: number | null;
  readonly upperBound?: number | null;
  readonly threshold?: number | null;
}

/** The config of a row. */
export function toConfig(row: ConfigRow): AnnotationConfig {
  const { id: rowId, kind, name, description, optimization_direction: direction } = row;
  const base = { rowId, name, description, isStrict: row.is_strict !== 0 };
  const {
    values = [],
    lowerBound = null,
    upperBound = null,
    threshold = null,
  } = JSON.parse(row.content) as StoredContent;
  switch (kind) {
    case 'CATEGORICAL':
      return { ...base, kind, direction: direction ?? 'NONE', values: values.map(toValue) };
    case 'CONTINUOUS':
      return { ...base, kind, direction: direction ?? 'NONE', lowerBound, upperBound };
    case 'FREEFORM':
      return { ...base, kind, direction, threshold, lowerBound, upperBound };
  }
}

function toValue({
  label,
  score = null,
}: {
  readonly label: string;
  readonly score?: number | null;
}): CategoricalValue {
  return { label, score };
}

/** The configs of those names that there are. Index: annotation_configs_by_name. */
export async function findConfigsNamed(
  { db, dialect }: { readonly db: Kysely<Tables>; readonly dialect: SqlDialect },
  names: readonly string[],
): Promise<readonly AnnotationConfig[]> {
  const query = db.selectFrom('annotation_configs').select(CONFIG_COLUMNS);
  return (await query.where('name', 'in', dialect.textsOf(names)).execute()).map(toConfig);
}
