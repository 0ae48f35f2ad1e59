import type { OtlpKeyValue, RecordedSpan } from './otlp.ts';

const SESSION_KEYS = new Set(['session.id', 'gen_ai.conversation.id']);

/** Counts what was sent. */
export class Summary {
  readonly #projects = new Set<string>();
  readonly #traces = new Set<string>();
  readonly #sessions = new Set<string>();
  #spanCount = 0;
  #bytes = 0;
  #rejectedCount = 0;

  add(spans: readonly RecordedSpan[], sent: { readonly sentBytes: number; readonly rejectedCount: number }): void {
    for (const { resource, span } of spans) {
      const project = resource.attributes['openinference.project.name'];
      if (typeof project === 'string') this.#projects.add(project);
      this.#traces.add(span.traceId);
      for (const attribute of span.attributes) this.#addSession(attribute);
    }
    this.#spanCount += spans.length;
    this.#bytes += sent.sentBytes;
    this.#rejectedCount += sent.rejectedCount;
  }

  #addSession({ key, value }: OtlpKeyValue): void {
    if (SESSION_KEYS.has(key) && 'stringValue' in value) this.#sessions.add(value.stringValue);
  }

  progress(): string {
    return `${count(this.#traces.size)} traces, ${count(this.#spanCount)} spans, ${this.#megabytes()} MB`;
  }

  report(seconds: number): string {
    const lines = [
      `Sent ${count(this.#spanCount)} spans in ${count(this.#traces.size)} traces and ${count(this.#sessions.size)} sessions, ` +
        `${this.#megabytes()} MB of OTLP JSON, in ${seconds.toFixed(1)} s.`,
      `Projects: ${[...this.#projects].sort().join(', ')}`,
    ];
    if (this.#rejectedCount > 0) lines.push(`Spans that the server rejected: ${count(this.#rejectedCount)}`);
    return lines.join('\n');
  }

  #megabytes(): string {
    return (this.#bytes / 1e6).toFixed(1);
  }
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
