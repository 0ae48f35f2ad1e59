/** What the image's Dockerfile says, so that tests run its very commands on this machine. */
import { readFileSync } from 'node:fs';

/** One instruction, its continued lines joined. */
export interface Instruction {
  /** `RUN`, `COPY`, … */
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage in order; the last stage is the image. */
export function readStages(path: URL): readonly (readonly Instruction[])[] {
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name, text] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) throw new Error(`no instruction: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The texts of a stage's instructions of this name. */
export function textsOf(stage: readonly Instruction[] | undefined, name: string): readonly string[] {
  return (stage ?? []).filter((instruction) => instruction.name === name).map(({ text }) => text);
}

/** The words of a command in exec form, which no shell reads; options before it are left out. */
export function wordsOf(text: string | undefined): readonly string[] {
  return JSON.parse(/\[.*\]$/.exec(text ?? '')?.[0] ?? 'null') as readonly string[];
}

/** The variables that `ENV` sets, one each. */
export function environmentOf(stage: readonly Instruction[] | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    textsOf(stage, 'ENV').map((text) => {
      const [name = '', ...value] = text.split('=');
      return [name, value.join('=')];
    }),
  );
}
