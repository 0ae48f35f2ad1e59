import type { Builder } from '#api/graphql/builder';
import type { SchemaKit } from '#api/graphql/schema';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { AnnotatorKind } from '#domain/annotation';
import type { LabelAgreement } from '#derive/agreement/confusion';
import type { Correlation } from '#derive/agreement/correlation';
import type { TypeServices } from '../slice.ts';
import { type Agreement, compareJudges, type JudgeSummary, measureAnnotators, type ScoreBin } from './operations.ts';
import { agreementPolicy } from './policy.ts';
import { type Annotator, findAnnotatorPair, type Judge, listAnnotators, type NamedAnnotator } from './queries.ts';

/** Everybody's judgements under one name. */
interface AnnotatorAgreement {
  readonly annotators: readonly Annotator[];
  readonly labels: { readonly alpha: number | null; readonly valueCount: number };
  readonly scores: { readonly alpha: number | null; readonly valueCount: number };
}

declare module '#api/graphql/builder' {
  interface ObjectRows {
    AnnotationAgreement: Agreement;
    JudgeSummary: JudgeSummary;
    JudgeLabelCount: { readonly label: string; readonly count: number };
    JudgeScoreBin: ScoreBin;
    LabelAgreement: LabelAgreement;
    ScoreAgreement: Correlation;
    AnnotatorAgreement: AnnotatorAgreement;
    AnnotationAnnotator: Annotator;
    AnnotationJudge: NamedAnnotator;
  }
}

/** It reads all annotations of a name. */
const AGREEMENT_COST = 100;

/** Annotators that are listed. */
const MAX_ANNOTATORS = 100;

/** Adds to projects how far those who judged agree. */
export function addAgreementTypes({ builder }: SchemaKit, { read }: Pick<TypeServices, 'read'>): void {
  const target = builder.enumType('AnnotationTarget', {
    description: 'What is judged.',
    values: {
      SPAN: { value: 'span' },
      TRACE: { value: 'trace' },
      SESSION: { value: 'session' },
      DOCUMENT: { value: 'document' },
    } as const,
  });
  const judge = builder.inputType('AnnotationJudgeInput', {
    description: 'Whose annotations: those of a name, and of one kind of annotator or with one identifier where given.',
    fields: (t) => ({
      name: t.string({ required: true }),
      annotatorKind: t.field({ type: 'AnnotatorKind' }),
      identifier: t.string(),
    }),
  });
  addSummaries(builder);
  addAgreements(builder);
  addAnnotators(builder);
  builder.objectFields('Project', (t) => ({
    annotationAgreement: t.field({
      type: 'AnnotationAgreement',
      access: agreementPolicy.read,
      cost: AGREEMENT_COST,
      description:
        'How far two judges agree on what both judged. Of several annotations of one thing, the latest counts.',
      args: {
        target: t.arg({ type: target, required: true }),
        first: t.arg({ type: judge, required: true }),
        second: t.arg({ type: judge, required: true }),
        timeRange: t.arg({ type: 'TimeRange', description: 'Of the start of what was judged.' }),
      },
      resolve: ({ rowId }, { timeRange, first, second, ...args }, { caller }) =>
        compareJudges(
          read(caller),
          { projectRowId: rowId, target: args.target, ...toTimeBounds(timeRange) },
          toJudge(first),
          toJudge(second),
        ),
    }),
    annotatorPair: t.field({
      type: ['AnnotationJudge'],
      access: agreementPolicy.read,
      cost: AGREEMENT_COST,
      description:
        'The two annotators of one name who judged most of the same things; empty where nothing has two annotators of a name.',
      args: { target: t.arg({ type: target, required: true }) },
      resolve: async ({ rowId }, args, { caller }) => [
        ...((await findAnnotatorPair(read(caller), { projectRowId: rowId, target: args.target })) ?? []),
      ],
    }),
    annotatorAgreement: t.field({
      type: 'AnnotatorAgreement',
      access: agreementPolicy.read,
      cost: AGREEMENT_COST,
      description: 'How far everybody who judged under a name agrees, however many judged each thing.',
      args: {
        target: t.arg({ type: target, required: true }),
        name: t.arg.string({ required: true }),
        timeRange: t.arg({ type: 'TimeRange', description: 'Of the start of what was judged.' }),
      },
      resolve: async ({ rowId }, { timeRange, name, ...args }, { caller }) => {
        const scope = { projectRowId: rowId, target: args.target, ...toTimeBounds(timeRange) };
        const [annotators, measured] = await Promise.all([
          listAnnotators(read(caller), scope, name, MAX_ANNOTATORS),
          measureAnnotators(read(caller), scope, name),
        ]);
        return { annotators, ...measured };
      },
    }),
  }));
}

interface JudgeInput {
  readonly name: string;
  readonly annotatorKind?: AnnotatorKind | null | undefined;
  readonly identifier?: string | null | undefined;
}

function toJudge({ name, annotatorKind, identifier }: JudgeInput): Judge {
  return { name, annotatorKind: annotatorKind ?? undefined, identifier: identifier ?? undefined };
}

