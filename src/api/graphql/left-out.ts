import { AppError } from '#base/errors';

/** What was not read because it is too large beside what was: a page ends before it, and a field that is asked for it alone fails. */
export class LeftOutError extends AppError {
  constructor() {
    super('resource_exhausted', 'These objects are together too large for one response: ask for fewer.');
  }
}
