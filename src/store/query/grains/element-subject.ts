/** What elements of collections have in common. */
import type { JsonValue } from '#base/json';
import type { FilterAnnotation, FilterSubject } from '#filter/subject';

/** An element of which only fields and collections are asked. Nothing has annotations yet. */
export abstract class ElementSubject implements FilterSubject {
  abstract field(name: string, isOfParent: boolean): JsonValue | undefined;

  attribute(_path: string): JsonValue | undefined {
    return undefined;
  }

  isParentless(): boolean {
    return true;
  }

  annotations(): readonly FilterAnnotation[] {
    return [];
  }

  collection(_name: string): readonly FilterSubject[] {
    return [];
  }
}
