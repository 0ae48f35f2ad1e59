/** Annotation configs over GraphQL. */
import type { Builder } from '#api/graphql/builder';
import {
  type Connection,
  type Edge,
  offsetWindow,
  type PageArguments,
  toOffsetConnection,
} from '#api/graphql/connection';
import type { SchemaKit } from '#api/graphql/schema';
import {
  type AnnotationConfig,
  type AnnotationConfigKind,
  type CategoricalConfig,
  type CategoricalValue,
  type ContinuousConfig,
  type FreeformConfig,
  OPTIMIZATION_DIRECTIONS,
  type OptimizationDirection,
  typeOfConfig,
} from '#domain/annotation-config';
import { shapeExamples, type ShapeExamplesLanguage, type ShapeExamplesMode } from '#domain/shape-examples';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { AnnotationConfigCommands } from './commands.ts';
import { addConfigMutations, addProjectMutations, type DeletedConfigs, type ProjectRef } from './graphql/mutations.ts';
import { addUnion, type AnyConfig } from './graphql/union.ts';
import { type AnnotationConfigLoaders, createAnnotationConfigLoaders } from './loaders.ts';
import { annotationConfigPolicy } from './policy.ts';
import { browseConfigs, countConfigs } from './queries.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    CategoricalAnnotationConfig: CategoricalConfig;
    ContinuousAnnotationConfig: ContinuousConfig;
    FreeformAnnotationConfig: FreeformConfig;
    CategoricalAnnotationValue: CategoricalValue;
    AnnotationConfigEdge: Edge<AnnotationConfig>;
    AnnotationConfigConnection: Connection<AnnotationConfig>;
    CreateAnnotationConfigPayload: AnnotationConfig;
    UpdateAnnotationConfigPayload: AnnotationConfig;
    DeleteAnnotationConfigsPayload: DeletedConfigs;
    AddAnnotationConfigToProjectPayload: ProjectRef;
    RemoveAnnotationConfigFromProjectPayload: ProjectRef;
  }
  interface UnionRows {
    AnnotationConfig: AnnotationConfig;
  }
  interface InterfaceRows {
    AnnotationConfigBase: AnnotationConfig;
  }
  interface EnumValues {
    AnnotationType: AnnotationConfigKind;
    OptimizationDirection: OptimizationDirection;
    ShapeExamplesLanguage: ShapeExamplesLanguage;
    ShapeExamplesMode: ShapeExamplesMode;
  }
}

type ConfigServices = Pick<TypeServices, 'read' | 'load'>;

/** Adds configs, and what projects offer of them. */
export function addAnnotationConfigTypes(
  { builder, nodes }: SchemaKit,
  services: ConfigServices,
  commands: CommandCalls<AnnotationConfigCommands>,
): void {
  const load = createAnnotationConfigLoaders(services.read);
  nodes.add('CategoricalAnnotationConfig', load.categorical);
  nodes.add('ContinuousAnnotationConfig', load.continuous);
  nodes.add('FreeformAnnotationConfig', load.freeform);
  addEnums(builder);
  addConfigs(builder, load);
  const union = addUnion(builder);
  addConnection(builder, union);
  addQueries(builder, services, load);
  addConfigMutations(builder, union, commands);
  addProjectMutations(builder, services.load, commands);
}

function addEnums(builder: Builder): void {
  builder.enumType('AnnotationType', { values: ['CATEGORICAL', 'CONTINUOUS', 'FREEFORM'] as const });
  builder.enumType('OptimizationDirection', { values: OPTIMIZATION_DIRECTIONS });
  builder.enumType('ShapeExamplesLanguage', { values: ['PYTHON', 'TYPESCRIPT'] as const });
  builder.enumType('ShapeExamplesMode', { values: ['FULL', 'CURATED'] as const });
}

