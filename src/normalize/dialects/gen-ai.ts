/**
 * OpenTelemetry's GenAI conventions, in span attributes.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-spans.md
 */
import { fillContent } from '../gen-ai/content.ts';
import { fillOperation, type Lookup } from '../gen-ai/operation.ts';
import type { SpanEvidence } from './dialect.ts';

export const name = 'gen-ai';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasPrefix('gen_ai.');
}

export function translate({ attributes }: SpanEvidence): void {
  const get: Lookup = (key) => attributes.get(key);
  fillOperation(get, attributes);
  fillContent(get, attributes);
}
