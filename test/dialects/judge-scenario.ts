/** What a reading shows of everything in a scenario that is no model call. */
import type { RestSpan } from '../harness/telemetry.ts';
import { askParameters, shownCount, shownModels } from './call-facts.ts';
import { isSameResult, type Line, shownLines } from './conversation.ts';
import { type Evidence, type ScenarioEvidence, tellsText } from './evidence.ts';
import { mergeFacts } from './judge-calls.ts';
import { type Judgement, judge } from './question.ts';
import { canonical, listItems, nestedAt, type Reading, readJson, textAt } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import { drawTree, hasTree, listNodes } from './tree.ts';
import type { EmbeddingCall, Retrieval, ToolRun } from './truth.ts';

/** One judgement for each fact that the bytes carry. */
export function judgeScenario(scenario: RecordedScenario, evidence: ScenarioEvidence, reading: Reading): Judgement[] {
  return [
    ...judgeTools(scenario, evidence, reading),
    ...judgeRetrievals(scenario, evidence.whole, reading),
    ...judgeEmbeddings(scenario, evidence.whole, reading),
    ...judgeGiven(scenario, evidence.whole, reading),
    ...judgeOutcome(scenario, evidence, reading),
    ...judgeTree(scenario, reading),
    ...judgeSums(scenario, reading),
  ];
}

/** What a span was given and gave, as it is shown. */
const GIVEN_KEYS = ['input.value', 'tool.parameters'];

function judgeTools({ truth, carried }: RecordedScenario, evidence: ScenarioEvidence, { spans }: Reading): Judgement[] {
  const tools = spans.filter(({ span_kind: kind }) => kind === 'TOOL');
  const lines = spans.flatMap(({ attributes }) =>
    ['llm.input_messages', 'llm.output_messages'].flatMap((path) => shownLines(attributes, path)),
  );
  const isNamed = ({ name, attributes }: RestSpan, run: ToolRun) =>
    textAt(attributes, 'tool.name') === run.name || name.includes(run.name);
  // Where the tool's own span carries it, that must tell it; else another tool's (a proxy's), or a message.
  const isTold = (
    run: ToolRun,
    isCarriedBy: (own: Evidence) => boolean,
    isToldBy: (span: RestSpan) => boolean,
    isToldIn: (line: Line) => boolean,
  ) => {
    const own = tools.filter((span) => isNamed(span, run) && isCarriedBy(evidence.of(span.context.span_id)));
    return own.length > 0 ? own.some(isToldBy) : tools.some(isToldBy) || lines.some(isToldIn);
  };
  const isGiven = (run: ToolRun) =>
    isTold(
      run,
      (own) => Object.entries(run.arguments).every(([key, value]) => own.carriesMember(key, value)),
      (span) => toldAt(span, GIVEN_KEYS).some((text) => hasAll(text, run.arguments)),
      ({ type, text }) => type === 'call' && text.endsWith(`${run.name} ${canonical(run.arguments)}`),
    );
  const isGot = (run: ToolRun, result: string) =>
    isTold(
      run,
      (own) => own.carries(result),
      (span) => toldAt(span, ['output.value']).some((text) => text.includes(result)),
      ({ type, text }) => type === 'result' && isSameResult(result, text),
    );
  const got = tools
    .map((span) => `${span.name}: ${toldAt(span, [...GIVEN_KEYS, 'output.value']).join(' -> ')}`)
    .join(' | ');
  return mergeFacts(
    truth.tool_runs.flatMap((run) => [
      ...(carried['tool_run_arguments'] === true
        ? [judge('tool_run_arguments', isGiven(run), [run.name, run.arguments], got)]
        : []),
      ...(carried['tool_run_result'] === true && run.result !== null
        ? [judge('tool_run_result', isGot(run, run.result), [run.name, run.result], got)]
        : []),
    ]),
  );
}

function toldAt({ attributes }: RestSpan, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const value = nestedAt(attributes, key);
    return value === undefined ? [] : canonical(value);
  });
}

/** Whether a text tells all values, each as it is or as JSON. */
function hasAll(text: string, values: Readonly<Record<string, unknown>>): boolean {
  return Object.values(values).every((value) => text.includes(canonical(value)));
}

