/** What a condition names, and what must therefore be read before it is decided. */
import { annotationKey } from './environment.ts';
import type { AnnotationName, Condition, Iteration, SetReference, Value } from './tree.ts';

/** Names in a condition, of the row where nothing else is said. */
export interface Mentions {
  readonly fields: ReadonlySet<string>;
  /** Dotted paths. */
  readonly attributes: ReadonlySet<string>;
  readonly collections: ReadonlySet<string>;
  /** Each once. */
  readonly annotations: readonly AnnotationName[];
  /** Those that the row or any element is asked to be in. */
  readonly sets: readonly SetReference[];
  /** Whether it asks if the row has a parent. */
  readonly asksForParent: boolean;
}

/** All that the condition names. */
export function mentionsOf(condition: Condition): Mentions {
  const walk = new Walk();
  walk.condition(condition);
  const { fields, attributes, collections, sets, asksForParent } = walk;
  return { fields, attributes, collections, annotations: [...walk.annotations.values()], sets, asksForParent };
}

class Walk {
  readonly fields = new Set<string>();
  readonly attributes = new Set<string>();
  readonly collections = new Set<string>();
  readonly annotations = new Map<string, AnnotationName>();
  readonly sets: SetReference[] = [];
  asksForParent = false;

  condition(condition: Condition): void {
    switch (condition.kind) {
      case 'constant':
        return;
      case 'and':
      case 'or':
        for (const operand of condition.operands) this.condition(operand);
        return;
      case 'compare':
        this.value(condition.left);
        this.value(condition.right);
        return;
      case 'member':
      case 'absent':
        this.value(condition.value);
        return;
      case 'contains':
        this.value(condition.text);
        this.value(condition.part);
        return;
      case 'parentless':
        this.asksForParent ||= condition.of === null;
        return;
      case 'inSet':
        this.sets.push(condition.set);
        return;
      case 'annotated':
        this.annotations.set(annotationKey(condition.annotation), condition.annotation);
        return;
      case 'quantifier':
        this.iteration(condition.over);
        this.condition(condition.test);
        return;
    }
  }

  value(value: Value): void {
    switch (value.kind) {
      case 'literal':
        return;
      case 'field':
        if (value.of === null) this.fields.add(value.name);
        return;
      case 'attribute':
        if (value.of === null) this.attributes.add(value.path);
        return;
      case 'annotation':
        this.annotations.set(annotationKey(value.annotation), value.annotation);
        return;
      case 'arithmetic':
        this.value(value.left);
        this.value(value.right);
        return;
      case 'negate':
      case 'convert':
        this.value(value.operand);
        return;
      case 'reduction':
        this.iteration(value.over);
        if (value.value !== null) this.value(value.value);
        return;
    }
  }

  iteration({ collection, of, where }: Iteration): void {
    if (of === null) this.collections.add(collection);
    if (where !== null) this.condition(where);
  }
}
