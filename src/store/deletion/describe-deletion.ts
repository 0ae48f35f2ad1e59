import type { Deletion } from './deletion.ts';

/** What a deletion came to, as a line for the log. */
export function describeDeletion(deletion: Deletion): string {
  const { projectName, reason, selection, traceCount, spanCount } = deletion;
  const whole = selection === null ? 'with the project' : 'from the project';
  const why = reason === 'retention' ? ' by its retention policy' : '';
  const traces = traceCount === 1 ? '1 trace' : `${traceCount} traces`;
  const spans = spanCount === 1 ? '1 span' : `${spanCount} spans`;
  return `Deleted ${traces} with ${spans} ${whole} ${projectName}${why}, and erased them.`;
}
