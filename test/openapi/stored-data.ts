/** What a server has stored before requests are made from its document: something of each kind that paths and bodies name. */
import { formatGlobalId } from '#base/global-id';
import { sendJson, type Shown } from '../harness/accounts.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';

/** By parameter of a path, or by place in a body, names of what is stored, and one of what is not. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'path.project_identifier': ['default', 'other', 'nowhere'],
  'path.trace_identifier': [traceId(1), traceId(2), traceId(99)],
  'path.span_identifier': [spanId(1), spanId(2), spanId(99)],
  'path.session_identifier': ['conversation 1', 'conversation 2', 'nobody'],
  'path.config_identifier': ['quality', 'user_feedback', 'nothing'],
  'path.queue_identifier': ['rounds', 'nothing'],
  'path.price_id': [formatGlobalId('GenerativeModel', 1), formatGlobalId('GenerativeModel', 99)],
  'path.annotation_id': [1, 2, 99].map((rowId) => formatGlobalId('SpanAnnotation', rowId)),
  'path.item_id': [1, 2, 99].map((rowId) => formatGlobalId('AnnotationQueueItem', rowId)),
  'path.rule_id': [1, 99].map((rowId) => formatGlobalId('AnnotationQueueRule', rowId)),
  'body.data[*].span_id': [spanId(1), spanId(3), spanId(99)],
  'body.data[*].trace_id': [traceId(1), traceId(3), traceId(99)],
  'body.data[*].session_id': ['conversation 1', 'nobody'],
};

/** Stores it. @param shown by whom */
export async function storeData(url: string, shown: Shown): Promise<void> {
  const number = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
  const spans = number(4).map(
    (id): TestSpan => ({
      traceId: traceId(id),
      spanId: spanId(id),
      attributes: { 'session.id': `conversation ${id % 2}`, 'openinference.span.kind': 'LLM', 'input.value': 'said' },
    }),
  );
  for (const [project, part] of [
    ['default', spans.slice(0, 3)],
    ['other', spans.slice(3)],
  ] as const) {
    await exportAll(url, traceRequest(part, { 'openinference.project.name': project }), shown);
  }
  const price = { token_type: 'input', is_prompt: true, usd_per_million_tokens: 1 };
  const about = (target: object) => ({
    ...target,
    name: 'quality',
    annotator_kind: 'HUMAN',
    result: { label: 'good' },
  });
  for (const [method, path, body] of [
    ['POST', '/v1/annotation_configs', { type: 'FREEFORM', name: 'quality' }],
    ['POST', '/v1/annotation_queues', { name: 'rounds', rows: 'traces' }],
    ['POST', '/v1/annotation_queues/rounds/rules', { project_identifier: 'default', sample_percent: 100 }],
    [
      'POST',
      '/v1/model_prices',
      { name: 'house', name_pattern: '^house$', prices: [price, { ...price, token_type: 'output', is_prompt: false }] },
    ],
    ['POST', '/v1/span_annotations?sync=true', { data: number(2).map((id) => about({ span_id: spanId(id) })) }],
    ['POST', '/v1/trace_annotations?sync=true', { data: [about({ trace_id: traceId(1) })] }],
    ['POST', '/v1/session_annotations?sync=true', { data: [about({ session_id: 'conversation 1' })] }],
    ['POST', '/v1/span_notes', { data: { span_id: spanId(1), note: 'seen' } }],
  ] as const) {
    const { status, body: said } = await sendJson(url, method, path, body, shown);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(said)}`);
  }
}
