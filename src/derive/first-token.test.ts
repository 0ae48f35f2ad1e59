import { expect, it } from 'vitest';
import * as streams from '#semconv/streams';
import { type JsonObject, parseJson } from '#base/json';
import { memberPacker } from './narrow-codes.ts';
import { mayTellFirstToken, timeToFirstTokenMs } from './first-token.ts';

it('reads the time to the first token in the unit of each producer', () => {
  expect(timeToFirstTokenMs({ 'gen_ai.response.time_to_first_chunk': 0.25 }, 0)).toBe(250);
  expect(timeToFirstTokenMs({ 'gen_ai.server.time_to_first_token': 1.5 }, 0)).toBe(1500);
  expect(timeToFirstTokenMs({ 'ai.response.msToFirstChunk': 98.5 }, 0)).toBe(98.5);
  expect(timeToFirstTokenMs({ 'gen_ai.response.time_to_first_token': 0.5 }, 0)).toBe(500);
  expect(timeToFirstTokenMs(parseJson('{"gen_ai.response.time_to_first_chunk":2.0}') as JsonObject, 0)).toBe(2000);
  expect(timeToFirstTokenMs({ 'gen_ai.latency.time_to_first_token': 0.045 }, 0)).toBe(45);
  expect(timeToFirstTokenMs({ 'ai.stream.msToFirstChunk': 7 }, 0)).toBe(7);
  const began = { 'langfuse.observation.completion_start_time': '"2026-11-23T10:00:00.340Z"' };
  expect(timeToFirstTokenMs(began, Date.UTC(2026, 10, 23, 10) * 1000)).toBe(340);
});

it('is looked for wherever one of its attributes is', () => {
  const durations = Object.values(streams).filter((key) => timeToFirstTokenMs({ [key]: 1 }, 0) !== null);
  const began = Object.values(streams).filter(
    (key) => timeToFirstTokenMs({ [key]: '2026-11-23T10:00:00Z' }, 0) !== null,
  );
  expect([durations.length, began.length]).toEqual([6, 1]);
  for (const key of [...durations, ...began])
    expect(mayTellFirstToken(memberPacker(JSON.stringify(key))('1')), key).toBe(true);
  expect(mayTellFirstToken('{"llm.model_name":"m"}')).toBe(false);
});

it('reads none where nothing tells, or what is told cannot be', () => {
  expect(timeToFirstTokenMs({}, 0)).toBeNull();
  expect(timeToFirstTokenMs({ 'ai.response.msToFirstChunk': -1 }, 0)).toBeNull();
  expect(timeToFirstTokenMs({ 'ai.response.msToFirstChunk': '12' }, 0)).toBeNull();
  expect(timeToFirstTokenMs({ 'gen_ai.response.time_to_first_chunk': 1e306 }, 0)).toBeNull();
  expect(timeToFirstTokenMs({ 'langfuse.observation.completion_start_time': 'soon' }, 0)).toBeNull();
  expect(timeToFirstTokenMs({ 'langfuse.observation.completion_start_time': '1970-01-01' }, 5_000_000)).toBeNull();
});
