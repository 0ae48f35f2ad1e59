/** Values of filters over batches. */
import type { AttributeScalar } from '#derive/narrow-attributes';
import type { NumberColumn, TextColumn } from '../columns/batch.ts';
import { calculate, literalValue, toText } from '#filter/compare';
import { asNumber } from '#filter/compile';
import type { SetReference, Value } from '#filter/tree';
import type { LookedUp } from './lookups.ts';
import { type BatchView, spanField } from './span-fields.ts';
import type { Verdicts } from './verdicts.ts';
import { combineVectors, mapVector, UNKNOWN, type Vector } from './vectors.ts';

/** What an expression reads of batches. */
export interface Needs {
  readonly columns: Set<NumberColumn | TextColumn>;
  /** Dotted paths. */
  readonly attributes: Set<string>;
  readonly lookups: Set<keyof LookedUp>;
  readonly sets: Set<SetReference>;
  /** Whether some rows can be left to their originals. */
  mayBeUncertain: boolean;
}

/** Nothing is needed yet. */
export function noNeeds(): Needs {
  return { columns: new Set(), attributes: new Set(), lookups: new Set(), sets: new Set(), mayBeUncertain: false };
}

/** A value ready to be read. */
export interface CompiledValue {
  readonly read: (view: BatchView) => Vector;
  /** Roughly how much work it is, so that what is cheap comes first. */
  readonly weight: number;
}

/** A condition ready to be asked. */
export interface CompiledCondition {
  /** The verdicts are the caller's to change. */
  readonly decide: (view: BatchView) => Verdicts;
  /** Roughly how much work it is, so that what is cheap comes first. */
  readonly weight: number;
}

/** Compiles a value of a span, and notes what it needs. */
export function compileValue(value: Value, needs: Needs): CompiledValue {
  switch (value.kind) {
    case 'literal':
      return constant(literalValue(value));
    case 'field':
      return value.of === null && !value.isOfParent ? compileField(value.name, needs) : unknown(needs);
    case 'attribute':
      return value.of === null ? compileAttribute(value.path, needs) : unknown(needs);
    case 'arithmetic': {
      const [left, right] = [compileValue(value.left, needs), compileValue(value.right, needs)];
      return {
        read: (view) =>
          combineVectors(
            left.read(view),
            right.read(view),
            (a, b) => calculate(value.operator, a, b),
            view.batch.rowCount,
          ),
        weight: left.weight + right.weight,
      };
    }
    case 'negate':
      return mapped(compileValue(value.operand, needs), (operand) => calculate('-', 0, operand));
    case 'convert':
      return mapped(compileValue(value.operand, needs), value.to === 'number' ? asNumber : toText);
    case 'annotation':
    case 'reduction':
      return unknown(needs);
  }
}

function constant(value: AttributeScalar | undefined): CompiledValue {
  const vector: Vector = { kind: 'constant', value };
  return { read: () => vector, weight: 0 };
}

function unknown(needs: Needs): CompiledValue {
  needs.mayBeUncertain = true;
  return { read: () => UNKNOWN, weight: 0 };
}

function mapped({ read, weight }: CompiledValue, map: Parameters<typeof mapVector>[1]): CompiledValue {
  return { read: (view) => mapVector(read(view), map), weight };
}

function compileField(name: string, needs: Needs): CompiledValue {
  const { columns, lookup, isCertain, read } = spanField(name);
  for (const column of columns) needs.columns.add(column);
  if (lookup !== undefined) needs.lookups.add(lookup);
  if (!isCertain) needs.mayBeUncertain = true;
  return { read, weight: 1 };
}

function compileAttribute(path: string, needs: Needs): CompiledValue {
  needs.attributes.add(path);
  needs.mayBeUncertain = true;
  return {
    read: ({ batch }) => {
      const { codes, values, uncertain } = batch.attribute(path);
      if (uncertain.length === 0) return { kind: 'coded', codes, values, uncertain: null };
      const isUncertain = new Uint8Array(batch.rowCount);
      for (const row of uncertain) isUncertain[row] = 1;
      return { kind: 'coded', codes, values, uncertain: isUncertain };
    },
    weight: 10,
  };
}
