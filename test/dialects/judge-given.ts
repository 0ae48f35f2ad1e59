/** What a reading shows of what a program handed to its SDK. */
import { askParameters, shownCount } from './call-facts.ts';
import { shownLines } from './conversation.ts';
import type { Evidence } from './evidence.ts';
import { type Judgement, judge, show } from './question.ts';
import { canonical, contains, nestedAt, type Reading, readJson } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import { givenUsage } from './truth.ts';

/** Session, user, tags, metadata, and whatever else was said by hand. */
export function judgeGiven(
  { truth, carried }: RecordedScenario,
  whole: Evidence,
  { spans, sessions }: Reading,
): Judgement[] {
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
  const quiet = (fact: 'session' | 'user', shown: readonly unknown[]): void => {
    const [other] = carried[fact] === false ? shown.filter((one) => one !== given[fact]) : [];
    if (other === undefined) return;
    judgements.push({ fact, verdict: 'wrong', expected: `nothing, or ${given[fact]}`, got: show(other) });
  };
  const sessionIds = sessions.map((session) => session.session_id);
  ask('session', carried['session'] === true, given.session, sessionIds);
  quiet('session', sessionIds);
  ask('user', carried['user'] === true, given.user, anywhere('user.id'));
  quiet('user', anywhere('user.id'));
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
