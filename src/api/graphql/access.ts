/**
 * Who may read a field. An object type says it for its fields, and a field may say otherwise; fields of queries, mutations
 * and subscriptions say it one by one. Where nothing says it, that does not compile, and the schema is not built.
 */
import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { authorize, type Permission, refusalOf } from '#domain/access';
import { isDenial } from '../caller.ts';
import { graphqlPolicy } from '../policy.ts';
import type { GraphqlContext } from './context.ts';
import { costOf, isPaged, resultCounter } from './field-counting.ts';
import { type FieldReading, fitPage } from './fitting-page.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }
    interface ObjectTypeOptions<Types extends SchemaTypes = SchemaTypes, Shape = unknown> {
      /** Who may read the fields. */
      access: Permission;
    }
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** Who may read this field, where it is not who may read the others of its type. */
      access?: Permission;
      /** As how many values the field counts beside its selection; 1 unless said, and more for a page. */
      cost?: number;
      /** Whether what the field answers may be large: pages end where that of their rows is too large together. */
      isLarge?: boolean;
    }
    interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Who may ask for it. */
      access: Permission;
    }
    interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Who may ask for it. */
      access: Permission;
    }
    interface SubscriptionFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Who may ask for it. */
      access: Permission;
    }
  }
}

type Resolve = GraphQLFieldResolver<unknown, object, object>;

class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { access: ofField } = config.pothosOptions;
    // Nothing checks of which project the objects are that fields lead to, so keys limited to projects read none.
    const access: Permission = { ...(ofField ?? this.#accessOf(config.parentType)), within: null };
    const { resolve, pothosOptions } = config;
    // Every resolver is given its parent and its arguments as it declares them.
    const read = resolve as FieldReading['read'];
    const reading: FieldReading = { read, isLarge: pothosOptions.isLarge };
    return { ...config, extensions: { ...config.extensions, access, ...reading } };
  }

  override wrapResolve(resolve: Resolve, config: PothosOutputFieldConfig<Types>): Resolve {
    const { access } = config.extensions as { readonly access: Permission };
    const isChange = config.kind === 'Mutation';
    const cost = costOf(config);
    const isPage = isPaged(config);
    const countResult = resultCounter(config);
    return (parent, args, context, info) => {
      const { loaders, allowance } = admit(context, access);
      if (isChange) loaders.clear();
      allowance.takeValues(cost);
      if (isPage) allowance.takePage();
      const result = watched(context, access, () => {
        const answer = resolve(parent, args, context, info);
        if (!isPage) return answer;
        const known = context as GraphqlContext;
        return answer instanceof Promise
          ? answer.then((page) => fitPage(page, known, info))
          : fitPage(answer, known, info);
      });
      return result instanceof Promise
        ? result.then((value: unknown) => countResult(allowance, value))
        : countResult(allowance, result);
    };
  }

  override wrapSubscribe(subscribe: Resolve | undefined, config: PothosOutputFieldConfig<Types>): Resolve | undefined {
    const { access } = config.extensions as { readonly access: Permission };
    return (
      subscribe &&
      ((parent, args, context, info) => {
        admit(context, access);
        return watched(context, access, () => subscribe(parent, args, context, info));
      })
    );
  }

  #accessOf(typeName: string): Permission {
    const { kind, pothosOptions } = this.buildCache.getTypeConfig(typeName);
    if (kind === 'Interface') return graphqlPolicy.readInterface;
    const access = 'access' in pothosOptions ? pothosOptions.access : undefined;
    if (access === undefined) throw new Error(`The type ${typeName} does not declare who may read it.`);
    return access;
  }
}

/** Refuses callers who may not read the fields of an object type. @throws AppError `unauthenticated`, `permission_denied` */
export function assertMayReadType(context: GraphqlContext, schema: GraphQLSchema, typeName: string): void {
  const type = schema.getType(typeName);
  const access = isObjectType(type)
    ? (type.getFields()['id']?.extensions['access'] as Permission | undefined)
    : undefined;
  if (access === undefined) throw new Error(`The type ${typeName} does not declare who may read its id.`);
  // The field that leads there notes the refusal.
  authorize(context.caller, access);
}

/** The context of a caller who may have the field. @throws AppError `unauthenticated`, `permission_denied` */
function admit(context: object, access: Permission): GraphqlContext {
  const known = context as GraphqlContext;
  if (refusalOf(known.caller, access) === null) return known;
  known.noteRefusal(access);
  authorize(known.caller, access);
  return known;
}

/** What a resolver gives; a failure is counted, and where it refuses a caller who may have the field, that is noted, too. */
function watched(context: object, access: Permission, resolve: () => unknown): unknown {
  const note = (error: unknown): never => {
    const { allowance, noteRefusal } = context as GraphqlContext;
    if (isDenial(error)) noteRefusal(access);
    allowance.takeFailure();
    throw error;
  };
  try {
    const result = resolve();
    return result instanceof Promise ? result.catch(note) : result;
  } catch (error) {
    return note(error);
  }
}

SchemaBuilder.registerPlugin('access', AccessPlugin);
