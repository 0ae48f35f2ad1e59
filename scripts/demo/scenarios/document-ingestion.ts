import { LIBRARY_DOCUMENTS, type LibraryDocument, SUMMARY_TEMPLATE } from '../content/library-documents.ts';
import type { Message } from '../conversation.ts';
import { type Fault, pythonFault, rateLimited } from '../faults.ts';
import { callModel } from '../model-call.ts';
import { GEMINI_FLASH, GEMINI_PRO, GPT_4O_MINI } from '../models.ts';
import { embeddingAttributes, inputOutput } from '../openinference.ts';
import { Double, type Scope } from '../otlp.ts';
import { pictureUrl } from '../pictures.ts';
import { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { INGESTION_SERVICE, resourceAt } from '../services.ts';
import { type OpenSpan, type RecordedTrace, TraceRecorder } from '../trace.ts';

const APP: Scope = { name: 'library.pipeline', version: '1.9.0' };
const LANGCHAIN: Scope = { name: 'openinference.instrumentation.langchain', version: '0.1.56' };
const OPENAI: Scope = { name: 'openinference.instrumentation.openai', version: '0.1.41' };
const EMBEDDING_MODEL = 'text-embedding-3-small';
const LOAD: LoadCurve = {
  base: 0.25,
  peaks: [{ hour: 2, height: 5, widthHours: 1 }],
  weekendFactor: 0.6,
};

const DAMAGED_FILE = pythonFault('pypdf.errors.PdfStreamError', 'Stream has ended unexpectedly', [
  '/app/library/pipeline.py:52 ingest | pages = load_pages(path)',
  '/app/library/loaders/pdf.py:31 load_pages | reader = PdfReader(stream, strict=True)',
  '/usr/local/lib/python3.12/site-packages/pypdf/_reader.py:1394 _get_xref_issues | raise PdfStreamError("Stream has ended unexpectedly")',
]);
const INVALID_REPLY = pythonFault(
  'pydantic_core.ValidationError',
  '2 validation errors for DocumentCard\nlanguage\n  Field required [type=missing]\nkeywords.3\n  Input should be a valid string [type=string_type, input_value=None]',
  [
    '/app/library/cards.py:77 extract_card | return DocumentCard.model_validate_json(reply)',
    '/usr/local/lib/python3.12/site-packages/pydantic/main.py:782 model_validate_json | return cls.__pydantic_validator__.validate_json(json_data)',
  ],
);

/** A pipeline reads files, splits, embeds and summarises them, mostly at night. */
export const DOCUMENT_INGESTION: Scenario = {
  name: 'document-ingestion',
  isScaled: true,
  startsIn: (hourMs) => expectedStarts(LOAD, hourMs),
  record: (random, startTimeMs) => [recordDocument(random, startTimeMs)],
};

function recordDocument(random: Random, startTimeMs: number): RecordedTrace {
  const document = random.pick(LIBRARY_DOCUMENTS);
  const revision = random.int(1, 40);
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt(INGESTION_SERVICE, random.int(0, 1), startTimeMs),
    scope: APP,
    shared: {
      metadata: JSON.stringify({ document: document.id, revision, pages: document.pages, language: document.language }),
      'tag.tags': ['ingestion', document.isScanned ? 'scan' : 'text', `lang:${document.language}`],
    },
  });
  trace.span('ingest_document', { kind: 'CHAIN' }, (root) => {
    root.set(inputOutput({ input: { file: document.file, revision } }));
    const fault = ingest(trace, document, startTimeMs);
    if (fault === undefined) {
      root.set(inputOutput({ output: { document: document.id, chunks: document.chunks.length, status: 'indexed' } }));
    } else {
      root.fail(fault, { isPassedOn: true });
      root.set(inputOutput({ output: { document: document.id, status: 'failed', error: fault.type } }));
    }
  });
  return trace.finish({ hasDied: random.chance(0.01) });
}

