import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import { boundedText, MAX_ROW_TEXT, MAX_ROW_TEXT_BYTES } from '#derive/bounded-text';
import type { Project } from '#domain/project';
import type { ProjectLook, ProjectStore, ProjectWriter } from '#store/projects-port';

/** The project of an id or, where the text is none, of exactly that name. @throws AppError `not_found` */
export async function getProject(projects: ProjectStore, identifier: string): Promise<Project> {
  const rowId = parseGlobalId('Project', identifier);
  const project = await projects.findProject(rowId === undefined ? { name: identifier } : { rowId });
  if (project === undefined) throw new AppError('not_found', `There is no project ${identifier}.`);
  return project;
}

/**
 * A new project; white space around the name does not count.
 * @throws AppError `already_exists`
 * @throws AppError `invalid_argument` for a name, a description or a colour that is none
 */
export async function createProject(writer: ProjectWriter, name: string, look: ProjectLook): Promise<Project> {
  const trimmed = name.trim();
  assertName(trimmed);
  const project = await writer.createProject(trimmed, checkLook(look));
  if (project === undefined) throw new AppError('already_exists', `A project named ${trimmed} already exists.`);
  return project;
}

/**
 * The project with another description or other colours.
 * @throws AppError `not_found`
 * @throws AppError `invalid_argument` for a description or a colour that is none
 */
export async function patchProject(writer: ProjectWriter, rowId: number, look: ProjectLook): Promise<Project> {
  const project = await writer.patchProject(rowId, checkLook(look));
  if (project === undefined) throw new AppError('not_found', 'There is no such project.');
  return project;
}

/** What telemetry calls its project is kept as it is; what people type should look like what it is. */
function assertName(name: string): void {
  if (!VISIBLE.test(name)) throw new AppError('invalid_argument', 'A project needs a name.');
  if (name !== boundedText(name)) {
    const bound = name.length > MAX_ROW_TEXT ? `${MAX_ROW_TEXT} characters` : `${MAX_ROW_TEXT_BYTES} bytes of UTF-8`;
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

const MAX_DESCRIPTION_LENGTH = 10_000;

/** An empty description is none. */
function checkLook({ description, gradientStartColor, gradientEndColor }: ProjectLook): ProjectLook {
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
    description: description === undefined ? undefined : (trimmed ?? '') === '' ? null : trimmed,
  };
}
