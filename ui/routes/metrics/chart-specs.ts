/** Every chart of the metrics page but those by model, row by row. */
import type { SpanMeasure } from '#ui/__generated__/spanChartSpansQuery.graphql.ts';
import type { ChartKind, SeriesLook } from '#ui/components/chart/chart-data.ts';
import { COUNT, DURATION, MONEY, type Quantity, TOKENS } from '#ui/components/chart/quantity.ts';
import type { Drill } from './drill.ts';

/** What traces are measured by. */
export type TraceMeasure = 'OK' | 'ERROR' | 'P50' | 'P75' | 'P90' | 'P95' | 'P99' | 'P999' | 'MAX';

/** A series, and which rows are behind it. */
interface SeriesSpec extends SeriesLook {
  readonly drill?: Drill;
}

/** What a chart of the metrics page shows. */
export type ChartSpec = {
  readonly title: string;
  readonly kind: ChartKind;
  readonly quantity: Quantity;
  /** Stands in place of the chart where there is nothing. */
  readonly empty: string;
  /** In the filter language of spans. */
  readonly filter?: string;
} & (
  | {
      readonly grain: 'spans';
      readonly series: readonly (SeriesSpec & { readonly measure: SpanMeasure; readonly less?: SpanMeasure })[];
    }
  | { readonly grain: 'traces'; readonly series: readonly (SeriesSpec & { readonly measure: TraceMeasure })[] }
);

const GOOD = '--color-accent';
const BAD = '--color-danger';

const WITHOUT_ERROR: Drill = { span: "status_code != 'ERROR'", trace: 'error_count == 0' };
const WITH_ERROR: Drill = { span: "status_code == 'ERROR'", trace: 'error_count > 0' };

const slowerThan: Drill = { traceFrom: 'latency_ms' };

/** See the file. */
export const CHARTS: readonly ChartSpec[] = [
  {
    title: 'Traces by status',
    kind: 'bars',
    grain: 'traces',
    quantity: COUNT,
    empty: 'No traces in this time range.',
    series: [
      { label: 'Without error', color: GOOD, measure: 'OK', drill: WITHOUT_ERROR },
      { label: 'Error', color: BAD, measure: 'ERROR', drill: WITH_ERROR },
    ],
  },
  {
    title: 'Trace latency',
    kind: 'lines',
    grain: 'traces',
    quantity: DURATION,
    empty: 'No trace ended in this time range.',
    series: [
      { label: 'P50', color: '--color-kind-reranker', measure: 'P50', drill: slowerThan },
      { label: 'P75', color: '--color-kind-retriever', measure: 'P75', drill: slowerThan, isHiddenAtFirst: true },
      { label: 'P90', color: '--color-kind-prompt', measure: 'P90', drill: slowerThan, isHiddenAtFirst: true },
      { label: 'P95', color: '--color-kind-llm', measure: 'P95', drill: slowerThan },
      { label: 'P99', color: '--color-kind-tool', measure: 'P99', drill: slowerThan },
      { label: 'P99.9', color: '--color-kind-agent', measure: 'P999', drill: slowerThan, isHiddenAtFirst: true },
      { label: 'Max', color: '--color-kind-unknown', measure: 'MAX', drill: slowerThan, isHiddenAtFirst: true },
    ],
  },
  {
    title: 'Cost',
    kind: 'bars',
    grain: 'spans',
    quantity: MONEY,
    empty: 'No cost in this time range. Cost needs token counts and a model with a price.',
    series: [
      { label: 'Prompt', color: '--color-kind-llm', measure: 'PROMPT_COST', drill: { span: 'prompt_cost > 0' } },
      {
        label: 'Completion',
        color: '--color-kind-agent',
        measure: 'COMPLETION_COST',
        drill: { span: 'completion_cost > 0' },
      },
    ],
  },
  {
    title: 'Tokens',
    kind: 'bars',
    grain: 'spans',
    quantity: TOKENS,
    empty: 'No token counts in this time range.',
    series: [
      {
        label: 'Prompt',
        color: '--color-kind-llm',
        measure: 'PROMPT_TOKENS',
        drill: { span: 'llm.token_count.prompt > 0' },
      },
      {
        label: 'Completion',
        color: '--color-kind-agent',
        measure: 'COMPLETION_TOKENS',
        drill: { span: 'llm.token_count.completion > 0' },
      },
    ],
  },
  {
    title: 'Prompt tokens by type',
    kind: 'bars',
    grain: 'spans',
    quantity: TOKENS,
    empty: 'No cached or audio prompt tokens in this time range.',
    series: [
      {
        label: 'Read from cache',
        color: '--color-kind-retriever',
        measure: 'CACHE_READ_TOKENS',
        drill: { span: 'llm.token_count.prompt_details.cache_read > 0' },
      },
      {
        label: 'Written to cache',
        color: '--color-kind-tool',
        measure: 'CACHE_WRITE_TOKENS',
        drill: { span: 'llm.token_count.prompt_details.cache_write > 0' },
      },
      {
        label: 'Audio',
        color: '--color-kind-prompt',
        measure: 'PROMPT_AUDIO_TOKENS',
        drill: { span: 'llm.token_count.prompt_details.audio > 0' },
      },
    ],
  },
  {
    title: 'Completion tokens by type',
    kind: 'bars',
    grain: 'spans',
    quantity: TOKENS,
    empty: 'No reasoning or audio completion tokens in this time range.',
    series: [
      {
        label: 'Reasoning',
        color: '--color-kind-llm',
        measure: 'REASONING_TOKENS',
        drill: { span: 'llm.token_count.completion_details.reasoning > 0' },
      },
      {
        label: 'Audio',
        color: '--color-kind-prompt',
        measure: 'COMPLETION_AUDIO_TOKENS',
        drill: { span: 'llm.token_count.completion_details.audio > 0' },
      },
    ],
  },
  {
    title: 'LLM spans',
    kind: 'bars',
    grain: 'spans',
    filter: "span_kind == 'LLM'",
    quantity: COUNT,
    empty: 'No LLM spans in this time range.',
    series: [
      { label: 'Without error', color: GOOD, measure: 'COUNT', less: 'ERROR_COUNT', drill: WITHOUT_ERROR },
      { label: 'Error', color: BAD, measure: 'ERROR_COUNT', drill: WITH_ERROR },
    ],
  },
  {
    title: 'Tool spans',
    kind: 'bars',
    grain: 'spans',
    filter: "span_kind == 'TOOL'",
    quantity: COUNT,
    empty: 'No tool spans in this time range.',
    series: [
      { label: 'Without error', color: GOOD, measure: 'COUNT', less: 'ERROR_COUNT', drill: WITHOUT_ERROR },
      { label: 'Error', color: BAD, measure: 'ERROR_COUNT', drill: WITH_ERROR },
    ],
  },
];
