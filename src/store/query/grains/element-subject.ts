/** What elements of collections have in common. */
import type { JsonValue } from '#base/json';
import type { FilterSubject } from '#filter/subject';
import type { SetReference } from '#filter/tree';

/** A row or an element of which fields, sets and collections are asked. */
export abstract class ElementSubject implements FilterSubject {
  abstract field(name: string, isOfParent: boolean): JsonValue | undefined;

  attribute(_path: string): JsonValue | undefined {
    return undefined;
  }

  isParentless(): boolean {
    return true;
  }

  isIn({ name }: SetReference): boolean {
    throw new Error(`it cannot be asked whether this is in the set ${name}`);
  }

  collection(_name: string): readonly FilterSubject[] {
    return [];
  }
}
