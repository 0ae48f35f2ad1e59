import { describe, expect, it } from 'vitest';
import { countLines, parseModule } from './module.ts';

describe('parseModule', () => {
  it('sees an import of every form', () => {
    const { imports } = parseModule(
      'a.ts',
      [
        `import { b, c as d } from './static.ts';`,
        `import type { E } from './type.ts';`,
        `import { type F } from './inline-type.ts';`,
        `import * as g from './namespace.ts';`,
        `export { h } from './re-export.ts';`,
        `export * from './all.ts';`,
        `const i = await import('./dynamic.ts');`,
        `type J = import('./in-a-type.ts').J;`,
      ].join('\n'),
    );
    expect(imports.map(({ specifier, line, isTypeOnly, names }) => [specifier, line, isTypeOnly, names])).toEqual([
      ['./static.ts', 1, false, ['b', 'c']],
      ['./type.ts', 2, true, ['E']],
      ['./inline-type.ts', 3, true, ['F']],
      ['./namespace.ts', 4, false, ['*']],
      ['./re-export.ts', 5, false, ['h']],
      ['./all.ts', 6, false, ['*']],
      ['./dynamic.ts', 7, false, ['*']],
      ['./in-a-type.ts', 8, true, ['*']],
    ]);
  });

  it('knows which exports have a docstring', () => {
    const { exports } = parseModule(
      'a.ts',
      [
        '/** Documented. */',
        'export function documented() {}',
        'export function bare() {}',
        '// Not a docstring.',
        'export type Commented = string;',
        '/** Documented where it is declared. */',
        'const later = 1;',
        'export { later };',
        '/** The first overload carries it. */',
        'export function overloaded(a: string): void;',
        'export function overloaded(a: number): void;',
        'export function overloaded() {}',
      ].join('\n'),
    );
    expect(new Map(exports.map(({ name, hasDocs }) => [name, hasDocs]))).toEqual(
      new Map([
        ['documented', true],
        ['bare', false],
        ['Commented', false],
        ['later', true],
        ['overloaded', true],
      ]),
    );
  });

  it('names the module that a re-export comes from', () => {
    const { exports } = parseModule('a.ts', `export { b as c } from './b.ts';`);
    expect(exports).toMatchObject([{ name: 'c', from: { specifier: './b.ts', name: 'b' } }]);
  });

  it('counts the type any, not the word', () => {
    const text = `const any = 'any'; // any\nconst a: any = any; type B = Array<any>;`;
    expect(parseModule('a.ts', text).anyCount).toBe(2);
  });

  it('refuses a file that is not TypeScript', () => {
    expect(() => parseModule('a.ts', 'const = ;')).toThrow('a.ts');
  });
});

describe('countLines', () => {
  it('counts an unfinished last line and no line after the last one', () => {
    expect([countLines(''), countLines('a'), countLines('a\n'), countLines('a\nb')]).toEqual([0, 1, 1, 2]);
  });
});
