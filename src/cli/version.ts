import { CAIRN_VERSION, PHOENIX_COMPATIBLE_VERSION } from '#base/version';

/** The versions that matter in a report about a problem. */
export function formatVersion(): string {
  return `cairn ${CAIRN_VERSION}\nnode ${process.versions.node}\ncompatible with Phoenix ${PHOENIX_COMPATIBLE_VERSION}\n`;
}
