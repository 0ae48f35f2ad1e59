import { graphql, useFragment } from 'react-relay';
import type { chosenTrace_trace$key } from '#ui/__generated__/chosenTrace_trace.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { readCosts } from '#ui/lib/costs.ts';
import { formatDuration, formatTokens, formatUsdBriefly } from '#ui/lib/format.ts';
import { traceStatus } from '#ui/lib/trace-status.ts';
import { previewOf } from '../project/preview.ts';
import styles from './chosen-trace.module.css';
import { SideMark } from './side-mark.tsx';

const TRACE = graphql`
  fragment chosenTrace_trace on Trace {
    traceId
    startTime
    latencyMs
    errorCount
    tokenUsage {
      total
    }
    costSummary {
      ...costs_summary
    }
    rootSpan {
      name
      statusCode
      endTime
      input {
        mimeType
        truncatedValue
      }
    }
  }
`;

/** See {@link ChosenTrace}. */
export interface ChosenTraceProps {
  readonly side: 'A' | 'B';
  readonly trace: chosenTrace_trace$key;
  readonly onChange: () => void;
}

/** The trace that is chosen already, while the other one is not. */
export function ChosenTrace({ side, trace, onChange }: ChosenTraceProps) {
  return (
    <div className={styles.chosen}>
      <SideMark side={side} />
      <TraceLine trace={trace} />
      <Button variant="ghost" size="sm" aria-label={`Change trace ${side}`} onPress={onChange}>
        Change
      </Button>
    </div>
  );
}

/** A trace in a line: its name, when it started, how it ended, and what it took. */
export function TraceLine({ trace }: { readonly trace: chosenTrace_trace$key }) {
  const data = useFragment(TRACE, trace);
  const { total } = readCosts(data.costSummary);
  const name = data.rootSpan?.name ?? '';
  const status = traceStatus(data);
  const preview = previewOf(data.rootSpan?.input);
  return (
    <span className={styles.line}>
      <span className={styles.name}>
        <Name>{name === '' ? `Trace ${data.traceId.slice(0, 8)}` : name}</Name>
        {(status === 'ERROR' || status === 'OPEN') && <StatusMark status={status} />}
        <code className={styles.id}>{data.traceId.slice(0, 8)}</code>
      </span>
      <span className={styles.input}>{preview?.text}</span>
      <span className={styles.facts}>
        <Timestamp value={data.startTime} style="time" />
        <span>{data.latencyMs == null ? 'running' : formatDuration(data.latencyMs)}</span>
        <span>{data.tokenUsage.total > 0 && `${formatTokens(data.tokenUsage.total)} tokens`}</span>
        <span>{total !== null && total > 0 && formatUsdBriefly(total)}</span>
      </span>
    </span>
  );
}
