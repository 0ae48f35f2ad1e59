import { Link, useParams } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useEffect } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { useOpenView } from './open-view.ts';
import { useContent, useViews } from './view-data.ts';
import { tableOf } from './view-tables.ts';

/** What a link to a view leads to: the table, as the view keeps it. */
export function OpenViewPage() {
  const { projectId, viewId } = useParams({ from: '/projects/$projectId/views/$viewId' });
  const { views, error, refresh } = useViews(projectId);
  const view = views?.find(({ id }) => id === viewId);
  const table = view && tableOf(view);
  const content = useContent(table === undefined ? undefined : viewId);
  const open = useOpenView();
  useEffect(() => {
    if (table !== undefined && content != null) open({ id: viewId, table }, content, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- The way to open is another one with each address.
  }, [viewId, table, content]);
  if (views === undefined && error !== undefined) {
    return <ErrorState title="The view could not be opened" error={error} onRetry={refresh} />;
  }
  const isMissing = views !== undefined && (view === undefined || (table !== undefined && content === null));
  if (!isMissing) return null;
  return (
    <EmptyState
      icon={Bookmark}
      title="There is no such view"
      action={
        <Link to="/projects/$projectId/traces" params={{ projectId }}>
          Show all traces
        </Link>
      }
    >
      It may have been deleted, or it is personal and belongs to somebody else.
    </EmptyState>
  );
}
