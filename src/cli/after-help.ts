/** What the help of every command ends with. */
import { type AddHelpTextContext, Help } from 'commander';
import { PREFIX } from '#config/variable';

/** A terminal of unknown width has as many columns. */
const DEFAULT_COLUMNS = 80;

/** Descriptions beside long flags wrap down to this width, so that no line is wider than the terminal. */
export const MIN_WRAPPED_COLUMNS = 20;

/** A note, examples and exit codes. Prose wraps to the terminal; examples stay as they are, to be copied. */
export function afterHelp(examples: readonly string[], note?: string, failure = 'it failed') {
  return ({ error }: AddHelpTextContext): string => {
    const help = Object.assign(new Help(), { minWidthToWrap: MIN_WRAPPED_COLUMNS });
    const columns = (error ? process.stderr : process.stdout).columns || DEFAULT_COLUMNS;
    const noteText = note === undefined ? '' : `\n${help.boxWrap(note, columns)}\n`;
    return `${noteText}
${help.boxWrap(SETTINGS, columns)}

Examples:
${examples.map((example) => `  $ ${example}`).join('\n')}

Exit codes:
  0  done
  1  ${failure}
  2  wrong usage, or an invalid configuration`;
  };
}

const SETTINGS = `Settings come from environment variables named ${PREFIX}…; docs/configuration.md lists them all. A flag overrides its variable.`;
