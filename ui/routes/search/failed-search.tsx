import { Pencil } from 'lucide-react';
import { Button } from '#ui/components/button.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { objectionOf } from '#ui/lib/server-error.ts';
import { HintTable } from './search-hints.tsx';

interface FailedSearchProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The way back to what is searched for. */
  readonly onChange: () => void;
}

/** Stands where a search has no answer; where its text is to blame, with what can be written. */
export function FailedSearch({ error, onRetry, onChange }: FailedSearchProps) {
  if (objectionOf(error) === null) {
    return <ErrorState title="The search failed" error={error} onRetry={onRetry} />;
  }
  return (
    <ErrorState
      title="This search cannot be run"
      error={error}
      onRetry={onRetry}
      action={
        <Button variant="primary" icon={Pencil} onPress={onChange}>
          Change the search
        </Button>
      }
    >
      <HintTable />
    </ErrorState>
  );
}
