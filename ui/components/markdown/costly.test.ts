import { expect, it } from 'vitest';
import { isCostlyMarkdown } from './costly.ts';

it('lets documents pass that are written to be read, long ones too', () => {
  const section = `## Part\n\nSome *words*, a [link](https://example.com) and **more**:\n\n- one\n- two\n  - three\n\n${'-'.repeat(80)}\n\n`;
  expect(isCostlyMarkdown(section.repeat(250))).toBe(false);
  expect(isCostlyMarkdown('')).toBe(false);
});

it('knows texts of marks that each look for another', () => {
  for (const mark of ['*', '_a*', '[', ']', '~~a', '[^a]']) expect(isCostlyMarkdown(mark.repeat(3001))).toBe(true);
});

it('knows quotes and lists that are nested without end', () => {
  for (const mark of ['>', '> ', '- ', '1. ', '>- ']) {
    expect(isCostlyMarkdown(`text\n${mark.repeat(60)}x`)).toBe(true);
    expect(isCostlyMarkdown(`text\n${mark.repeat(10)}x`)).toBe(false);
  }
});

it('answers at once for whatever is not Markdown at all', () => {
  const begun = performance.now();
  for (const text of ['\n', ' ', '\t>', '1', '> '].map((part) => part.repeat(40_000))) isCostlyMarkdown(text);
  expect(performance.now() - begun).toBeLessThan(5000);
});