function addSummaries(builder: Builder): void {
  builder.objectType('JudgeLabelCount', {
    access: agreementPolicy.read,
    fields: (t) => ({ label: t.exposeString('label'), count: t.exposeInt('count') }),
  });
  builder.objectType('JudgeScoreBin', {
    description: 'Scores from `from` on, below `to`; the last bin includes `to`.',
    access: agreementPolicy.read,
    fields: (t) => ({ from: t.exposeFloat('from'), to: t.exposeFloat('to'), count: t.exposeInt('count') }),
  });
  builder.objectType('JudgeSummary', {
    description: 'What one judge said.',
    access: agreementPolicy.read,
    fields: (t) => ({
      count: t.exposeInt('count', { description: 'Things that the judge said something of.' }),
      labels: t.field({ type: ['JudgeLabelCount'], resolve: ({ labels }) => [...labels] }),
      scoreBins: t.field({ type: ['JudgeScoreBin'], resolve: ({ scores }) => [...scores] }),
      scoreCount: t.exposeInt('scoreCount'),
      meanScore: t.exposeFloat('meanScore', { nullable: true }),
    }),
  });
}

function addAgreements(builder: Builder): void {
  builder.objectType('LabelAgreement', {
    description: 'Agreement of labels, of the things that both judges labelled.',
    access: agreementPolicy.read,
    fields: (t) => ({
      pairCount: t.exposeInt('pairCount'),
      accuracy: t.exposeFloat('accuracy', { nullable: true, description: 'Share of equal labels, from 0 to 1.' }),
      cohenKappa: t.exposeFloat('kappa', {
        nullable: true,
        description: 'Cohen’s kappa without weights; null where chance alone gives full agreement.',
      }),
      cohenKappaLow: t.float({
        nullable: true,
        description: 'Lower bound of kappa at 95 %, by its standard error in large samples.',
        resolve: ({ kappaBounds }) => kappaBounds?.[0],
      }),
      cohenKappaHigh: t.float({ nullable: true, resolve: ({ kappaBounds }) => kappaBounds?.[1] }),
    }),
  });
  builder.objectType('ScoreAgreement', {
    description: 'Agreement of scores, of the things that both judges gave a score.',
    access: agreementPolicy.read,
    fields: (t) => ({
      pairCount: t.exposeInt('pairCount'),
      pearson: t.exposeFloat('pearson', { nullable: true }),
      spearman: t.exposeFloat('spearman', { nullable: true }),
      meanAbsoluteError: t.exposeFloat('meanAbsoluteError', { nullable: true }),
    }),
  });
  builder.objectType('AnnotationAgreement', {
    access: agreementPolicy.read,
    fields: (t) => ({
      first: t.field({ type: 'JudgeSummary', resolve: ({ first }) => first }),
      second: t.field({ type: 'JudgeSummary', resolve: ({ second }) => second }),
      pairCount: t.exposeInt('pairCount', { description: 'Things that both judged.' }),
      confusionLabels: t.stringList({
        description: 'Of both judges, at most a hundred: the most frequent, in the order of the alphabet.',
        resolve: ({ confusion }) => [...confusion.labels],
      }),
      confusionLabelCount: t.int({
        description: 'Of both judges, listed or not.',
        resolve: ({ confusion }) => confusion.labelCount,
      }),
      confusionCounts: t.field({
        type: 'JSON',
        description:
          'A list of rows, one for each label of the first judge, with a count for each label of the second.',
        resolve: ({ confusion }) => confusion.counts.map((row) => [...row]),
      }),
      labels: t.field({ type: 'LabelAgreement', resolve: ({ labels }) => labels }),
      scores: t.field({ type: 'ScoreAgreement', resolve: ({ scores }) => scores }),
      isPartial: t.exposeBoolean('isPartial', {
        description: 'Whether there were more distinct answers than are counted; the most frequent are.',
      }),
    }),
  });
}

function addAnnotators(builder: Builder): void {
  builder.objectType('AnnotationJudge', {
    description: 'The annotations of a name by one annotator.',
    access: agreementPolicy.read,
    fields: (t) => ({
      name: t.exposeString('name'),
      annotatorKind: t.field({ type: 'AnnotatorKind', resolve: ({ annotatorKind }) => annotatorKind }),
      identifier: t.exposeString('identifier'),
    }),
  });
  builder.objectType('AnnotationAnnotator', {
    description: 'All who used the same identifier.',
    access: agreementPolicy.read,
    fields: (t) => ({
      annotatorKind: t.field({ type: 'AnnotatorKind', resolve: ({ annotatorKind }) => annotatorKind }),
      identifier: t.exposeString('identifier'),
      count: t.exposeInt('count'),
      username: t.exposeString('username', { nullable: true, description: 'Of the account, if there is one.' }),
    }),
  });
  builder.objectType('AnnotatorAgreement', {
    access: agreementPolicy.read,
    fields: (t) => ({
      annotators: t.field({
        type: ['AnnotationAnnotator'],
        description: 'Those who judged most first; at most a hundred.',
        resolve: ({ annotators }) => [...annotators],
      }),
      labelAlpha: t.float({
        nullable: true,
        description: 'Krippendorff’s alpha of the labels (nominal); null where nothing can be compared.',
        resolve: ({ labels }) => labels.alpha,
      }),
      labelValueCount: t.int({ resolve: ({ labels }) => labels.valueCount }),
      scoreAlpha: t.float({
        nullable: true,
        description: 'Krippendorff’s alpha of the scores (interval); null where nothing can be compared.',
        resolve: ({ scores }) => scores.alpha,
      }),
      scoreValueCount: t.int({ resolve: ({ scores }) => scores.valueCount }),
    }),
  });
}
