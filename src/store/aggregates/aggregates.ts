/** Aggregates on a relational engine, in the thread that calls. */
import { Gate } from '#base/gate';
import { countAnnotationNames, listDocumentEvaluationNames, summarizeTargets } from '../annotations/names.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { aggregate } from './aggregate.ts';
import { summarizeAnnotations } from './annotations.ts';
import { listAttributePaths } from './attribute-paths.ts';
import { evaluateDocuments } from './document-evaluations.ts';
import { countFacets } from './facets.ts';
import { countSessionFacets, countTraceFacets } from './grain-facets.ts';
import type { Aggregates } from './port.ts';
import { groupSpans } from './group-spans.ts';
import { groupTraces } from './group-traces.ts';
import { aggregateSessions } from './session-numbers.ts';
import { readSessionLengths, readSessionQuantiles, readTurnGaps } from './sessions.ts';
import { aggregateTraces } from './traces.ts';
import { listUsers } from './users.ts';

/** One question after the other: each may hold a hundred megabytes. Between two batches other reads have their turn. */
export function relationalAggregates(scope: ReadScope): Aggregates {
  const gate = new Gate();
  return {
    aggregate: (question) => gate.run(() => aggregate(scope, question, BUDGET_MS)),
    countFacets: (question) => gate.run(() => countFacets(scope, question, BUDGET_MS)),
    aggregateTraces: (question) => gate.run(() => aggregateTraces(scope, question, BUDGET_MS)),
    aggregateSessions: (question) => gate.run(() => aggregateSessions(scope, question, BUDGET_MS)),
    groupSpans: (question) => gate.run(() => groupSpans(scope, question, BUDGET_MS)),
    listUsers: (question) => gate.run(() => listUsers(scope, question, BUDGET_MS)),
    groupTraces: (question) => gate.run(() => groupTraces(scope, question, BUDGET_MS)),
    countTraceFacets: (question) => gate.run(() => countTraceFacets(scope, question, BUDGET_MS)),
    countSessionFacets: (question) => gate.run(() => countSessionFacets(scope, question, BUDGET_MS)),
    summarizeAnnotations: (question) => gate.run(() => summarizeAnnotations(scope, question, BUDGET_MS)),
    summarizeTargets: (target, rowIds, filter) => summarizeTargets(scope, target, rowIds, filter),
    countAnnotationNames: (projectRowId, target) => countAnnotationNames(scope.db, projectRowId, target),
    listDocumentEvaluationNames: (projectRowId, spanRowId) =>
      listDocumentEvaluationNames(scope.db, projectRowId, spanRowId),
    evaluateDocuments: (question) => gate.run(() => evaluateDocuments(scope, question, BUDGET_MS)),
    listAttributePaths: (question) => listAttributePaths(scope, question),
    readSessionLengths: (rowIds, range) => readSessionLengths(scope, rowIds, range),
    readSessionQuantiles: (rowIds, range, probability) => readSessionQuantiles(scope, rowIds, range, probability),
    readTurnGaps: (rowIds) => readTurnGaps(scope, rowIds),
  };
}

/** What someone waits for in front of a chart. */
const BUDGET_MS = 5000;