function addConfigs(builder: Builder, load: AnnotationConfigLoaders): void {
  builder.interfaceType('AnnotationConfigBase', {
    description: 'What annotations of a name may say.',
    resolveType: typeOfConfig,
    fields: (t) => ({
      name: t.exposeString('name'),
      description: t.exposeString('description', { nullable: true }),
      annotationType: t.expose('kind', { type: 'AnnotationType' }),
      isStrict: t.exposeBoolean('isStrict', {
        description: 'Whether annotations of the name with other labels or scores are refused.',
      }),
      projectCount: t.int({
        description: 'How many projects offer it.',
        cost: COUNT_COST,
        resolve: async ({ rowId }, _args, context) => (await load.projectCount(context, rowId)) ?? 0,
      }),
    }),
  });
  const { read: access } = annotationConfigPolicy;
  builder.objectType('CategoricalAnnotationValue', {
    access,
    fields: (t) => ({ label: t.exposeString('label'), score: t.exposeFloat('score', { nullable: true }) }),
  });
  builder.objectType('CategoricalAnnotationConfig', {
    access,
    interfaces: ['Node', 'AnnotationConfigBase'],
    fields: (t) => ({
      optimizationDirection: t.expose('direction', { type: 'OptimizationDirection' }),
      values: t.expose('values', { type: ['CategoricalAnnotationValue'] }),
      shapeExamples: t.stringList({
        description: SHAPE_EXAMPLES,
        args: {
          language: t.arg({ type: 'ShapeExamplesLanguage', required: true, defaultValue: 'PYTHON' }),
          mode: t.arg({ type: 'ShapeExamplesMode', required: true, defaultValue: 'FULL' }),
        },
        resolve: (config, { language, mode }) => [...shapeExamples(config, language, mode)],
      }),
    }),
  });
  builder.objectType('ContinuousAnnotationConfig', {
    access,
    interfaces: ['Node', 'AnnotationConfigBase'],
    fields: (t) => ({
      optimizationDirection: t.expose('direction', { type: 'OptimizationDirection' }),
      lowerBound: t.exposeFloat('lowerBound', { nullable: true }),
      upperBound: t.exposeFloat('upperBound', { nullable: true }),
      shapeExamples: t.stringList({
        description: SHAPE_EXAMPLES,
        args: {
          language: t.arg({ type: 'ShapeExamplesLanguage', required: true, defaultValue: 'PYTHON' }),
          mode: t.arg({ type: 'ShapeExamplesMode', required: true, defaultValue: 'FULL' }),
        },
        resolve: (config, { language, mode }) => [...shapeExamples(config, language, mode)],
      }),
    }),
  });
  builder.objectType('FreeformAnnotationConfig', {
    access,
    interfaces: ['Node', 'AnnotationConfigBase'],
    fields: (t) => ({
      optimizationDirection: t.field({
        type: 'OptimizationDirection',
        resolve: ({ direction }) => direction ?? 'NONE',
      }),
      threshold: t.exposeFloat('threshold', { nullable: true }),
      lowerBound: t.exposeFloat('lowerBound', { nullable: true }),
      upperBound: t.exposeFloat('upperBound', { nullable: true }),
    }),
  });
}

/** Those of all configs of an answer are counted at once. */
const COUNT_COST = 2;

const SHAPE_EXAMPLES = 'Values that an evaluator in code can return for annotations of this config.';

function addConnection(builder: Builder, union: AnyConfig): void {
  const { list: access } = annotationConfigPolicy;
  builder.objectType('AnnotationConfigEdge', {
    access,
    fields: (t) => ({
      cursor: t.exposeString('cursor'),
      node: t.field({ type: union, resolve: ({ node }) => node }),
    }),
  });
  builder.objectType('AnnotationConfigConnection', {
    access,
    fields: (t) => ({
      edges: t.field({ type: ['AnnotationConfigEdge'], resolve: ({ edges }) => edges }),
      pageInfo: t.field({ type: 'PageInfo', resolve: ({ pageInfo }) => pageInfo }),
    }),
  });
}

function addQueries(builder: Builder, { read }: ConfigServices, load: AnnotationConfigLoaders): void {
  builder.objectField('Project', 'annotationConfigs', (t) =>
    t.field({
      type: 'AnnotationConfigConnection',
      access: annotationConfigPolicy.listOfProject,
      description: 'The annotation configs that the project offers, by name.',
      args: {
        first: t.arg.int({ defaultValue: 50 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
        names: t.arg.stringList({ description: 'Only those of these names.' }),
      },
      resolve: async ({ rowId }, { names, ...args }, context) => {
        const wanted = names == null ? null : new Set(names);
        const all = (await load.ofProject(context, rowId)) ?? [];
        const matching = all.filter(({ name }) => wanted?.has(name) ?? true);
        const window = toWindow(args, matching.length);
        const rows = matching.slice(window.offset, window.offset + window.limit);
        return toOffsetConnection(rows, window, matching.length);
      },
    }),
  );
  builder.queryField('annotationConfigs', (t) =>
    t.field({
      type: 'AnnotationConfigConnection',
      access: annotationConfigPolicy.list,
      description: 'All annotation configs, by name.',
      args: {
        first: t.arg.int({ defaultValue: 50 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
      },
      resolve: async (_root, args, { caller }) => {
        const total = await countConfigs(read(caller));
        const window = toWindow(args, total);
        return toOffsetConnection(await browseConfigs(read(caller), window), window, total);
      },
    }),
  );
}

function toWindow({ first, last, after, before }: PageArguments, total: number) {
  // Asking for the last ones does not mean the last of the first, which is there by default.
  return offsetWindow({ first: last == null ? first : null, last, after, before }, total);
}
