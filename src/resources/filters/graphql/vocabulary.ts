/** The names that filters of a project can use, for completion by clients. */
import type { Builder } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { Caller, ForCaller } from '#domain/caller';
import { formatAttribute } from '#filter/format';
import type { FilterGrain } from '#filter/tree';
import { filterVocabulary, type VocabularyTerm } from '#filter/vocabulary';
import type { Aggregates } from '#store/aggregates/port';
import type { TimeBounds } from '#store/spans/browse-port';
import { filterPolicy } from '../policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    FilterVocabularyTerm: VocabularyTerm;
  }
}

/** Part of what finding the attributes of the newest spans costs in general. */
const VOCABULARY_COST = 100;

/** Adds them to projects. */
export function addVocabularies(builder: Builder, aggregates: ForCaller<Pick<Aggregates, 'listAttributePaths'>>): void {
  builder.objectType('FilterVocabularyTerm', {
    access: filterPolicy.check,
    fields: (t) => ({
      name: t.exposeString('name', { description: 'For an element, without its loop variable.' }),
      type: t.exposeString('type', { description: 'text, number, date, boolean, any, collection or annotation.' }),
      description: t.exposeString('description'),
      category: t.exposeString('category'),
      iterableName: t.exposeString('iterableName', {
        nullable: true,
        description: 'The collection whose elements have this name; null for names of the row itself.',
      }),
    }),
  });
  builder.objectFields('Project', (t) => ({
    traceFilterVocabulary: t.field({
      type: ['FilterVocabularyTerm'],
      access: filterPolicy.check,
      cost: VOCABULARY_COST,
      description: 'Names that filters for traces can use, including attributes of the newest spans in the range.',
      args: { timeRange: t.arg({ type: 'TimeRange' }) },
      resolve: ({ rowId }, { timeRange }, { caller }) =>
        listTerms(caller, aggregates, 'trace', rowId, toTimeBounds(timeRange)),
    }),
    sessionFilterVocabulary: t.field({
      type: ['FilterVocabularyTerm'],
      access: filterPolicy.check,
      cost: VOCABULARY_COST,
      description: 'Names that filters for sessions can use, including attributes of the newest spans.',
      resolve: ({ rowId }, _args, { caller }) => listTerms(caller, aggregates, 'session', rowId, {}),
    }),
  }));
}

async function listTerms(
  caller: Caller,
  aggregates: ForCaller<Pick<Aggregates, 'listAttributePaths'>>,
  grain: FilterGrain,
  projectRowId: number,
  bounds: TimeBounds,
): Promise<VocabularyTerm[]> {
  const terms = filterVocabulary(grain);
  const names = new Set(terms.map(({ name }) => name));
  const paths = await aggregates(caller).listAttributePaths({
    projectRowId,
    ...bounds,
    prefix: '',
    limit: MAX_ATTRIBUTES,
  });
  const attributes = paths
    .map(
      (path): VocabularyTerm => ({
        name: formatAttribute(grain, path),
        type: 'any',
        description: 'an attribute of the root span',
        category: 'content',
        iterableName: null,
      }),
    )
    .filter(({ name }) => !names.has(name));
  return [...terms, ...attributes];
}

/** Attributes beside the names that there always are. */
const MAX_ATTRIBUTES = 200;
