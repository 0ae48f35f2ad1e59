import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { reachableGrpcAddress, type SnippetSet, snippetSets, type SnippetTarget } from './snippets.ts';

const TARGET: SnippetTarget = {
  url: 'https://traces.example/cairn',
  grpcAddress: 'traces.example:4317',
  project: 'support',
  apiKey: null,
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  nowMs: 1_795_000_000_000,
};
const ODD_PROJECT = `it's "odd" \\ $HOME, 100 % Ünï 😀`;

describe('the snippets', () => {
  it('exist for Python, TypeScript, plain OpenTelemetry and curl', () => {
    expect(snippetSets(TARGET).map(({ id }) => id)).toEqual(['python', 'typescript', 'opentelemetry', 'curl']);
  });

  it('name this server, its root path and the project', () => {
    for (const set of snippetSets(TARGET)) {
      expect(codeOf(set), set.id).toContain('https://traces.example/cairn/v1/traces');
      expect(codeOf(set), set.id).toContain('support');
    }
  });

  it('give a shell the variables that exporters read, whatever the project is called', () => {
    for (const snippet of setOf('opentelemetry', ODD_PROJECT).snippets) {
      const attributes = runInShell(`${snippet.code}\nprintf %s "$OTEL_RESOURCE_ATTRIBUTES"`);
      const [key, value = ''] = attributes.split('=');
      expect(key).toBe('openinference.project.name');
      expect(decodeURIComponent(value)).toBe(ODD_PROJECT);
    }
  });

  it('send gRPC to the address of gRPC', () => {
    const code = setOf('opentelemetry').snippets[1]?.code ?? '';
    expect(runInShell(`${code}\nprintf %s "$OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`)).toBe('http://traces.example:4317');
    expect(code).toContain('PROTOCOL=grpc');
  });

  it('let curl send one span with the ids and times given, whatever the project is called', () => {
    const code = codeOf(setOf('curl', ODD_PROJECT));
    const sent = runInShell(`curl() { for last in "$@"; do :; done; printf %s "$last"; }\n${code}`);
    const [{ resource, scopeSpans }] = JSON.parse(sent).resourceSpans;
    expect(resource.attributes[0].value.stringValue).toBe(ODD_PROJECT);
    expect(scopeSpans[0].spans[0]).toMatchObject({
      traceId: TARGET.traceId,
      spanId: TARGET.spanId,
      endTimeUnixNano: '1795000000000000000',
    });
  });

  it('bring the API key along where the server asks for one, and nothing of it where it does not', () => {
    const apiKey = 'a key/with %odd "letters"';
    const codes = new Map(snippetSets({ ...TARGET, apiKey }).map((set) => [set.id, codeOf(set)]));
    for (const id of ['python', 'typescript'] as const) {
      const [line] = /^export PHOENIX_API_KEY=.*$/m.exec(codes.get(id) ?? '') ?? [];
      expect(runInShell(`${line}\nprintf %s "$PHOENIX_API_KEY"`), id).toBe(apiKey);
    }
    const headers = runInShell(`${codes.get('opentelemetry')}\nprintf %s "$OTEL_EXPORTER_OTLP_HEADERS"`);
    expect(decodeURIComponent(headers)).toBe(`authorization=Bearer ${apiKey}`);
    const sent = runInShell(`curl() { printf '%s\\n' "$@"; }\n${codes.get('curl')}`);
    expect(sent.split('\n')).toContain(`authorization: Bearer ${apiKey}`);
    expect(snippetSets(TARGET).map(codeOf).join('\n')).not.toMatch(/API_KEY|authorization/i);
  });

  it('quote the project so that Python and TypeScript read it back', () => {
    for (const id of ['python', 'typescript'] as const) {
      const [, literal = ''] = /project_?[nN]ame[=:] ?("(?:[^"\\]|\\.)*")/.exec(codeOf(setOf(id, ODD_PROJECT))) ?? [];
      expect(JSON.parse(literal), id).toBe(ODD_PROJECT);
    }
  });
});

describe('the address of gRPC', () => {
  it('has the host of the page where the server only calls itself localhost', () => {
    expect(reachableGrpcAddress('localhost:4317', 'traces.example')).toBe('traces.example:4317');
    expect(reachableGrpcAddress('localhost:4317', '127.0.0.1')).toBe('127.0.0.1:4317');
    expect(reachableGrpcAddress('10.0.0.7:4317', 'traces.example')).toBe('10.0.0.7:4317');
  });
});

function setOf(id: SnippetSet['id'], project = TARGET.project): SnippetSet {
  const set = snippetSets({ ...TARGET, project }).find((candidate) => candidate.id === id);
  if (set === undefined) throw new Error(`There is no set ${id}.`);
  return set;
}

function codeOf({ snippets }: SnippetSet): string {
  return snippets.map(({ code }) => code).join('\n');
}

function runInShell(script: string): string {
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' });
}
