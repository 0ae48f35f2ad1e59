import type { SchemaKit } from '#api/graphql/schema';
import type { ForCaller } from '#domain/caller';
import type { Diagnostic, Repair } from '#filter/diagnostic';
import type { FilterGrain } from '#filter/tree';
import type { Aggregates } from '#store/aggregates/port';
import { describeErrors, parseOnce, selectsRootsOnly } from './operations.ts';
import { addVocabularies } from './graphql/vocabulary.ts';
import { filterPolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    FilterDiagnostic: Diagnostic;
    FilterRepair: Repair;
    ValidationResult: ValidationResult;
    SpanFilterConditionAnalysis: SpanFilterConditionAnalysis;
  }
  interface EnumValues {
    FilterGrain: FilterGrain;
    FilterDiagnosticSeverity: Diagnostic['severity'];
  }
}

interface ValidationResult {
  readonly isValid: boolean;
  readonly errorMessage: string | null;
  readonly warnings: readonly string[];
}

interface SpanFilterConditionAnalysis {
  readonly selectsRootSpansOnly: boolean;
}

/** Adds what is said of filters before they are applied. */
export function addFilterTypes(
  { builder }: SchemaKit,
  { aggregates }: { readonly aggregates: ForCaller<Pick<Aggregates, 'listAttributePaths'>> },
): void {
  addVocabularies(builder, aggregates);
  builder.enumType('FilterGrain', { values: ['span', 'trace', 'session'] as const });
  builder.enumType('FilterDiagnosticSeverity', { values: ['error', 'warning'] as const });
  builder.objectType('FilterRepair', {
    access: filterPolicy.check,
    fields: (t) => ({
      start: t.exposeInt('start', { description: 'UTF-16 offset.' }),
      end: t.exposeInt('end', { description: 'UTF-16 offset, exclusive.' }),
      text: t.exposeString('text', { description: 'The text to replace it with.' }),
    }),
  });
  builder.objectType('FilterDiagnostic', {
    access: filterPolicy.check,
    description: 'A problem with a filter. A filter with a warning is applied, one with an error is not.',
    fields: (t) => ({
      severity: t.expose('severity', { type: 'FilterDiagnosticSeverity' }),
      code: t.exposeString('code'),
      message: t.exposeString('message'),
      start: t.exposeInt('start', { description: 'UTF-16 offset.' }),
      end: t.exposeInt('end', {
        description: 'UTF-16 offset, exclusive; equal to the start where something is missing.',
      }),
      repair: t.expose('repair', { type: 'FilterRepair', nullable: true }),
    }),
  });
  builder.objectType('ValidationResult', {
    access: filterPolicy.check,
    fields: (t) => ({
      isValid: t.exposeBoolean('isValid'),
      errorMessage: t.exposeString('errorMessage', { nullable: true }),
      warnings: t.exposeStringList('warnings'),
    }),
  });
  builder.objectType('SpanFilterConditionAnalysis', {
    access: filterPolicy.check,
    fields: (t) => ({ selectsRootSpansOnly: t.exposeBoolean('selectsRootSpansOnly') }),
  });
  builder.objectFields('Project', (t) => {
    const condition = t.arg.string({ required: true });
    const validation = (grain: FilterGrain) =>
      t.field({
        type: 'ValidationResult',
        access: filterPolicy.check,
        args: { condition },
        resolve: (_project, args) => validate(grain, args.condition),
      });
    return {
      validateSpanFilterCondition: validation('span'),
      validateTraceFilterCondition: validation('trace'),
      validateSessionFilterCondition: validation('session'),
      analyzeSpanFilterCondition: t.field({
        type: 'SpanFilterConditionAnalysis',
        access: filterPolicy.check,
        args: { condition },
        resolve: (_project, args) => {
          const { condition: read } = parseOnce('span', args.condition);
          return { selectsRootSpansOnly: read !== null && selectsRootsOnly(read) };
        },
      }),
      checkFilter: t.field({
        type: ['FilterDiagnostic'],
        access: filterPolicy.check,
        description: 'All problems with a filter, in the order of its text.',
        args: { grain: t.arg({ type: 'FilterGrain', required: true }), condition },
        resolve: (_project, args) => parseOnce(args.grain, args.condition).diagnostics,
      }),
    };
  });
}

function validate(grain: FilterGrain, text: string): ValidationResult {
  const { diagnostics } = parseOnce(grain, text);
  const errorMessage = describeErrors(diagnostics);
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  return { isValid: errorMessage === null, errorMessage, warnings };
}
