import { expect, it } from 'vitest';
import { safeAddress } from './safe-address.ts';

it('lets addresses of the web and of mail through', () => {
  expect(safeAddress('https://cairn.example/a?b=1#c')).toBe('https://cairn.example/a?b=1#c');
  expect(safeAddress('mailto:a@b.example')).toBe('mailto:a@b.example');
});

it('makes nothing of what could run, read a file or lead into the own pages', () => {
  for (const address of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '/graphql',
    '//evil.example',
    '#top',
    '',
  ]) {
    expect(safeAddress(address)).toBe('');
  }
});
