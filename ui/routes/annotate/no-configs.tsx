import { Link } from '@tanstack/react-router';
import { Settings2 } from 'lucide-react';
import { EmptyState } from '#ui/components/empty-state.tsx';

/** Says that there is nothing to answer, and where to change that. */
export function NoConfigs({ projectId }: { readonly projectId: string }) {
  return (
    <EmptyState
      icon={Settings2}
      title="This project asks for no annotations yet"
      action={
        <Link to="/projects/$projectId/config" params={{ projectId }}>
          Choose annotation configs
        </Link>
      }
    >
      A config says what can be answered: labels, a score, or a text.
    </EmptyState>
  );
}
