import { describe, expect, it } from 'vitest';
import { writeSort } from '#ui/components/data-table/table-column.ts';
import {
  annotationColumnId,
  annotationOfColumn,
  MAX_ANNOTATION_COLUMNS,
  readObservedNames,
  readRowSort,
  toAnnotationNames,
} from './annotation-ids.ts';
import { askedOf } from './export/asked-columns.ts';
import { sortLiteral, toSessionSort, toSpanSort, toTraceSort } from './export/sort-columns.ts';

const NEWEST = { column: 'start', direction: 'desc' } as const;

describe('columns for annotations', () => {
  it('are named after the annotations', () => {
    expect(annotationOfColumn(annotationColumnId('quality'))).toBe('quality');
    for (const id of ['latency', 'annotations.', 'attributes.annotations.quality', 'notes'])
      expect(annotationOfColumn(id), id).toBeUndefined();
  });

  it('exist for a limited number of names of limited length, and not for notes', () => {
    const many = Array.from({ length: 30 }, (_, place) => `name ${place}`);
    expect(toAnnotationNames([...many, 'note'])).toEqual({
      names: many.slice(0, MAX_ANNOTATION_COLUMNS),
      hasNotes: true,
    });
    expect(toAnnotationNames(['x'.repeat(151), 'y'])).toEqual({ names: ['y'], hasNotes: false });
  });

  it('are read from what the browser kept, whatever that is', () => {
    expect(readObservedNames(['quality', 7, '', 'quality', 'note'])).toEqual(['quality', 'note']);
    expect(readObservedNames({ quality: true })).toBeUndefined();
  });

  it('say what rows must be asked for', () => {
    expect(askedOf(['start', 'input'])).toEqual({ paths: [], annotated: false, noted: false });
    expect(askedOf(['attributes.a.b', 'annotations.quality', 'notes'])).toEqual({
      paths: ['a.b'],
      annotated: true,
      noted: true,
    });
  });
});

describe('an order by annotations', () => {
  const sort = { column: annotationColumnId('a:b "c"'), direction: 'asc' } as const;

  it('is read from the address before the names are known', () => {
    expect(readRowSort(writeSort(sort), ['start'], NEWEST)).toEqual(sort);
    for (const text of [undefined, 'annotations.:asc', 'annotations.a', 'latency:asc'])
      expect(readRowSort(text, ['start'], NEWEST), text).toBe(NEWEST);
  });

  it('is asked for by score', () => {
    const key = { name: 'a:b "c"', attr: 'score' };
    expect(toSpanSort(sort)).toEqual({ evalResultKey: key, dir: 'asc' });
    expect(toTraceSort(sort)).toEqual({ annoResultKey: key, dir: 'asc' });
    expect(toSessionSort(sort)).toEqual({ annoResultKey: key, dir: 'asc' });
    expect(toSpanSort(NEWEST)).toEqual({ col: 'startTime', dir: 'desc' });
  });

  it('is a literal of GraphQL', () => {
    expect(sortLiteral('span', sort)).toBe(String.raw`{ evalResultKey: { name: "a:b \"c\"", attr: score }, dir: asc }`);
    expect(sortLiteral('trace', sort)).toContain('annoResultKey');
    expect(sortLiteral('session', { column: 'traces', direction: 'desc' })).toBe('{ col: numTraces, dir: desc }');
  });
});
