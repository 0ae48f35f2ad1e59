import { Outlet, useChildMatches, useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Eventually } from '#ui/components/eventually.tsx';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';

/** A table, and beside it the row that the address names, as the child of the table's route. On a phone it takes the table's place. */
export function TableWithDetails({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const isOpen = useChildMatches().length > 0;
  const isNarrow = useMediaQuery(NARROW);
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <SplitPane
      id={`settings.${id}`}
      label="Resize the panel"
      defaultSize={62}
      min={300}
      only={!isOpen ? 'primary' : isNarrow ? 'secondary' : undefined}
      primary={children}
      secondary={
        isOpen && (
          <ErrorBoundary fallbackTitle="The panel could not be shown" resetKey={pathname}>
            <Suspense>
              <Eventually>
                <Outlet />
              </Eventually>
            </Suspense>
          </ErrorBoundary>
        )
      }
    />
  );
}
