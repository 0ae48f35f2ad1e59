/** What people say of a project. */
import { AppError } from '#base/errors';
import type { DefaultTab } from './project.ts';

/** What is left out keeps its value, or has the default. */
export interface ProjectLook {
  readonly description?: string | null | undefined;
  readonly gradientStartColor?: string | undefined;
  readonly gradientEndColor?: string | undefined;
  readonly defaultTab?: DefaultTab | null | undefined;
}

/** Bounds of a name that people type. */
export interface NameBound {
  /** The name as far as it is kept. */
  readonly bounded: (name: string) => string;
  readonly maxCharacters: number;
  readonly maxBytes: number;
}

/**
 * What telemetry calls its project is kept as it is; what people type should look like what it is.
 * @throws AppError `invalid_argument`
 */
export function assertProjectName(name: string, { bounded, maxCharacters, maxBytes }: NameBound): void {
  if (!VISIBLE.test(name)) throw new AppError('invalid_argument', 'A project needs a name.');
  if (name !== bounded(name)) {
    const bound = name.length > maxCharacters ? `${maxCharacters} characters` : `${maxBytes} bytes of UTF-8`;
    throw new AppError('invalid_argument', `The name of a project has at most ${bound}.`);
  }
  assertPrintable('The name of a project', name, UNPRINTABLE);
}

function assertPrintable(what: string, text: string, unprintable: RegExp): void {
  const codePoint = unprintable.exec(text)?.[0].codePointAt(0);
  if (codePoint === undefined) return;
  const hex = codePoint.toString(16).toUpperCase().padStart(4, '0');
  throw new AppError(
    'invalid_argument',
    `${what} cannot have U+${hex}, which is invisible: remove control characters and direction marks.`,
  );
}

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Control characters, halves of characters, line breaks, and marks that turn the text around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

/** The same but for the line breaks and tabs of a longer text. */
const UNPRINTABLE_IN_LINES = /[\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|[^\P{Cc}\n\r\t]/u;

/** Of a description, in characters. */
export const MAX_DESCRIPTION_LENGTH = 10_000;

/** The look as it is stored; an empty description is none. @throws AppError `invalid_argument` */
export function checkLook({ description, gradientStartColor, gradientEndColor, defaultTab }: ProjectLook): ProjectLook {
  for (const color of [gradientStartColor, gradientEndColor]) {
    if (color === undefined || /^#[0-9a-f]{6}$/i.test(color)) continue;
    throw new AppError('invalid_argument', 'A colour is a string such as #3f8f7b.');
  }
  const trimmed = description?.trim();
  if (trimmed !== undefined && trimmed.length > MAX_DESCRIPTION_LENGTH) {
    throw new AppError('invalid_argument', `A description has at most ${MAX_DESCRIPTION_LENGTH} characters.`);
  }
  assertPrintable('A description', trimmed ?? '', UNPRINTABLE_IN_LINES);
  return {
    gradientStartColor,
    gradientEndColor,
    defaultTab,
    description: description === undefined ? undefined : (trimmed ?? '') === '' ? null : trimmed,
  };
}