function judgeRetrievals({ truth, carried }: RecordedScenario, whole: Evidence, { spans }: Reading): Judgement[] {
  const shown = spans.map(({ attributes }) => listItems(attributes, 'retrieval.documents'));
  const judgeList = (
    fact: string,
    read: (document: ShownDocument) => unknown,
    expected: readonly unknown[],
  ): Judgement[] => {
    if (carried[fact] !== true || expected.length === 0) return [];
    const lists = shown.map((documents) => documents.map(readDocument).map(read));
    const isSame = (list: readonly unknown[]) =>
      expected.every((value, at) => contains(list[at], value)) && list.length === expected.length;
    return [
      judge(
        fact,
        lists.some(isSame),
        expected,
        lists.find((list) => list.length > 0),
      ),
    ];
  };
  return mergeFacts(
    truth.retrievals.flatMap(({ query, documents }: Retrieval) => [
      ...judgeList(
        'documents',
        ({ content }) => content,
        documents.map(({ content }) => content),
      ),
      ...judgeList(
        'document_ids',
        ({ id }) => id,
        documents.flatMap(({ id }) => id ?? []),
      ),
      ...judgeList(
        'document_scores',
        ({ score }) => score,
        documents.flatMap(({ score }) => score ?? []),
      ),
      ...judgeList(
        'document_metadata',
        ({ metadata }) => metadata,
        documents.flatMap(({ metadata }) => metadata ?? []),
      ),
      ...judgeQuery(query, whole, spans),
    ]),
  );
}

/** A retriever says what was looked for. */
function judgeQuery(query: string, whole: Evidence, spans: readonly RestSpan[]): Judgement[] {
  const inputs = spans
    .filter(({ span_kind: kind }) => kind === 'RETRIEVER')
    .flatMap((span) => toldAt(span, ['input.value']));
  if (inputs.length === 0 || !whole.carries(query)) return [];
  return [
    judge(
      'retrieval_query',
      inputs.some((text) => text.includes(query)),
      query,
      inputs.join(' | '),
    ),
  ];
}

interface ShownDocument {
  readonly id: unknown;
  readonly content: unknown;
  readonly score: unknown;
  readonly metadata: unknown;
}

function readDocument(item: Readonly<Record<string, unknown>>): ShownDocument {
  return {
    id: item['document.id'],
    content: item['document.content'],
    score: item['document.score'],
    metadata: nestedAt(item, 'document.metadata'),
  };
}

function judgeEmbeddings({ truth, carried }: RecordedScenario, whole: Evidence, { spans }: Reading): Judgement[] {
  const candidates = spans.filter(({ span_kind: kind }) => kind === 'EMBEDDING');
  const items = candidates.map(({ attributes }) => listItems(attributes, 'embedding.embeddings'));
  return mergeFacts(
    truth.embedding_calls.flatMap((call) =>
      [
        judge(
          'embedding_model',
          candidates.some((span) => shownModels(span).asked.includes(call.model)),
          call.model,
          candidates.flatMap((span) => shownModels(span).asked),
        ),
        judge(
          'embedding_input',
          items.some((list) =>
            isSameList(
              call.input,
              list.map((item) => item['embedding.text']),
            ),
          ),
          call.input,
          items.map((list) => list.map((item) => item['embedding.text'])),
        ),
        judge(
          'embedding_vectors',
          items.some((list) =>
            isSameVectors(
              call.vectors,
              list.map((item) => readJson(item['embedding.vector'])),
            ),
          ),
          call.vectors,
          items.map((list) => list.map((item) => item['embedding.vector'])),
        ),
        judge(
          'embedding_usage',
          candidates.some((span) => shownCount(span, 'input_total') === call.usage.input_total),
          call.usage.input_total,
          candidates.map((span) => shownCount(span, 'input_total')),
        ),
      ].filter(({ fact }) => isAsked(carried[fact], fact, call, whole)),
    ),
  );
}

function isAsked(isCarried: boolean | 'part' | undefined, fact: string, call: EmbeddingCall, whole: Evidence): boolean {
  if (isCarried !== 'part') return isCarried === true;
  return fact === 'embedding_input' && call.input.every((text) => whole.carries(text));
}

function isSameList(expected: readonly unknown[], shown: readonly unknown[]): boolean {
  return canonical(expected) === canonical(shown);
}

/** As numbers of 32 bits, which is what providers send and some SDKs keep. */
function isSameVectors(expected: EmbeddingCall['vectors'], shown: readonly unknown[]): boolean {
  if (shown.length !== expected.length) return false;
  return expected.every((vector, at) => {
    const one = shown[at];
    return (
      Array.isArray(one) &&
      one.length === vector.length &&
      vector.every((value, place) => Math.fround(value) === Math.fround(Number(one[place])))
    );
  });
}

