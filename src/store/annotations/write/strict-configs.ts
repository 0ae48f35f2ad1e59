/** What strict annotation configs refuse. */
import { AppError } from '#base/errors';
import { type AnnotationConfig, checkAgainstConfig } from '#domain/annotation-config';
import type { RecordHandle } from '../../records/hooks.ts';
import { findConfigsNamed } from '../config-rows.ts';

/** The part of an annotation that configs describe. */
interface Judgement {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
}

/** @throws AppError `invalid_argument` naming the first annotation that a strict config refuses */
export async function assertConfigsAllow(scope: RecordHandle, annotations: readonly Judgement[]): Promise<void> {
  const configs = await configsOf(scope, annotations);
  if (configs.size === 0) return;
  for (const [index, annotation] of annotations.entries()) {
    const fault = faultOf(configs, annotation);
    if (fault !== null) throw new AppError('invalid_argument', `Annotation ${index}: ${fault}`);
  }
}

/** Why a strict config refuses an annotation; `null` where none does. */
export async function findConfigFault(scope: RecordHandle, annotation: Judgement): Promise<string | null> {
  return faultOf(await configsOf(scope, [annotation]), annotation);
}

/** The annotations that no strict config refuses. */
export async function selectAllowed<Said extends Judgement>(
  scope: RecordHandle,
  annotations: readonly Said[],
): Promise<readonly Said[]> {
  const configs = await configsOf(scope, annotations);
  return configs.size === 0 ? annotations : annotations.filter((annotation) => faultOf(configs, annotation) === null);
}

/** The reason in the ledger. */
export const REFUSED_BY_CONFIG = 'strict_config';

async function configsOf(
  scope: RecordHandle,
  annotations: readonly Judgement[],
): Promise<ReadonlyMap<string, AnnotationConfig>> {
  if (annotations.length === 0) return new Map();
  const configs = await findConfigsNamed(scope, [...new Set(annotations.map(({ name }) => name))]);
  return new Map(configs.map((config) => [config.name, config]));
}

function faultOf(configs: ReadonlyMap<string, AnnotationConfig>, annotation: Judgement): string | null {
  const config = configs.get(annotation.name);
  return config === undefined ? null : checkAgainstConfig(config, annotation);
}
