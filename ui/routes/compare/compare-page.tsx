import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { graphql } from 'react-relay';
import type { comparePageQuery } from '#ui/__generated__/comparePageQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import styles from './compare-page.module.css';
import type { CompareSearch } from './compare-search.ts';
import { CompareView } from './compare-view.tsx';
import { ChosenTrace } from './chosen-trace.tsx';
import { TracePicker } from './trace-picker.tsx';
import type { TraceRef } from './use-comparison.ts';

const QUERY = graphql`
  query comparePageQuery($a: String!, $hasA: Boolean!, $b: String!, $hasB: Boolean!) {
    a: getTraceByOtelId(traceId: $a) @include(if: $hasA) {
      ...chosenTrace_trace
      traceId
      startTime
      rootSpan {
        name
      }
      project {
        id
        name
      }
    }
    b: getTraceByOtelId(traceId: $b) @include(if: $hasB) {
      ...chosenTrace_trace
      traceId
      startTime
      rootSpan {
        name
      }
      project {
        id
        name
      }
    }
  }
`;

type Found = NonNullable<comparePageQuery['response']['a']>;

/** Two traces side by side; while one is missing, the way to choose it. */
export function ComparePage() {
  const search = useSearch({ from: '/compare/traces' });
  const { a = '', b = '' } = search;
  const navigate = useNavigate();
  const { data, error, ask } = useAnswer<comparePageQuery>(QUERY, { a, hasA: a !== '', b, hasB: b !== '' }, '');
  // An answer to the address before is none to this one.
  const found = data !== undefined && isOf(data, a, b) ? data : undefined;
  const go = (changes: CompareSearch) => void navigate({ to: '/compare/traces', search: { ...search, ...changes } });
  const swap = () => go({ a: search.b, b: search.a, pair: search.pair?.split('-').toReversed().join('-') });
  const isNarrow = useMediaQuery(NARROW);
  const isBoth = found?.a != null && found.b != null;
  useShortcuts('Comparison', isBoth ? [{ keys: 's', label: 'Swap A and B', run: swap }] : []);
  const project = found?.a?.project ?? found?.b?.project;
  return (
    <div className={styles.page}>
      <PageHeader
        title="Compare traces"
        breadcrumbs={
          project === undefined
            ? [{ label: 'Projects', link: { to: '/projects' } }]
            : [
                { label: 'Projects', link: { to: '/projects' } },
                {
                  label: project.name,
                  link: { to: '/projects/$projectId/traces', params: { projectId: project.id } },
                },
              ]
        }
        actions={
          isBoth &&
          !isNarrow && (
            <Button icon={ArrowLeftRight} size="sm" onPress={swap} tooltip="Swap A and B" shortcut="S">
              Swap
            </Button>
          )
        }
      />
      <Body
        found={found}
        isMissing={{ a: a !== '' && found?.a === null, b: b !== '' && found?.b === null }}
        error={error}
        onRetry={ask}
        onChoose={go}
        onSwap={swap}
      />
    </div>
  );
}

function isOf(data: comparePageQuery['response'], a: string, b: string): boolean {
  return isTrace(data.a, a) && isTrace(data.b, b);
}

/** Whether the answer is about that trace: a missing one tells nothing, and is taken for it. */
function isTrace(trace: Found | null | undefined, traceId: string): boolean {
  if (traceId === '') return trace === undefined;
  return trace === null || trace?.traceId === traceId;
}

interface BodyProps {
  readonly found: comparePageQuery['response'] | undefined;
  /** Traces of the address that do not exist. */
  readonly isMissing: { readonly a: boolean; readonly b: boolean };
  readonly error: Error | undefined;
  readonly onRetry: () => void;
  readonly onChoose: (changes: CompareSearch) => void;
  readonly onSwap: () => void;
}

function Body({ found, isMissing, error, onRetry, onChoose, onSwap }: BodyProps) {
  if (error !== undefined) return <ErrorState title="The traces could not be loaded" error={error} onRetry={onRetry} />;
  if (found === undefined) return <ProgressLine isActive label="Loading the traces" />;
  const { a, b } = found;
  if (a != null && b != null) {
    return (
      <CompareView
        key={`${a.traceId} ${b.traceId}`}
        a={toRef(a)}
        b={toRef(b)}
        onChange={(side) => onChoose({ [side]: undefined, pair: undefined })}
        onSwap={onSwap}
      />
    );
  }
  const side = a == null ? 'a' : 'b';
  const other = a ?? b ?? undefined;
  return (
    <>
      {other !== undefined && (
        <ChosenTrace
          side={side === 'a' ? 'B' : 'A'}
          trace={other}
          onChange={() => onChoose({ [side === 'a' ? 'b' : 'a']: undefined })}
        />
      )}
      <TracePicker
        side={side === 'a' ? 'A' : 'B'}
        other={other && { ...toRef(other), startTime: other.startTime, rootName: other.rootSpan?.name ?? null }}
        isMissing={isMissing[side]}
        onChoose={(traceId) => onChoose({ [side]: traceId })}
      />
    </>
  );
}

function toRef({ traceId, project }: Found): TraceRef {
  return { traceId, projectId: project.id, projectName: project.name };
}