function ingest(trace: TraceRecorder, document: LibraryDocument, startTimeMs: number): Fault | undefined {
  const { random } = trace;
  const isDamaged = document.file.endsWith('.pdf') && random.chance(0.05);
  trace.span('load_file', { kind: 'TOOL' }, (span) => {
    const parameters = { path: document.file, max_pages: 500 };
    span.set({
      'tool.name': 'load_file',
      'tool.parameters': JSON.stringify(parameters),
      ...inputOutput({ input: parameters }),
    });
    trace.wait(random.skewed(12 * document.pages + 40));
    if (isDamaged) span.fail(DAMAGED_FILE);
    else span.set(inputOutput({ output: `${document.pages} pages read from ${document.file}` }));
  });
  if (isDamaged) return DAMAGED_FILE;
  const odds = faultOddsAt(startTimeMs);
  if (document.isScanned) {
    const fault = readScan(trace, document, odds);
    if (fault !== undefined) return fault;
  }
  trace.span('RecursiveCharacterTextSplitter.split', { kind: 'CHAIN', scope: LANGCHAIN }, (span) => {
    trace.wait(random.skewed(8));
    span.set(inputOutput({ input: document.chunks.join('\n\n'), output: [...document.chunks] }));
  });
  const embeddingFault = embedChunks(trace, document);
  if (embeddingFault !== undefined) return embeddingFault;
  const faults = trace.parallel([() => summarise(trace, document, odds), () => extractCard(trace, document, odds)]);
  const fault = faults.find((one) => one !== undefined);
  if (fault !== undefined) return fault;
  checkSummary(trace, document);
  upsert(trace, document);
  return undefined;
}

type Odds = ReturnType<typeof faultOddsAt>;

function readScan(trace: TraceRecorder, document: LibraryDocument, odds: Odds): Fault | undefined {
  const text = document.chunks.join('\n');
  return callModel(trace, {
    spanName: 'read_scan',
    scope: LANGCHAIN,
    runtime: 'python',
    model: GEMINI_PRO,
    odds,
    parameters: { temperature: 0, max_output_tokens: 4096 },
    messages: [
      {
        role: 'system',
        content: 'Transcribe the page exactly. Keep line breaks; mark what you cannot read as [illegible].',
      },
      { role: 'user', content: `Page 1 of ${document.file}`, imageUrl: pictureUrl('scan') },
    ],
    reply: { role: 'assistant', content: text },
  });
}

/** Two chunks a request; a request that hits the rate limit is sent again once. */
function embedChunks(trace: TraceRecorder, document: LibraryDocument): Fault | undefined {
  const { random } = trace;
  for (let position = 0; position < document.chunks.length; position += 2) {
    const texts = document.chunks.slice(position, position + 2);
    const attributes = inputOutput({ input: [...texts] });
    const embed = (body: (span: OpenSpan) => void) =>
      trace.span('CreateEmbeddings', { kind: 'EMBEDDING', scope: OPENAI, otelKind: 3, attributes }, body);
    if (random.chance(0.03)) {
      const fault = rateLimited('python', EMBEDDING_MODEL, 1.2);
      embed((span) => {
        span.set({ 'embedding.model_name': EMBEDDING_MODEL });
        trace.wait(random.skewed(60));
        span.fail(fault);
      });
      if (random.chance(0.15)) return fault;
      trace.wait(1200);
    }
    embed((span) => {
      trace.wait(random.skewed(140));
      span.set(embeddingAttributes(EMBEDDING_MODEL, texts, new Random(EMBEDDING_MODEL)));
    });
  }
  return undefined;
}

