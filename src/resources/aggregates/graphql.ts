import type { RowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import type { SessionRow } from '#store/spans/port';
import type { Services } from '../slice.ts';
import { addAggregation } from './graphql/aggregation.ts';
import { addAnnotationNumbers } from './graphql/annotations.ts';
import { addBucketInputs } from './graphql/arguments.ts';
import { addDocumentEvaluations } from './graphql/document-evaluations.ts';
import { addFacets } from './graphql/facets.ts';
import { addGroups } from './graphql/groups.ts';
import { addHistograms } from './graphql/histograms.ts';
import { addSessionNumbers } from './graphql/sessions.ts';
import { addModelUses } from './graphql/model-uses.ts';
import { addTimeSeries } from './graphql/time-series.ts';
import { addTopModels } from './graphql/top-models.ts';
import { addTotals } from './graphql/totals.ts';
import { addUsers } from './graphql/users.ts';
import { createAggregateLoaders } from './loaders.ts';

/** Adds counts, sums, percentiles and facets over the spans of a project, and how long its sessions last. */
export function addAggregateTypes(
  { builder }: SchemaKit,
  { aggregates, read }: Pick<Services, 'aggregates' | 'read'>,
  { session }: { readonly session: RowLoader<SessionRow> },
): void {
  const inputs = addBucketInputs(builder);
  const load = createAggregateLoaders(aggregates);
  addTimeSeries(builder, load, inputs);
  addFacets(builder, aggregates);
  addAggregation(builder, aggregates, inputs);
  addGroups(builder, { aggregates, loadSession: session });
  addUsers(builder, aggregates);
  addHistograms(builder, aggregates, inputs);
  addTotals(builder, aggregates);
  addSessionNumbers(builder, load);
  addAnnotationNumbers(builder, { load, aggregates }, inputs);
  addDocumentEvaluations(builder, load);
  addTopModels(builder, { load, read });
  addModelUses(builder, { aggregates, read });
}
