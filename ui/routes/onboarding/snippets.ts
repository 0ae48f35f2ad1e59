/** What to paste where, so that a first trace arrives in a project of this server. */

/** Where the snippets send, and what they name. */
export interface SnippetTarget {
  /** The server's address with its root path, without a slash at the end. */
  readonly url: string;
  /** `host:port` of OTLP over gRPC. */
  readonly grpcAddress: string;
  readonly project: string;
  /** Sent with each request; null where the server asks for none. */
  readonly apiKey: string | null;
  /** Hexadecimal, for the snippet that writes its span itself. */
  readonly traceId: string;
  readonly spanId: string;
  readonly nowMs: number;
}

/** One thing to paste. */
export interface Snippet {
  readonly title: string;
  readonly language: 'shell' | 'python' | 'typescript';
  readonly code: string;
  /** Code in it stands between backticks. */
  readonly note?: string | undefined;
}

/** One way to send traces. */
export interface SnippetSet {
  readonly id: 'python' | 'typescript' | 'opentelemetry' | 'curl';
  readonly label: string;
  readonly snippets: readonly Snippet[];
}

/** Every way to send a first trace to the target, each working as it stands. */
export function snippetSets(target: SnippetTarget): readonly SnippetSet[] {
  return [
    { id: 'python', label: 'Python', snippets: python(target) },
    { id: 'typescript', label: 'TypeScript', snippets: typescript(target) },
    { id: 'opentelemetry', label: 'OpenTelemetry', snippets: openTelemetry(target) },
    { id: 'curl', label: 'curl', snippets: curl(target) },
  ];
}

/**
 * The address of gRPC as this browser's machine can reach it: a server that listens everywhere calls itself localhost.
 * `hostname` is that of the page.
 */
export function reachableGrpcAddress(grpcAddress: string, hostname: string): string {
  return grpcAddress.replace(/^localhost:/, `${hostname}:`);
}

/** The variable in which the libraries look for a key. */
function keyVariable({ apiKey }: SnippetTarget): Snippet[] {
  if (apiKey === null) return [];
  return [{ title: 'Set your API key', language: 'shell', code: `export PHOENIX_API_KEY=${shellQuote(apiKey)}` }];
}

function python(target: SnippetTarget): Snippet[] {
  const { url, project } = target;
  return [
    { title: 'Install', language: 'shell', code: 'pip install arize-phoenix-otel' },
    ...keyVariable(target),
    {
      title: 'Run',
      language: 'python',
      code: `from phoenix.otel import register

provider = register(
    project_name=${JSON.stringify(project)},
    endpoint=${JSON.stringify(`${url}/v1/traces`)},
)
with provider.get_tracer("first").start_as_current_span("ask") as span:
    span.set_attribute("openinference.span.kind", "CHAIN")
    span.set_attribute("input.value", "Where is my parcel?")
    span.set_attribute("output.value", "It arrives tomorrow.")
provider.shutdown()`,
      note: 'To record calls to OpenAI, LangChain and other libraries, install the `openinference-instrumentation-…` package for each library and pass `auto_instrument=True` to `register`.',
    },
  ];
}

function typescript(target: SnippetTarget): Snippet[] {
  const { url, project } = target;
  return [
    { title: 'Install', language: 'shell', code: 'npm install @arizeai/phoenix-otel' },
    ...keyVariable(target),
    {
      title: 'Run as first.mts',
      language: 'typescript',
      code: `import { register } from '@arizeai/phoenix-otel';

const provider = register({
  projectName: ${JSON.stringify(project)},
  url: ${JSON.stringify(`${url}/v1/traces`)},
  batch: false,
});
const span = provider.getTracer('first').startSpan('ask', {
  attributes: {
    'openinference.span.kind': 'CHAIN',
    'input.value': 'Where is my parcel?',
    'output.value': 'It arrives tomorrow.',
  },
});
span.end();
await provider.shutdown();`,
      note: 'Run it with `node first.mts`. To record calls to libraries, use the `@arizeai/openinference-instrumentation-…` packages.',
    },
  ];
}

function openTelemetry({ url, grpcAddress, project, apiKey }: SnippetTarget): Snippet[] {
  // A space in a header is encoded there.
  const headers = apiKey === null ? [] : [`authorization=Bearer%20${encodeURIComponent(apiKey)}`];
  const resource = `export OTEL_RESOURCE_ATTRIBUTES=${shellQuote(`openinference.project.name=${encodeURIComponent(project)}`)}`;
  const common = [resource, ...headers.map((header) => `export OTEL_EXPORTER_OTLP_HEADERS=${shellQuote(header)}`)];
  return [
    {
      title: 'Over HTTP',
      language: 'shell',
      code: `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${shellQuote(`${url}/v1/traces`)}
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf
${common.join('\n')}`,
      note: 'Any OpenTelemetry SDK or collector reads these variables. Cairn understands OpenInference attributes and OpenTelemetry’s GenAI conventions.',
    },
    {
      title: 'Over gRPC',
      language: 'shell',
      code: `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${shellQuote(`http://${grpcAddress}`)}
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc
${common.join('\n')}`,
    },
  ];
}

function curl({ url, project, apiKey, traceId, spanId, nowMs }: SnippetTarget): Snippet[] {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const span = {
    traceId,
    spanId,
    name: 'ask',
    kind: 1,
    startTimeUnixNano: `${nowMs - 1200}000000`,
    endTimeUnixNano: `${nowMs}000000`,
    attributes: [
      text('openinference.span.kind', 'CHAIN'),
      text('input.value', 'Where is my parcel?'),
      text('output.value', 'It arrives tomorrow.'),
    ],
  };
  const resource = { attributes: [text('openinference.project.name', project)] };
  const authorization = apiKey === null ? '' : `  --header ${shellQuote(`authorization: Bearer ${apiKey}`)} \\\n`;
  const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }, undefined, 2);
  return [
    {
      title: 'Run',
      language: 'shell',
      code: `curl ${shellQuote(`${url}/v1/traces`)} \\
  --header 'content-type: application/json' \\
${authorization}  --data ${shellQuote(body)}`,
    },
  ];
}

/** A word as a POSIX shell reads it back; plain words stay as they are. */
function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
