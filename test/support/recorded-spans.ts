/** The spans of the recorded requests in test/fixtures/otlp, as a server reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, parseJson } from '#base/json';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { normalizeSpan } from '../../src/normalize/normalize-span.ts';

/** A recorded span with what the web UI is given of it. */
export interface RecordedSpan {
  /** Folder and file, such as `strands/01-chat.binpb`. */
  readonly file: string;
  readonly name: string;
  /** In the letter case of the GraphQL schema. */
  readonly kind: string;
  readonly attributes: JsonObject;
  readonly events: readonly { readonly name: string; readonly timestamp: string; readonly attributes: JsonObject }[];
}

/** All recorded spans, in the order of their files. */
export function listRecordedSpans(): RecordedSpan[] {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.binpb'));
  return files
    .filter((file) => !file.includes('.logs.'))
    .sort()
    .flatMap(readSpans);
}

const ROOT = join(import.meta.dirname, '../fixtures/otlp');

function readSpans(file: string): RecordedSpan[] {
  return decodeExportTraceRequest(readFileSync(join(ROOT, file))).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.flatMap((original) => {
        if ('malformed' in original) return [];
        const { name, kind, attributes, events } = normalizeSpan(original, scope, resource, 0n);
        return [
          {
            file,
            name,
            kind: kind.toLowerCase(),
            // Through text, as the pages get them.
            attributes: parseJson(JSON.stringify(attributes)) as JsonObject,
            events: events.map((event) => ({
              name: event.name,
              timestamp: new Date(Number(event.timeUnixNano / 1_000_000n)).toISOString(),
              attributes: event.attributes,
            })),
          },
        ];
      }),
    ),
  );
}
