import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { MemoryRoom } from '#base/memory-room';
import { TextBodies } from './text-bodies.ts';

const MAX_BYTES = 10_000_000;

/** An application that answers with how much room is taken while it does. */
function start(roomBytes = Infinity, waitMs = 0) {
  const room = new MemoryRoom({ maxBytes: roomBytes, waitMs }).part();
  const bodies = new TextBodies({ maxBytes: 2 * MAX_BYTES, room });
  const app = Fastify();
  bodies.follow(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => bodies.read(request, MAX_BYTES));
  app.setErrorHandler((error, _request, reply) => reply.send(error instanceof AppError ? error.code : String(error)));
  app.post('/', async () => room.takenBytes);
  const send = async (payload: string, headers = {}) => {
    const { body } = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
    return body;
  };
  return { room, bodies, send };
}

it('take room for what they are parsed into, until they are answered', async () => {
  const { room, bodies, send } = start();
  expect(await send('[1,2,3]')).toBe('0');
  const values = JSON.stringify(Array(10_000).fill(1));
  expect(Number(await send(values))).toBeGreaterThan(10_000 * 100);
  expect([room.takenBytes, bodies.budget.takenBytes]).toEqual([0, 0]);
});

it('are refused where there is no room for that', async () => {
  const { room, send } = start(1_000_000);
  using _ = await room.take(900_000);
  expect(await send(JSON.stringify(Array(10_000).fill(1)))).toBe('unavailable');
});

it('keep the room that they came with until there is room for that', async () => {
  const { room, bodies, send } = start(1_000_000, 50_000);
  const held = await room.take(900_000);
  const answer = send(JSON.stringify(Array(20_000).fill(1)));
  await expect.poll(() => room.waitingCount).toBe(1);
  expect(bodies.budget.takenBytes).toBeGreaterThan(20_000);
  held[Symbol.dispose]();
  await answer;
  expect(bodies.budget.takenBytes).toBe(0);
});

it.each([
  ['more bytes than the route takes', `"${'x'.repeat(MAX_BYTES)}"`, {}, 'too_large'],
  ['more values than anything has', JSON.stringify(Array(400_001).fill(1)), {}, 'too_large'],
  ['a compression', '[]', { 'content-encoding': 'gzip' }, 'unsupported'],
])('with %s are refused', async (_what, payload, headers, code) => {
  expect(await start().send(payload, headers)).toBe(code);
});

it('may have many commas in texts', async () => {
  expect(Number(await start().send(`"${'[,'.repeat(1_000_000)}"`))).toBe(2 * 2_000_002 + 400);
});
