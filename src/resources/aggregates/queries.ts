/** Answers about all spans of a question, for fields that cannot say that they are in part. */
import { AppError } from '#base/errors';
import type { Caller, ForCaller } from '#domain/caller';
import type {
  AggregateAnswer,
  AggregateQuestion,
  AnnotationAnswer,
  AnnotationQuestion,
  Aggregates,
  DocumentAnswer,
  DocumentQuestion,
  SessionAnswer,
  SessionQuestion,
  TraceAnswer,
  TraceQuestion,
} from '#store/aggregates/port';

/** In the order of the questions; `deadline_exceeded` where time does not suffice for all spans. One that fails fails alone. */
export function aggregateWhole(
  caller: Caller,
  aggregates: ForCaller<Aggregates>,
  questions: readonly AggregateQuestion[],
): Promise<readonly (AggregateAnswer | Error)[]> {
  return Promise.all(questions.map((question) => whole(aggregates(caller).aggregate(question))));
}

/** The same of traces. */
export function aggregateTracesWhole(
  caller: Caller,
  aggregates: ForCaller<Aggregates>,
  questions: readonly TraceQuestion[],
): Promise<readonly (TraceAnswer | Error)[]> {
  return Promise.all(questions.map((question) => whole(aggregates(caller).aggregateTraces(question))));
}

/** The same of sessions. */
export function aggregateSessionsWhole(
  caller: Caller,
  aggregates: ForCaller<Aggregates>,
  questions: readonly SessionQuestion[],
): Promise<readonly (SessionAnswer | Error)[]> {
  return Promise.all(questions.map((question) => whole(aggregates(caller).aggregateSessions(question))));
}

/** The same of annotations. */
export function summarizeAnnotationsWhole(
  caller: Caller,
  aggregates: ForCaller<Aggregates>,
  questions: readonly AnnotationQuestion[],
): Promise<readonly (AnnotationAnswer | Error)[]> {
  return Promise.all(questions.map((question) => whole(aggregates(caller).summarizeAnnotations(question))));
}

/** The same of documents. */
export function evaluateDocumentsWhole(
  caller: Caller,
  aggregates: ForCaller<Aggregates>,
  questions: readonly DocumentQuestion[],
): Promise<readonly (DocumentAnswer | Error)[]> {
  return Promise.all(questions.map((question) => whole(aggregates(caller).evaluateDocuments(question))));
}

async function whole<Answer extends { readonly isPartial: boolean }>(asked: Promise<Answer>): Promise<Answer | Error> {
  try {
    const answer = await asked;
    return answer.isPartial ? new AppError('deadline_exceeded', TOO_LONG) : answer;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

const TOO_LONG = 'Searching all of the data takes too long: narrow the time range or the filter.';