function summarise(trace: TraceRecorder, document: LibraryDocument, odds: Odds): Fault | undefined {
  const variables = { title: document.title, language: document.language, text: document.chunks.join('\n\n') };
  const prompt = SUMMARY_TEMPLATE.replace(/\{(\w+)\}/g, (_, name: keyof typeof variables) => variables[name]);
  const template = {
    'llm.prompt_template.template': SUMMARY_TEMPLATE,
    'llm.prompt_template.variables': JSON.stringify(variables),
    'llm.prompt_template.version': '4',
  };
  return trace.span('summarise', { kind: 'CHAIN', scope: LANGCHAIN }, (chain) => {
    trace.span('PromptTemplate', { kind: 'PROMPT', scope: LANGCHAIN, attributes: template }, (span) => {
      span.set(inputOutput({ input: variables, output: prompt }));
    });
    const fault = callModel(trace, {
      spanName: 'ChatVertexAI',
      scope: LANGCHAIN,
      runtime: 'python',
      model: GEMINI_FLASH,
      messages: [{ role: 'user', content: prompt }],
      reply: { role: 'assistant', content: document.summary },
      parameters: { temperature: 0.3, max_output_tokens: 300 },
      odds,
      attributes: template,
    });
    chain.set(inputOutput({ input: document.title, output: document.summary }));
    if (fault !== undefined) chain.fail(fault, { isPassedOn: true });
    return fault;
  });
}

/** Asks for a catalogue card as JSON; a reply that does not validate is sent back once with the errors. */
function extractCard(trace: TraceRecorder, document: LibraryDocument, odds: Odds): Fault | undefined {
  const { random } = trace;
  const card = {
    title: document.title,
    language: document.language,
    keywords: document.keywords,
    pages: document.pages,
  };
  const messages: Message[] = [
    { role: 'system', content: 'Fill in a catalogue card as JSON with title, language, keywords and pages.' },
    { role: 'user', content: document.chunks.join('\n\n') },
  ];
  const ask = (content: string) =>
    callModel(trace, {
      spanName: 'ChatOpenAI',
      scope: LANGCHAIN,
      runtime: 'python',
      model: GPT_4O_MINI,
      messages: [...messages],
      reply: { role: 'assistant', content },
      parameters: { temperature: 0, response_format: { type: 'json_object' } },
      odds,
    });
  return trace.span('extract_card', { kind: 'CHAIN', scope: LANGCHAIN }, (chain) => {
    chain.set(inputOutput({ input: document.title }));
    if (random.chance(0.08)) {
      const broken = JSON.stringify({ title: document.title, keywords: [...document.keywords.slice(0, 3), null] });
      const fault = ask(broken);
      if (fault !== undefined) return fault;
      trace.span('parse_card', { kind: 'CHAIN' }, (span) => {
        span.set(inputOutput({ input: broken }));
        span.fail(INVALID_REPLY);
      });
      messages.push(
        { role: 'assistant', content: broken },
        { role: 'user', content: `That does not validate. Correct it:\n${INVALID_REPLY.message}` },
      );
    }
    const fault = ask(JSON.stringify(card));
    if (fault === undefined) chain.set(inputOutput({ output: card }));
    else chain.fail(fault, { isPassedOn: true });
    return fault;
  });
}

function checkSummary(trace: TraceRecorder, document: LibraryDocument): void {
  const { random } = trace;
  trace.span('check_summary', { kind: 'EVALUATOR' }, (span) => {
    trace.wait(random.skewed(60));
    const score = Math.round(random.between(0.72, 1) * 100) / 100;
    const label = score < 0.8 ? 'needs review' : 'faithful';
    span.set({
      ...inputOutput({
        input: { summary: document.summary, chunks: document.chunks.length },
        output: { label, score },
      }),
      'evaluations.0.evaluation.name': 'summary_overlap',
      'evaluations.0.evaluation.label': label,
      'evaluations.0.evaluation.score': new Double(score),
      'evaluations.0.evaluation.annotator_kind': 'CODE',
    });
  });
}

function upsert(trace: TraceRecorder, document: LibraryDocument): void {
  const parameters = {
    collection: 'library-2026-11',
    points: document.chunks.map((_, position) => `${document.id}#${position}`),
  };
  trace.span('upsert_points', { kind: 'TOOL', otelKind: 3 }, (span) => {
    trace.wait(trace.random.skewed(35));
    span.set({
      'tool.name': 'upsert_points',
      'tool.parameters': JSON.stringify(parameters),
      ...inputOutput({
        input: parameters,
        output: { status: 'acknowledged', operation_id: trace.random.int(1000, 99_999) },
      }),
    });
  });
}
