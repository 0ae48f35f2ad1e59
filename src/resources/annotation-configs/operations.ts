/** Finds annotation configs by what callers call them. */
import { AppError } from '#base/errors';
import { parseGlobalId, splitGlobalId } from '#base/global-id';
import { type AnnotationConfig, CONFIG_TYPES } from '#domain/annotation-config';
import type { Caller } from '#domain/caller';
import { findConfigsNamed } from '#store/annotations/config-rows';
import type { ReadHandle, Services } from '../slice.ts';
import { findConfigs, listConfigs } from './queries.ts';

/** The row id of an id of any kind: a config whose kind changed is found by the ids that it had. */
export function parseConfigId(id: string): number | undefined {
  for (const type of Object.values(CONFIG_TYPES)) {
    const rowId = parseGlobalId(type, id);
    if (rowId !== undefined) return rowId;
  }
  return undefined;
}

/** The config of an id or, where the text is none, of exactly that name. @throws AppError `not_found` */
export async function getConfig(caller: Caller, read: Services['read'], identifier: string): Promise<AnnotationConfig> {
  const rowId = parseConfigId(identifier);
  const handle = read(caller);
  const config =
    rowId === undefined
      ? (await findConfigsNamed(handle, [identifier]))[0]
      : (await findConfigs(handle, [rowId])).get(rowId);
  if (config === undefined) throw new AppError('not_found', `There is no annotation config ${identifier}.`);
  return config;
}

/**
 * The row id of an id of a config.
 * @throws AppError what `malformed` makes where the text is no id; `invalid_argument` where it is one of something else
 */
export function toConfigRowId(id: string, malformed: (message: string) => AppError): number {
  const rowId = parseConfigId(id);
  if (rowId !== undefined) return rowId;
  const type = splitGlobalId(id)?.type;
  if (type !== undefined && !Object.values<string>(CONFIG_TYPES).includes(type))
    throw new AppError('invalid_argument', `This is the id of a ${type}, not of an annotation config.`);
  throw malformed('This is not the id of an annotation config.');
}

/** Configs of a page, and the first one of the next. */
export interface ConfigListPage {
  readonly data: readonly AnnotationConfig[];
  readonly next: AnnotationConfig | null;
}

/** Newest first: all, or what a project offers. The cursor is the id of the next page's first one. @throws AppError `invalid_argument` */
export async function listConfigPage(
  handle: ReadHandle,
  page: { readonly cursor: string | undefined; readonly limit: number; readonly projectRowId?: number },
): Promise<ConfigListPage> {
  const { cursor, limit, projectRowId } = page;
  const fromRowId = cursor === undefined ? null : parseConfigId(cursor);
  if (fromRowId === undefined)
    throw new AppError('invalid_argument', 'Invalid cursor: use the next_cursor of the previous page.');
  const found = await listConfigs(handle, { fromRowId, limit: limit + 1, projectRowId });
  return { data: found.slice(0, limit), next: found[limit] ?? null };
}
