import { describe, expect, it } from 'vitest';
import { fill, fillTurns, pictureUrl, render } from './content.ts';
import { Random } from './random.ts';

const FACTS = {
  name: 'Ada "A" Lovelace',
  price: 12,
  rooms: [1, 2],
  place: { sights: ['sea'] },
  day: (offset: string) => `day ${offset}`,
};

describe('fill', () => {
  it('writes facts into texts, quotation marks included', () => {
    expect(fill({ text: 'Dear {{name}}, {{price}} EUR on {{day -1}}' }, FACTS)).toEqual({
      text: 'Dear Ada "A" Lovelace, 12 EUR on day -1',
    });
  });

  it('keeps the type of a fact that is the whole text', () => {
    expect(fill(['{{price}}', '{{rooms}}', '{{place.sights.0}}'], FACTS)).toEqual([12, [1, 2], 'sea']);
  });

  it('names a fact that does not exist', () => {
    expect(() => fill('{{place.hotel}}', FACTS)).toThrow('place.hotel');
  });
});

it('fillTurns takes one of the alternatives', () => {
  const [turn] = fillTurns([{ user: ['I am {{name}}', 'It is {{price}}'] }], FACTS, new Random('turn'));
  expect(['I am Ada "A" Lovelace', 'It is 12']).toContain(turn?.user);
});

it('render fills both kinds of template', () => {
  expect(render('{a} and {{b}}', { a: '1', b: '2' })).toBe('1 and 2');
  expect(() => render('{c}', {})).toThrow('c');
});

it.each(['torn-seam', 'zip', 'boarding-pass', 'viewpoint'])('the picture %s is a small PNG', (name) => {
  const [head = '', base64 = ''] = pictureUrl(name).split(',');
  expect(head).toBe('data:image/png;base64');
  expect(Buffer.from(base64, 'base64').subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
});
