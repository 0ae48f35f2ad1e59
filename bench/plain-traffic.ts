/** Traffic without conversations: many small steps, or a few that carry whole documents. */
import type { TrafficSpan } from './encode-span.ts';
import type { Random } from './random.ts';

const SPANS_PER_TRACE = 8;

/** Steps of 1 kB, eight to a trace, each below the first. */
export function* smallTraffic(random: Random): Generator<TrafficSpan> {
  for (let nowUs = START_US; ; nowUs += 1000) {
    const traceId = random.bytes(16);
    const rootId = random.bytes(8);
    for (let place = 0; place < SPANS_PER_TRACE; place++) {
      yield {
        traceId,
        spanId: place === 0 ? rootId : random.bytes(8),
        parentSpanId: place === 0 ? undefined : rootId,
        name: `step ${place}`,
        startUnixNano: BigInt(nowUs) * 1000n,
        endUnixNano: BigInt(nowUs + random.whole(10, 90_000)) * 1000n,
        attributes: {
          'openinference.span.kind': place === 0 ? 'CHAIN' : 'TOOL',
          'session.id': `session-${Math.floor(nowUs / 20_000)}`,
          'input.value': random.text(340),
          'input.mime_type': 'text/plain',
          'output.value': random.text(340),
          'output.mime_type': 'text/plain',
          'tool.name': `tool_${random.whole(1, 30)}`,
          'app.attempt': random.whole(1, 3),
          'app.score': random.fraction(),
        },
      };
    }
  }
}

/** A word that one of 280 answers of {@link proseTraffic} has. */
export const RARE_WORD = 'recursively';

/** Steps of 2.5 kB of prose and code, eight to a trace, of which none repeats another. */
export function* proseTraffic(random: Random): Generator<TrafficSpan, never> {
  for (let nowUs = START_US; ; nowUs += 1000) {
    const traceId = random.bytes(16);
    const rootId = random.bytes(8);
    for (let place = 0; place < SPANS_PER_TRACE; place++) {
      const rare = random.whole(1, 280) === 1 ? ` ${RARE_WORD} ` : ' ';
      yield {
        traceId,
        spanId: place === 0 ? rootId : random.bytes(8),
        parentSpanId: place === 0 ? undefined : rootId,
        name: `step ${place}`,
        startUnixNano: BigInt(nowUs) * 1000n,
        endUnixNano: BigInt(nowUs + random.whole(10, 90_000)) * 1000n,
        attributes: {
          'openinference.span.kind': place === 0 ? 'CHAIN' : 'LLM',
          'input.value': random.text(1100),
          'output.value': `${random.text(400)}${rare}\n\n${code(random, 700)}`,
          'llm.model_name': 'gpt-5-mini',
          'llm.token_count.prompt': random.whole(200, 400),
          'llm.token_count.completion': random.whole(100, 300),
          'app.note': random.text(60),
        },
      };
    }
  }
}

/** Lines that read like a program. */
function code(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    const [name, argument, result] = random.text(60).split(' ');
    text += `  const ${result}_${name} = ${name}.${argument}(${random.whole(0, 99)}, "${result}");\n`;
  }
  return text;
}

/** Retrievals of 200 kB: forty documents each, a trace each. */
export function* largeTraffic(random: Random): Generator<TrafficSpan> {
  // Documents come from a library: writing new words for each would take longer than sending them.
  const library = Array.from({ length: 400 }, () => random.text(4800));
  for (let nowUs = START_US; ; nowUs += 1000) {
    const attributes: Record<string, string | number> = {
      'openinference.span.kind': 'RETRIEVER',
      'input.value': random.text(200),
      'session.id': `session-${random.whole(1, 1e6)}`,
    };
    for (let place = 0; place < 40; place++) {
      attributes[`retrieval.documents.${place}.document.id`] = `document-${random.whole(1, 1e6)}`;
      attributes[`retrieval.documents.${place}.document.content`] = library[random.whole(0, 399)] as string;
      attributes[`retrieval.documents.${place}.document.score`] = random.fraction();
    }
    yield {
      traceId: random.bytes(16),
      spanId: random.bytes(8),
      parentSpanId: undefined,
      name: 'retrieve',
      startUnixNano: BigInt(nowUs) * 1000n,
      endUnixNano: BigInt(nowUs + random.whole(10_000, 900_000)) * 1000n,
      attributes,
    };
  }
}

const START_US = 1_767_225_600_000_000;
