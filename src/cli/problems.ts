import type { Problem } from '#config/read-environment';

/** All problems of a configuration, one a line. */
export function formatProblems(problems: readonly Problem[]): string {
  const lines = problems.map(({ variable, message }) => `  ${variable} ${message}\n`);
  const count = problems.length === 1 ? 'is one problem' : `are ${problems.length} problems`;
  return `Cairn did not start: there ${count} in the configuration.\n${lines.join('')}`;
}
