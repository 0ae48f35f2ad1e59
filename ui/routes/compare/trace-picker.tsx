import { useId, useState } from 'react';
import { graphql } from 'react-relay';
import { quoteText } from '#filter/lex-text';
import type { tracePickerQuery } from '#ui/__generated__/tracePickerQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useSettled } from '../trace/use-settled.ts';
import { TraceLine } from './chosen-trace.tsx';
import styles from './trace-picker.module.css';
import type { TraceRef } from './use-comparison.ts';

const QUERY = graphql`
  query tracePickerQuery(
    $projectId: ID!
    $hasProject: Boolean!
    $earlier: String
    $later: String
    $timeRange: TimeRange
    $laterRange: TimeRange
    $isByName: Boolean!
    $prefix: String!
    $isPrefix: Boolean!
  ) {
    byId: tracesByIdPrefix(prefix: $prefix) @include(if: $isPrefix) {
      traceId
      ...chosenTrace_trace
    }
    project: node(id: $projectId) @include(if: $hasProject) {
      ... on Project {
        before: spans(
          first: 20
          rootSpansOnly: true
          filterCondition: $earlier
          timeRange: $timeRange
          sort: { col: startTime, dir: desc }
        ) {
          edges {
            node {
              trace {
                traceId
                ...chosenTrace_trace
              }
            }
          }
        }
        after: spans(
          first: 20
          rootSpansOnly: true
          filterCondition: $later
          timeRange: $laterRange
          sort: { col: startTime, dir: asc }
        ) @include(if: $isByName) {
          edges {
            node {
              trace {
                traceId
                ...chosenTrace_trace
              }
            }
          }
        }
      }
    }
  }
`;

/** See {@link TracePicker}. */
export interface TracePickerProps {
  readonly side: 'A' | 'B';
  /** The trace to compare with, where it is chosen. */
  readonly other: (TraceRef & { readonly startTime: string; readonly rootName: string | null }) | undefined;
  /** The address names a trace that does not exist. */
  readonly isMissing: boolean;
  readonly onChoose: (traceId: string) => void;
}

type Traces = NonNullable<tracePickerQuery['response']['byId']>;

/** Chooses a trace: one of the same name, or by what is typed: a name, words of the input, or the beginning of an id. */
export function TracePicker({ side, other, isMissing, onChoose }: TracePickerProps) {
  const [text, setText] = useState('');
  const typed = useSettled(text.trim());
  const { data, error, isLoading, ask } = useAnswer<tracePickerQuery>(QUERY, toVariables(typed, other), '');
  const lists = data === undefined ? [] : toLists(data, typed, other);
  const isNothing = data !== undefined && !isLoading && lists.every(({ traces }) => traces.length === 0);
  return (
    <section className={styles.picker} aria-label={`Choose trace ${side}`}>
      <div className={styles.head}>
        <h2 className={styles.title}>Choose trace {side}</h2>
        {isMissing && (
          <p className={styles.missing}>There is no trace with the id of the address. Choose another one.</p>
        )}
        <SearchField
          label="Find a trace by name, input or id"
          placeholder={other === undefined ? 'Paste the id of a trace' : 'Name, words of the input, or an id'}
          value={text}
          onChange={setText}
          className={styles.field}
        />
      </div>
      <div className={styles.results}>
        <ProgressLine isActive={isLoading} label="Looking for traces" />
        {error !== undefined && <ErrorState title="Traces could not be found" error={error} onRetry={ask} />}
        {lists.map(
          ({ title, traces }) =>
            traces.length > 0 && <TraceList key={title} title={title} traces={traces} onChoose={onChoose} />,
        )}
        {isNothing && error === undefined && <Nothing hasProject={other !== undefined} isTyped={typed !== ''} />}
      </div>
    </section>
  );
}

function Nothing({ hasProject, isTyped }: { readonly hasProject: boolean; readonly isTyped: boolean }) {
  if (!hasProject && !isTyped) {
    return (
      <EmptyState title="Which traces should be compared?">
        Paste the id of a trace, or select two rows in the traces of a project and choose Compare.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No traces match">
      {isTyped
        ? 'Enter part of a name or of an input, or at least four characters of an id.'
        : 'No other trace of this project has this name. Enter another name, or the id of a trace.'}
    </EmptyState>
  );
}

function TraceList(props: {
  readonly title: string;
  readonly traces: Traces;
  readonly onChoose: (traceId: string) => void;
}) {
  const { title, traces, onChoose } = props;
  const id = useId();
  return (
    <>
      <h3 id={id} className={styles.group}>
        {title}
      </h3>
      <ul aria-labelledby={id} className={styles.list}>
        {traces.map((trace) => (
          <li key={trace.traceId}>
            <button type="button" className={styles.choice} onClick={() => onChoose(trace.traceId)}>
              <TraceLine trace={trace} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function toVariables(typed: string, other: TracePickerProps['other']): tracePickerQuery['variables'] {
  const figures = typed.replaceAll('-', '').toLowerCase();
  const isPrefix = /^[0-9a-f]{4,32}$/.test(figures);
  const words = quoteText(typed);
  const name = other?.rootName ?? null;
  const isByName = typed === '' && name !== null;
  const filter =
    typed !== '' ? `${words} in name or ${words} in input.value` : name === null ? null : `name == ${quoteText(name)}`;
  return {
    projectId: other?.projectId ?? '',
    hasProject: other !== undefined,
    earlier: filter,
    later: filter,
    timeRange: isByName && other !== undefined ? { end: other.startTime } : null,
    laterRange: isByName && other !== undefined ? { start: other.startTime } : null,
    isByName,
    prefix: figures,
    isPrefix,
  };
}

function toLists(
  { byId = [], project }: tracePickerQuery['response'],
  typed: string,
  other: TracePickerProps['other'],
): readonly { readonly title: string; readonly traces: Traces }[] {
  const tracesOf = (connection: NonNullable<typeof project>['before']) =>
    distinct((connection?.edges ?? []).map(({ node }) => node.trace)).filter(
      ({ traceId }) => traceId !== other?.traceId,
    );
  const isByName = typed === '' && other?.rootName != null;
  return [
    { title: 'By id', traces: (byId ?? []).filter(({ traceId }) => traceId !== other?.traceId) },
    {
      title: isByName ? `Earlier traces named ${other.rootName}` : 'Traces of this project',
      traces: tracesOf(project?.before),
    },
    ...(isByName ? [{ title: `Later traces named ${other.rootName}`, traces: tracesOf(project?.after) }] : []),
  ];
}

/** A trace may have several roots. */
function distinct<Trace extends { readonly traceId: string }>(traces: readonly Trace[]): readonly Trace[] {
  return [...new Map(traces.map((trace) => [trace.traceId, trace])).values()];
}
