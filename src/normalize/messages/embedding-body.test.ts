import { expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { FlatAttributes } from '../flat-attributes.ts';
import { fillEmbeddingCall } from './embedding-body.ts';

it('tells one vector from several, whole floats in it or not', () => {
  expect(vectors('[1.0, 2.5]')).toEqual(parseJson('[[1.0, 2.5]]'));
  expect(vectors('[[1.0, 2.5], [0.5]]')).toEqual(parseJson('[[1.0, 2.5], [0.5]]'));
  expect(vectors('{"data": [{"embedding": [1.0]}, {"embedding": [2.5]}]}')).toEqual(parseJson('[[1.0], [2.5]]'));
});

function vectors(output: string) {
  const attributes = new FlatAttributes([]);
  fillEmbeddingCall(attributes, undefined, parseJson(output));
  const found = attributes.get('embedding.embeddings');
  return (found as { embedding: { vector: unknown } }[]).map(({ embedding }) => embedding.vector);
}
