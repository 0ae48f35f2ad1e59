/**
 * Who may read a field: each object type says it for its fields, and a field may say otherwise. A type that says nothing
 * does not compile, and a schema with one is not built.
 */
import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type RootName,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { AppError } from '#base/errors';
import { type Access, isAllowed } from '#domain/access';
import type { Caller } from '#domain/caller';
import type { GraphqlContext } from './context.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }
    interface ObjectTypeOptions<Types extends SchemaTypes = SchemaTypes, Shape = unknown> {
      /** Who may read the fields. */
      access: Access;
    }
    interface RootTypeOptions<Types extends SchemaTypes, Type extends RootName> {
      /** Who may ask for the fields. */
      access: Access;
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
      access?: Access;
      /** What the field costs beside its selection, see `limits.ts`; 1 unless said. */
      cost?: number;
    }
  }
}

type Resolve = GraphQLFieldResolver<unknown, object, object>;

class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { access, cost } = config.pothosOptions;
    return {
      ...config,
      extensions: { ...config.extensions, access: access ?? this.#accessOf(config.parentType), cost },
    };
  }

  override wrapResolve(resolve: Resolve, config: PothosOutputFieldConfig<Types>): Resolve {
    const { access } = config.extensions as { readonly access: Access };
    const isChange = config.kind === 'Mutation';
    return (parent, args, context, info) => {
      const { caller, loaders, allowance } = context as GraphqlContext;
      assertAllowed(caller, access);
      if (isChange) loaders.clear();
      allowance.takeField();
      const result: unknown = resolve(parent, args, context, info);
      return result instanceof Promise
        ? result.then((value: unknown) => allowance.takeText(value))
        : allowance.takeText(result);
    };
  }

  override wrapSubscribe(subscribe: Resolve | undefined, config: PothosOutputFieldConfig<Types>): Resolve | undefined {
    const { access } = config.extensions as { readonly access: Access };
    return (
      subscribe &&
      ((parent, args, context, info) => {
        assertAllowed((context as GraphqlContext).caller, access);
        return subscribe(parent, args, context, info);
      })
    );
  }

  #accessOf(typeName: string): Access {
    const { kind, pothosOptions } = this.buildCache.getTypeConfig(typeName);
    if (kind === 'Interface') return 'public';
    const access = 'access' in pothosOptions ? pothosOptions.access : undefined;
    if (access === undefined) throw new Error(`The type ${typeName} does not declare who may read it.`);
    return access;
  }
}

SchemaBuilder.registerPlugin('access', AccessPlugin);

/** The texts are those that scripts of Phoenix look for. */
function assertAllowed(caller: Caller, access: Access): void {
  if (isAllowed(caller, access)) return;
  throw new AppError(
    'permission_denied',
    access === 'admin' ? 'Only admin can perform this action' : 'Viewers cannot perform this action',
  );
}
