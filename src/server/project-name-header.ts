/** The header, or gRPC metadata, by which an exporter names the project of all spans in a request. */
export const PROJECT_NAME_HEADER = 'x-project-name';

/**
 * The project that the header names, or `null` for none. Node reads header bytes as Latin-1; a value whose bytes are
 * UTF-8 is taken as that.
 */
export function parseProjectNameHeader(value: string | readonly string[] | undefined): string | null {
  const text = typeof value === 'object' ? value[0] : value;
  if (text === undefined) return null;
  return decodeUtf8(Buffer.from(text, 'latin1'), text).trim() || null;
}

function decodeUtf8(bytes: Buffer, fallback: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Bytes that are not UTF-8 were meant as the Latin-1 that they already are.
    return fallback;
  }
}
