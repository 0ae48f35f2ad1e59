/** A stored annotation as filters ask for its fields. */
import type { JsonValue } from '#base/json';
import type { FilterAnnotation, FilterSubject } from '#filter/subject';

/** The fields of an annotation that filters can ask for, by their names in the language. */
export interface AnnotationFields extends FilterAnnotation {
  readonly name: string;
  /** -1 unless the annotation is of a document. */
  readonly document_position: number;
}

/** An annotation as a row, or as an element of a collection. */
export class AnnotationSubject implements FilterSubject {
  readonly #fields: AnnotationFields;

  constructor(fields: AnnotationFields) {
    this.#fields = fields;
  }

  field(name: string): JsonValue | undefined {
    switch (name) {
      case 'name':
      case 'score':
      case 'label':
      case 'explanation':
      case 'identifier':
      case 'annotator_kind':
      case 'document_position':
        return this.#fields[name];
      default:
        return undefined;
    }
  }

  attribute(): undefined {
    return undefined;
  }

  isParentless(): boolean {
    return true;
  }

  isIn(): boolean {
    return false;
  }

  collection(): readonly [] {
    return [];
  }
}