function judgeGiven({ truth, carried }: RecordedScenario, whole: Evidence, { spans, sessions }: Reading): Judgement[] {
  const { given } = truth;
  const anywhere = (path: string) => spans.flatMap(({ attributes }) => nestedAt(attributes, path) ?? []);
  const judgements: Judgement[] = [];
  const ask = (fact: string, isAskable: boolean, expected: unknown, shown: readonly unknown[]): void => {
    if (!isAskable || expected === undefined) return;
    judgements.push(
      judge(
        fact,
        shown.some((value) => contains(value, expected)),
        expected,
        shown,
      ),
    );
  };
  ask(
    'session',
    carried['session'] === true,
    given.session,
    sessions.map((session) => session.session_id),
  );
  ask('user', carried['user'] === true, given.user, anywhere('user.id'));
  ask(
    'metadata',
    carried['metadata'] === true,
    given.metadata,
    spans.map(({ attributes }) => nestedAt(attributes, 'metadata')),
  );
  const tags = spans.map(({ attributes }) => readJson(attributes['tag.tags'])).filter(Array.isArray);
  ask(
    'tags',
    carried['tags'] === true,
    given.tags?.toSorted(),
    tags.map((list: unknown[]) => list.map(String).sort()),
  );
  const { prompt_template: template, input, output_length: length, image_url: url } = given;
  if (template !== undefined && whole.carries(template.template)) {
    const shown = spans.map(({ attributes }) => nestedAt(attributes, 'llm.prompt_template'));
    const read = shown.map((one) =>
      typeof one === 'object' && one !== null
        ? { ...one, variables: readJson((one as { variables?: unknown }).variables) }
        : one,
    );
    ask('prompt_template', true, template, read);
  }
  ask('input', true, input, anywhere('input.value'));
  ask(
    'output_length',
    true,
    length,
    anywhere('output.value').map((text) => canonical(text).length),
  );
  const images = spans
    .flatMap(({ attributes }) => shownLines(attributes, 'llm.input_messages'))
    .filter(({ type }) => type === 'image');
  ask(
    'image_url',
    true,
    url,
    images.map(({ text }) => text),
  );
  const costs = anywhere('llm.cost.total');
  ask('cost', true, given.cost?.total ?? given.cost_details?.total, costs);
  if (given.model_parameters !== undefined) {
    for (const question of askParameters({ parameters: given.model_parameters })) {
      const answers = spans.map((span) => question.answer(span));
      judgements.push(
        judge(
          'given_parameters',
          answers.some(({ isRight }) => isRight),
          question.expected,
          answers.map(({ got }) => got),
        ),
      );
    }
  }
  for (const [name, count] of givenUsage(given)) {
    ask(
      `given_${name}`,
      true,
      count,
      spans.map((span) => shownCount(span, name)),
    );
  }
  return judgements;
}

/** What a program said by hand; `usage_details` leaves cached tokens out of the input. */
function givenUsage({ usage, usage_details: details }: RecordedScenario['truth']['given']) {
  const counts = usage ?? {};
  const fromDetails: [keyof typeof counts, number][] =
    details === undefined
      ? []
      : [
          ['input_total', (details['input'] ?? 0) + (details['cache_read_input_tokens'] ?? 0)],
          ['input_cache_read', details['cache_read_input_tokens'] ?? 0],
          ['output_total', details['output'] ?? 0],
        ];
  return [...(Object.entries(counts) as [keyof typeof counts, number][]), ...fromDetails];
}

/** Whether a value is the expected one, or holds it: an object all members, a number nearly, a text that of a number. */
function contains(value: unknown, expected: unknown): boolean {
  const read = readJson(value);
  if (typeof expected === 'number') return read !== '' && Math.abs(Number(read) - expected) < 1e-9;
  if (typeof expected !== 'object' || expected === null) return String(read) === String(expected);
  if (Array.isArray(expected)) return canonical(read) === canonical(expected);
  if (typeof read !== 'object' || read === null) return false;
  return Object.entries(expected).every(([key, item]) => contains((read as Record<string, unknown>)[key], item));
}

