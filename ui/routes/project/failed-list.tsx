import { Filter } from 'lucide-react';
import { useEffect } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { objectionOf } from '#ui/lib/server-error.ts';
import { WaysOn } from './filter/ways-on.tsx';
import { useListContext } from './list-context.ts';

interface FailedListProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Stands where the rows of a table could not be read. What the filter is to blame for is said at the filter. */
export function FailedList({ title, error, onRetry }: FailedListProps) {
  const { filter, onRefusal } = useListContext();
  const objection = objectionOf(error);
  const refusal = filter !== null && objection !== null && error instanceof Error ? error : null;
  useEffect(() => {
    onRefusal(refusal);
    return () => onRefusal(null);
  }, [refusal, onRefusal]);
  if (refusal === null) {
    const action = objection === 'too much' ? <WaysOn refusal={error} /> : undefined;
    return <ErrorState title={title} error={error} onRetry={onRetry} action={action} />;
  }
  return (
    <EmptyState icon={Filter} title={title}>
      The errors are listed below the filter.
    </EmptyState>
  );
}
