/** Chunks as they are stored: sealed as what they are of a build of a segment. */
import { openSealed, seal } from '#base/seal';
import { noteDamage } from '../engine/damage.ts';
import type { Chunk } from './segment-chunks.ts';

/** Which chunk it is. */
export interface ChunkIdentity {
  readonly segment: number;
  readonly build: number;
  readonly name: string;
}

/** The chunk as it is stored. */
export function sealChunk(identity: Omit<ChunkIdentity, 'name'>, { name, data }: Chunk): ChunkIdentity & Chunk {
  const { segment, build } = identity;
  return { segment, build, name, data: seal(keyOf({ segment, build, name }), data) };
}

/** What a stored chunk holds; `undefined` for one that is damaged, which is noted: its segment is to be built again. */
export function openChunk({ data, ...identity }: ChunkIdentity & Chunk): Uint8Array | undefined {
  const opened = openSealed(keyOf(identity), data);
  if (opened === undefined) {
    const { segment, build, name } = identity;
    const message = `The columns of segment ${segment}, build ${build}, are damaged (${name}, ${data.length} bytes); spans are read from their rows until they are built again.`;
    noteDamage({ kind: 'columns', message, spans: [], segment });
  }
  return opened;
}

function keyOf({ segment, build, name }: ChunkIdentity): string {
  return `${segment} ${build} ${name}`;
}
