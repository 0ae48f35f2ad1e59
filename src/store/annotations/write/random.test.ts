/** Whatever is annotated, deleted, moved and erased, in whatever order: what is stored is what a plain map would hold. */
import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { RandomStore } from '../../random-store.fixture.ts';
import { storeAnnotations } from './annotation-rows.ts';
import { lockTargets } from './find-targets.ts';
import { annotationHooks } from './hooks.ts';
import { seedsOf } from '../../../../test/harness/test-engine.ts';

const PROJECTS = ['one', 'two'];
const SESSIONS = ['s'];
const NAMES = ['a'];
const STEPS = 120;

/** A generator of numbers below a bound; the same for the same seed. */
function randomOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

interface ModelTrace {
  project: string;
  readonly session: string;
  readonly spans: Set<number>;
}

/** What is stored, by names: `span 1 2`, `trace 1`, `session one s`, each with the name of the annotation. */
class Model {
  readonly traces = new Map<number, ModelTrace>();
  readonly said = new Map<string, { readonly score: number; readonly atUs: number }>();

  say(target: string, name: string, score: number, atUs: number): void {
    const key = `${target}: ${name}`;
    if ((this.said.get(key)?.atUs ?? 0) <= atUs) this.said.set(key, { score, atUs });
  }

  forget(target: string): void {
    for (const name of NAMES) this.said.delete(`${target}: ${name}`);
  }

  /** After a trace left a session: `into` is the one that it joined. */
  leave(project: string, session: string, into: string | null): void {
    if ([...this.traces.values()].some((trace) => trace.project === project && trace.session === session)) return;
    const target = `session ${project} ${session}`;
    for (const name of NAMES) {
      const said = this.said.get(`${target}: ${name}`);
      if (said === undefined || into === null) continue;
      const other = this.said.get(`session ${into} ${session}: ${name}`);
      if (other === undefined || other.atUs < said.atUs) this.said.set(`session ${into} ${session}: ${name}`, said);
    }
    this.forget(target);
  }

  remove(trace: number): void {
    const gone = this.traces.get(trace);
    if (gone === undefined) return;
    this.traces.delete(trace);
    for (const span of gone.spans) this.forget(`span ${trace} ${span}`);
    this.forget(`trace ${trace}`);
    this.leave(gone.project, gone.session, null);
  }
}

async function stored(store: RandomStore): Promise<readonly string[]> {
  const rows = await store.rows(`SELECT annotations.name, score, target, projects.name AS project,
      coalesce(traces.trace_id, of_span.trace_id, '') AS trace, coalesce(spans.span_id, sessions.session_id, '') AS part
    FROM annotations JOIN projects ON projects.id = annotations.project_id
    LEFT JOIN traces ON target = 'trace' AND traces.id = target_row_id
    LEFT JOIN spans ON target = 'span' AND spans.id = target_row_id
    LEFT JOIN traces AS of_span ON of_span.id = spans.trace_row_id
    LEFT JOIN sessions ON target = 'session' AND sessions.id = target_row_id`);
  return rows.map((row) => Object.values(row).join(' ')).toSorted();
}

function expected({ said, traces }: Model): readonly string[] {
  const lines = [...said].map(([key, { score }]) => {
    const [target = '', name] = key.split(': ');
    const [kind, first = '', second = ''] = target.split(' ');
    if (kind === 'session') return [name, score, kind, first, '', second];
    const project = traces.get(Number(first))?.project;
    return [name, score, kind, project, traceId(Number(first)), kind === 'span' ? spanId(Number(second)) : ''];
  });
  return lines.map((line) => line.join(' ')).toSorted();
}

it.each(seedsOf([1, 2, 3]))('annotations are those of a plain map (%i)', async (seed) => {
  const random = randomOf(seed);
  const pick = <Item>(list: readonly Item[]): Item | undefined => list[random(list.length)];
  const store = await RandomStore.open({ hooks: [annotationHooks] });
  const model = new Model();
  for (const project of PROJECTS) await store.send([{ traceId: traceId(99), spanId: spanId(99) }], project);
  await store.send([{ traceId: traceId(98), spanId: spanId(98) }], 'two');
  for (let step = 1; step <= STEPS; step++) {
    const number = 1 + random(3);
    const trace = model.traces.get(number);
    const action = random(10);
    if (action < 1 || trace === undefined) {
      const arriving = trace ?? {
        project: pick(PROJECTS) ?? '',
        session: pick(SESSIONS) ?? '',
        spans: new Set<number>(),
      };
      const span = 1 + random(2);
      const attributes = { 'session.id': arriving.session, step };
      await store.send([{ traceId: traceId(number), spanId: spanId(span), attributes }], arriving.project);
      arriving.spans.add(span);
      model.traces.set(number, arriving);
    } else if (action < 5) {
      const span = pick([...trace.spans]) ?? 0;
      const target = pick(['span', 'trace', 'session', 'session'] as const) ?? 'span';
      const rowId = {
        span: await store.spanRowId(traceId(number), spanId(span)),
        trace: await store.traceRowId(traceId(number)),
        session: Number(
          (await store.rows(`SELECT session_row_id AS id FROM traces WHERE trace_id = '${traceId(number)}'`))[0]?.[
            'id'
          ],
        ),
      }[target];
      const name = pick(NAMES) ?? '';
      // Sometimes one that was said earlier comes late.
      const atUs = Math.max(1, step - random(3) * 5);
      const found = (await lockTargets(store.memory, target, [rowId])).get(rowId);
      if (found === undefined) throw new Error(`${target} of trace ${number} is not there`);
      const said = { name, identifier: '', documentPosition: -1, score: step, label: null, explanation: null };
      const rest = {
        annotatorKind: 'CODE',
        metadata: '{}',
        source: 'API',
        userRowId: null,
        isCarried: false,
        atUs,
      } as const;
      const row = { ...said, ...rest, targetRowId: rowId, projectRowId: found.projectRowId };
      await storeAnnotations(store.memory, target, [row], { keepsNewer: true });
      const named = {
        span: `span ${number} ${span}`,
        trace: `trace ${number}`,
        session: `session ${trace.project} ${trace.session}`,
      };
      model.say(named[target], name, step, atUs);
    } else if (action === 5 && trace.spans.size > 1) {
      const span = pick([...trace.spans]) ?? 0;
      await store.deleteSpan(await store.spanRowId(traceId(number), spanId(span)));
      trace.spans.delete(span);
      model.forget(`span ${number} ${span}`);
    } else if (action === 6) {
      const projectRowId = (await store.projectRowId(trace.project)) ?? 0;
      await store.deleteTraces(projectRowId, { traceRowIds: [await store.traceRowId(traceId(number))] });
      model.remove(number);
    } else {
      const from = trace.project;
      const into = from === 'one' ? 'two' : 'one';
      await store.moveTrace(await store.traceRowId(traceId(number)), (await store.projectRowId(into)) ?? 0);
      trace.project = into;
      model.leave(from, trace.session, into);
    }
    await store.settle();
    expect([step, await stored(store)]).toEqual([step, expected(model)]);
  }
});