function judgeOutcome(
  { truth, carried }: RecordedScenario,
  evidence: ScenarioEvidence,
  { spans }: Reading,
): Judgement[] {
  const judgements: Judgement[] = [];
  if (carried['error_message'] === true && truth.error !== null) {
    const told = spans.flatMap(({ status_message: status, events }) => [
      status,
      ...events.flatMap(({ attributes }) => textAt(attributes, 'exception.message') ?? []),
    ]);
    const { message } = truth.error;
    judgements.push(
      judge(
        'error_message',
        told.some((text) => tellsLines(text, message)),
        message,
        told,
      ),
    );
  }
  const expected = truth.final_output;
  if (expected !== null && evidence.whole.carries(canonical(expected).trim())) {
    const ids = new Set(spans.map(({ context }) => context.span_id));
    const top = spans.filter(({ parent_id: parent }) => parent === null || !ids.has(parent));
    const isToldBy = (span: RestSpan) => isFinal(expected, span);
    const isCarriedByTop = top.some(({ context }) => evidence.of(context.span_id).carries(canonical(expected).trim()));
    const isRight = (isCarriedByTop ? top : spans).some(isToldBy);
    judgements.push(
      judge(
        'final_output',
        isRight,
        expected,
        top.flatMap((span) => toldAt(span, ['output.value'])),
      ),
    );
  }
  return judgements;
}

/** Whether a text has all the lines that say something; what stands before the first may be named otherwise. */
function tellsLines(text: string, message: string): boolean {
  const lines = message.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.length > MAX_NAME || lines.length === 1).every((line) => text.includes(line));
}

/** Such as `RESOURCE_EXHAUSTED:`. */
const MAX_NAME = 24;

function isFinal(expected: unknown, span: RestSpan): boolean {
  const texts = [
    ...toldAt(span, ['output.value']),
    ...shownLines(span.attributes, 'llm.output_messages').map(({ text }) => text),
  ];
  return texts.some((text) => tellsText(text, canonical(expected).trim()) || isSameResult(expected, text));
}

function judgeTree({ truth }: RecordedScenario, { spans }: Reading): Judgement[] {
  const { tree, traces } = truth;
  const nodes = listNodes(tree);
  const shown = drawTree(spans);
  const isNamed = (span: RestSpan, { name }: (typeof nodes)[number]) => name === null || span.name === name;
  const isOfKind = (span: RestSpan, { kind }: (typeof nodes)[number]) => kind === null || span.span_kind === kind;
  const failed = (span: RestSpan, { status }: (typeof nodes)[number]) =>
    status === undefined || span.status_code === status;
  const judgements: Judgement[] = [];
  if (nodes.length > 0) {
    judgements.push(judge('tree', hasTree(spans, tree, isNamed), tree, shown));
    judgements.push(
      judge(
        'kinds',
        hasTree(spans, tree, (span, node) => isNamed(span, node) && isOfKind(span, node)),
        tree,
        shown,
      ),
    );
  }
  if (nodes.some(({ status }) => status !== undefined)) {
    judgements.push(
      judge(
        'error_status',
        hasTree(spans, tree, (span, node) => isNamed(span, node) && failed(span, node)),
        tree,
        shown,
      ),
    );
  }
  if (traces !== null) {
    const count = new Set(spans.map(({ context }) => context.trace_id)).size;
    judgements.push(judge('traces', count === traces, traces, count));
  }
  return judgements;
}

/** The sums are those of the model calls, however often spans repeat them. */
function judgeSums({ truth, carried }: RecordedScenario, { traces, sessions }: Reading): Judgement[] {
  if (traces === undefined) return [];
  const given = new Map(givenUsage(truth.given));
  const judgements: Judgement[] = [];
  const ask = (fact: string, name: 'input_total' | 'output_total', shown: number): void => {
    const isCarried = carried[`usage_${name}`];
    if (isCarried === 'part' || (isCarried === undefined && !given.has(name))) return;
    const expected = sum(truth.llm_calls.map(({ usage }) => usage?.[name] ?? 0)) + (given.get(name) ?? 0);
    if (isCarried !== false) judgements.push(judge(fact, shown === expected, expected, shown));
    else if (shown !== 0 && shown !== expected) {
      judgements.push({ fact, verdict: 'wrong', expected: `0 or ${expected}`, got: String(shown) });
    }
  };
  ask('sum_input', 'input_total', sum(traces.map((trace) => trace.token_count_prompt)));
  ask('sum_output', 'output_total', sum(traces.map((trace) => trace.token_count_completion)));
  for (const session of sessions) {
    const parts = traces.filter(({ trace_id: id }) => session.trace_ids.includes(id));
    if (parts.length < session.trace_ids.length) continue;
    const expected = sum(parts.map((trace) => trace.token_count_prompt + trace.token_count_completion));
    const shown = (session.token_count_prompt ?? 0) + (session.token_count_completion ?? 0);
    judgements.push(judge('session_sum', shown === expected, expected, shown));
  }
  return mergeFacts(judgements);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
