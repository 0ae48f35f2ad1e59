/** What a filter can name of annotations. */
import type { AnnotationMember } from '../tree.ts';
import type { CatalogueCollection, CatalogueField } from './catalogue.ts';

/** By the name behind the dot, what can be compared of an annotation. */
export const ANNOTATION_MEMBERS: Readonly<Record<AnnotationMember, CatalogueField>> = {
  score: { name: 'score', type: 'number', description: 'score of the annotation', category: 'annotations' },
  label: { name: 'label', type: 'text', description: 'label of the annotation', category: 'annotations' },
  explanation: {
    name: 'explanation',
    type: 'text',
    description: 'explanation of the annotation; for a note, its text',
    category: 'annotations',
  },
  identifier: {
    name: 'identifier',
    type: 'text',
    description: 'distinguishes annotations with the same name; empty if not given',
    category: 'annotations',
  },
  annotator_kind: {
    name: 'annotator_kind',
    type: 'text',
    description: 'who or what judged: HUMAN, LLM, CODE',
    category: 'annotations',
    values: ['HUMAN', 'LLM', 'CODE'],
  },
};

/** The same, in their order. */
export const ANNOTATION_FIELDS: readonly CatalogueField[] = Object.values(ANNOTATION_MEMBERS);

/** Collections of annotations that a span has, as a row and as an element. */
export const SPAN_ANNOTATIONS: readonly CatalogueCollection[] = [
  { name: 'annotations', description: 'annotations of the span', category: 'annotations', element: 'annotation' },
  {
    name: 'document_annotations',
    description: 'annotations of the documents that the span retrieved',
    category: 'annotations',
    element: 'documentAnnotation',
  },
];
