/** Finds words that docs/style.md rules out, in the texts that people read: strings of the code, and documents. */
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
import { isTestFile } from '../source/tree.ts';

/** What is written in plain English already. A folder or document is added once it is. */
const PLAIN: readonly string[] = ['ui/**/*.{ts,tsx}', 'src/**/*.ts', '{README,docs/*,docs/deploy/*,changes/*}.md'];

/** What is left out of the above: the page that lists the words. */
const LEFT_OUT: readonly string[] = ['docs/style.md'];

/** The words, and what to write instead. */
const RULED_OUT: readonly (readonly [word: RegExp, advice: string])[] = [
  [/\banew\b/i, 'again, from scratch'],
  [/\bwhoever\b/i, 'the caller, the user, anyone who'],
  [/\bwhat of\b/i, 'which, or a noun'],
  [/\b(goes|go|went|going) on (by itself|with|when|where)\b/i, 'continues'],
  [/\bis another now\b/i, 'changed'],
  [/\bas long as (nobody|somebody)\b/i, 'until, while'],
  [/\bmakes nothing of\b/i, 'ignores, does not recognise'],
  [/(?<!\bthere )\bis no (text|number|time|name|list|span|trace|file|port|host)\b/i, 'is not a …'],
];

/** A ruled-out word in a text. */
export interface Finding {
  /** `path:line`. */
  readonly place: string;
  readonly word: string;
  readonly advice: string;
}

/** The findings in all that {@link PLAIN} lists, below the checkout. */
export function findInCheckout(root: string): readonly Finding[] {
  const exclude = ['ui/__generated__/**', '**/node_modules/**', ...LEFT_OUT];
  const paths = PLAIN.flatMap((pattern) => globSync(pattern, { cwd: root, exclude })).sort();
  return paths
    .filter((path) => !isTestFile(path))
    .flatMap((path) => findRuledOut(path, readFileSync(`${root}/${path}`, 'utf8')));
}

/** The findings in one file. Comments and code do not count, neither in a document's code blocks. */
export function findRuledOut(path: string, text: string): readonly Finding[] {
  const texts = path.endsWith('.md') ? proseOf(text) : stringsOf(path, text);
  return texts.flatMap(({ start, value }) =>
    RULED_OUT.flatMap(([pattern, advice]) => {
      const found = pattern.exec(value);
      if (found === null) return [];
      const line = text.slice(0, start + found.index).split('\n').length;
      return [{ place: `${path}:${line}`, word: found[0], advice }];
    }),
  );
}

interface Text {
  readonly start: number;
  readonly value: string;
}

/** The text with code and link targets replaced by as many spaces. */
function proseOf(text: string): readonly Text[] {
  return [
    { start: 0, value: text.replace(/^```[^]*?^```|`[^`\n]*`|\]\([^)]*\)/gm, (code) => code.replace(/[^\n]/g, ' ')) },
  ];
}

function stringsOf(path: string, text: string): readonly Text[] {
  const texts: Text[] = [];
  const add = ({ start, end }: { readonly start: number; readonly end: number }) =>
    texts.push({ start, value: text.slice(start, end) });
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') add(node);
    },
    TemplateElement: add,
    JSXText: add,
  }).visit(parseSync(path, text).program);
  return texts;
}
