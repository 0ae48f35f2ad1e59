/** Sums of recorded requests: the same over REST and GraphQL, of spans, traces, sessions and projects, and a reason for what does not count. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { readSums, sendRequests } from './read-over-rest.ts';
import { listFolders, readScenarios } from './recording.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const SUMS = `query($name: String!) { project: getProjectByName(name: $name) {
  tokenCountPrompt tokenCountCompletion tokenCountTotal
  sessions(first: 100) { edges { node { sessionId tokenUsage { prompt completion total } } } }
  traces(first: 100) { edges { node { traceId tokenUsage { prompt completion total } } } }
  spans(first: 1000) { edges { node {
    name spanKind tokenCountPrompt tokenCountCompletion countsInSums context { traceId }
  } } }
} }`;

const REASONS = `query($name: String!) { project: getProjectByName(name: $name) { spans(first: 200) { edges { node {
  name spanKind tokenCountTotal countsInSums tokenCounting { reason countedInCount surplus countedIn { name countsInSums } }
} } } } }`;

interface Sums {
  readonly project: {
    readonly tokenCountPrompt: number;
    readonly tokenCountCompletion: number;
    readonly tokenCountTotal: number;
    readonly sessions: Edges<{ readonly sessionId: string; readonly tokenUsage: TokenUsage }>;
    readonly traces: Edges<{ readonly traceId: string; readonly tokenUsage: TokenUsage }>;
    readonly spans: Edges<{
      readonly tokenCountPrompt: number | null;
      readonly tokenCountCompletion: number | null;
      readonly countsInSums: boolean;
      readonly context: { readonly traceId: string };
    }>;
  };
}

interface Reasons {
  readonly project: {
    readonly spans: Edges<{
      readonly name: string;
      readonly spanKind: string;
      readonly tokenCountTotal: number | null;
      readonly countsInSums: boolean;
      readonly tokenCounting: {
        readonly reason: string;
        readonly countedInCount: number;
        readonly surplus: number;
        readonly countedIn: readonly { readonly name: string; readonly countsInSums: boolean }[];
      } | null;
    }>;
  };
}

interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly total: number;
}

interface Edges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

describe.each(listFolders())('%s', (folder) => {
  it('has one sum for each question', async () => {
    const to = { url: server.url, grpcAddress: server.grpcAddress, project: folder };
    await sendRequests(
      to,
      readScenarios(folder).flatMap(({ requests }) => requests),
    );
    const { traces, sessions } = await readSums(to);
    const { project } = await queryGraphql<Sums>(server.url, SUMS, { name: folder });
    const spans = nodes(project.spans);
    const byTrace = Map.groupBy(spans, ({ context }) => context.traceId);
    const expected = [...byTrace].map(([id, own]) => [
      id,
      sum(own.map((span) => (span.countsInSums ? (span.tokenCountPrompt ?? 0) : 0))),
      sum(own.map((span) => (span.countsInSums ? (span.tokenCountCompletion ?? 0) : 0))),
    ]);
    const overRest = traces.map((trace) => [trace.trace_id, trace.token_count_prompt, trace.token_count_completion]);
    const overGraphql = nodes(project.traces).map(({ traceId, tokenUsage }) => row(traceId, tokenUsage));
    expect(sorted(overRest)).toEqual(sorted(expected));
    expect(sorted(overGraphql)).toEqual(sorted(expected));

    expect(sorted(nodes(project.sessions).map(({ sessionId, tokenUsage }) => row(sessionId, tokenUsage)))).toEqual(
      sorted(sessions.map((one) => [one.session_id, one.token_count_prompt, one.token_count_completion])),
    );
    const [prompt, completion] = [sum(expected.map((one) => one[1])), sum(expected.map((one) => one[2]))];
    expect(project).toMatchObject({
      tokenCountPrompt: prompt,
      tokenCountCompletion: completion,
      tokenCountTotal: prompt + completion,
    });
  });

  it('says of all tokens that do not count why', async () => {
    const { project } = await queryGraphql<Reasons>(server.url, REASONS, { name: folder });
    for (const span of nodes(project.spans)) {
      const { tokenCounting, tokenCountTotal, countsInSums, spanKind } = span;
      if (tokenCountTotal === null || tokenCountTotal === 0) continue;
      expect(tokenCounting?.reason === 'counted', span.name).toBe(countsInSums);
      if (countsInSums) continue;
      expect(tokenCounting?.reason).toMatch(spanKind === 'llm' ? /^(calls_below|same_call)$/ : /^other_kind$/);
      expect(tokenCounting).toMatchObject({ surplus: 0 });
      if (spanKind === 'llm') expect(tokenCounting?.countedIn.map((one) => one.countsInSums)).toContain(true);
    }
  });
});

function nodes<Node>({ edges }: Edges<Node>): Node[] {
  return edges.map(({ node }) => node);
}

function row(id: string, { prompt, completion }: TokenUsage) {
  return [id, prompt, completion];
}

function sorted(rows: readonly (readonly unknown[])[]): string[] {
  return rows.map((one) => JSON.stringify(one)).sort();
}

function sum(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + Number(value), 0);
}
