import { CRITERIA, type Criterion, JUDGE_TEMPLATE } from '../content/review-criteria.ts';
import type { SupportTurn } from '../content/support-script.ts';
import type { Message } from '../conversation.ts';
import { callModel } from '../model-call.ts';
import { CLAUDE_SONNET, GPT_4O_MINI } from '../models.ts';
import { inputOutput } from '../openinference.ts';
import { type AttributeMap, Double, type Scope } from '../otlp.ts';
import type { Random } from '../random.ts';
import { resourceAt, REVIEW_SERVICE } from '../services.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';

const APP: Scope = { name: 'quality_judge', version: '3.2.1' };
const LITELLM: Scope = { name: 'openinference.instrumentation.litellm', version: '0.1.29' };

/** A judge reads one reply of the assistant some minutes later; its spans link to the trace that they judge. */
export function reviewReply(random: Random, judged: RecordedTrace, turn: SupportTurn): RecordedTrace {
  const startTimeMs = Number(judged.endTimeUnixNano / 1_000_000n) + random.skewed(240_000);
  const target = { traceId: judged.traceId, spanId: judged.rootSpanId };
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt(REVIEW_SERVICE, 0, startTimeMs),
    scope: APP,
    shared: {
      metadata: JSON.stringify({ judged_trace: judged.traceId, rubric: '2026-10' }),
      'tag.tags': ['online-eval'],
    },
  });
  trace.span('review_reply', { kind: 'CHAIN' }, (root) => {
    root.link(target, { 'link.reason': 'judged trace' });
    root.set(inputOutput({ input: { question: turn.user, reply: turn.assistant } }));
    const verdicts = trace.parallel(CRITERIA.map((criterion) => () => judge(trace, criterion, target, turn)));
    root.set(inputOutput({ output: Object.fromEntries(verdicts) }));
  });
  return trace.finish();
}

function judge(
  trace: TraceRecorder,
  criterion: Criterion,
  target: { readonly traceId: string; readonly spanId: string },
  turn: SupportTurn,
): [name: string, label: string] {
  const outcome = criterion.outcomes[trace.random.weighted(criterion.weights)];
  if (outcome === undefined) throw new Error(`The criterion ${criterion.name} has a weight without an outcome.`);
  return trace.span(`evaluate_${criterion.name}`, { kind: 'EVALUATOR' }, (span) => {
    span.link(target, { 'link.reason': 'judged trace' });
    const variables = { question: turn.user, reply: turn.assistant, criterion: criterion.question };
    const prompt = JUDGE_TEMPLATE.replace(/\{(\w+)\}/g, (_, name: keyof typeof variables) => variables[name]);
    const messages: readonly Message[] = [{ role: 'user', content: prompt }];
    const verdict = {
      label: outcome.label,
      score: outcome.score,
      explanation: trace.random.pick(outcome.explanations),
    };
    const fault = callModel(trace, {
      spanName: 'completion',
      scope: LITELLM,
      runtime: 'python',
      model: criterion.name === 'groundedness' ? CLAUDE_SONNET : GPT_4O_MINI,
      messages,
      reply: { role: 'assistant', content: JSON.stringify(verdict) },
      parameters: { temperature: 0, response_format: { type: 'json_object' } },
      odds: { rateLimit: 0.02, timeout: 0 },
      hasReportedCost: true,
      attributes: {
        'llm.prompt_template.template': JUDGE_TEMPLATE,
        'llm.prompt_template.variables': JSON.stringify(variables),
        'llm.prompt_template.version': '2026-10',
      },
    });
    if (fault !== undefined) {
      span.fail(fault, { isPassedOn: true });
      return [criterion.name, 'not judged'];
    }
    span.set({
      ...inputOutput({ input: variables, output: verdict }),
      ...evaluationAttributes(criterion.name, verdict),
    });
    return [criterion.name, verdict.label];
  });
}

function evaluationAttributes(
  name: string,
  verdict: { readonly label: string; readonly score: number; readonly explanation: string },
): AttributeMap {
  return {
    'evaluations.0.evaluation.name': name,
    'evaluations.0.evaluation.label': verdict.label,
    'evaluations.0.evaluation.score': new Double(verdict.score),
    'evaluations.0.evaluation.explanation': verdict.explanation,
    'evaluations.0.evaluation.annotator_kind': 'LLM',
  };
}
