import { expect, it } from 'vitest';
import { parseOtlpMediaType } from './media-type.ts';

it.each([
  ['application/x-protobuf', 'protobuf'],
  ['application/protobuf', 'protobuf'],
  ['application/json', 'json'],
  [' Application/JSON ; charset=UTF-8', 'json'],
  ['application/x-protobuf;messageType=a', 'protobuf'],
  ['application/jsonl', undefined],
  ['text/plain; a=application/json', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads the content type %j as %s', (contentType, format) => {
  expect(parseOtlpMediaType(contentType)).toBe(format);
});
