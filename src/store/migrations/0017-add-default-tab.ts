import type { SqlDialect } from '../dialect/dialect.ts';

/** Adds the tab that a project opens with; a project without one opens with the table that each browser used last. */
export const name = '0017-add-default-tab';

export function statements({ define }: SqlDialect): readonly string[] {
  return STATEMENTS.map(define);
}

const STATEMENTS = ['ALTER TABLE projects ADD COLUMN default_tab TEXT'];
