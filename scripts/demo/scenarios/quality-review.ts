import { readContent, render } from '../content.ts';
import type { Message } from '../conversation.ts';
import { callModel } from '../model-call.ts';
import { MODELS } from '../models.ts';
import { inputOutput } from '../openinference.ts';
import { type AttributeMap, Double, type Scope } from '../otlp.ts';
import type { Random } from '../random.ts';
import { resourceAt } from '../services.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';

/** What a judge asks of a reply, and the verdicts that it can give. */
interface Criterion {
  readonly name: string;
  readonly question: string;
  readonly outcomes: readonly {
    readonly weight: number;
    readonly label: string;
    readonly score: number;
    readonly explanations: readonly string[];
  }[];
}

interface Exchange {
  readonly user: string;
  readonly assistant: string;
}

const REVIEW = readContent<{ readonly template: string; readonly criteria: readonly Criterion[] }>('review');

const APP: Scope = { name: 'quality_judge', version: '3.2.1' };
const LITELLM: Scope = { name: 'openinference.instrumentation.litellm', version: '0.1.29' };

/** A judge reads one reply of the assistant some minutes later; its spans link to the trace that they judge. */
export function reviewReply(random: Random, judged: RecordedTrace, turn: Exchange): RecordedTrace {
  const startTimeMs = Number(judged.endTimeUnixNano / 1_000_000n) + random.skewed(240_000);
  const target = { traceId: judged.traceId, spanId: judged.rootSpanId };
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt('quality-review', random, startTimeMs),
    scope: APP,
    shared: {
      metadata: JSON.stringify({ judged_trace: judged.traceId, rubric: '2026-10' }),
      'tag.tags': ['online-eval'],
    },
  });
  trace.span('review_reply', { kind: 'CHAIN' }, (root) => {
    root.link(target, { 'link.reason': 'judged trace' });
    root.set(inputOutput({ input: { question: turn.user, reply: turn.assistant } }));
    const verdicts = trace.parallel(REVIEW.criteria.map((criterion) => () => judge(trace, criterion, target, turn)));
    root.set(inputOutput({ output: Object.fromEntries(verdicts) }));
  });
  return trace.finish();
}

function judge(
  trace: TraceRecorder,
  criterion: Criterion,
  target: { readonly traceId: string; readonly spanId: string },
  turn: Exchange,
): [name: string, label: string] {
  const outcome = trace.random.pickWeighted(criterion.outcomes);
  return trace.span(`evaluate_${criterion.name}`, { kind: 'EVALUATOR' }, (span) => {
    span.link(target, { 'link.reason': 'judged trace' });
    const variables = { question: turn.user, reply: turn.assistant, criterion: criterion.question };
    const prompt = render(REVIEW.template, variables);
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
      model: MODELS[criterion.name === 'groundedness' ? 'gemini-flash' : 'gpt-4o-mini'],
      messages,
      reply: { role: 'assistant', content: JSON.stringify(verdict) },
      parameters: { temperature: 0, response_format: { type: 'json_object' } },
      odds: { rateLimit: 0.02, timeout: 0 },
      hasReportedCost: true,
      attributes: {
        'llm.prompt_template.template': REVIEW.template,
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
