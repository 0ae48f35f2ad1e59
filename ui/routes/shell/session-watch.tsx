import { Suspense, useEffect } from 'react';
import { Dialog } from '#ui/components/dialog.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { preloadable } from '#ui/lib/preloadable.tsx';
import { useIsSessionOver } from '#ui/lib/session.ts';
import { useViewer } from '#ui/lib/viewer.ts';

const dialog = preloadable(async () => (await import('../sign-in/session-dialog.tsx')).SessionDialog);

/** Asks the user to sign in again when the session has ended, above whatever the page shows. */
export function SessionWatch() {
  const viewer = useViewer();
  const isOver = useIsSessionOver();
  const isSignedIn = viewer !== null;
  useEffect(() => {
    if (isSignedIn) dialog.preload();
  }, [isSignedIn]);
  if (!isOver) return null;
  return (
    <ErrorBoundary fallbackTitle={TITLE} renderFailure={renderFailure}>
      <Suspense>
        <dialog.Component email={viewer?.email ?? undefined} method={viewer?.authMethod} />
      </Suspense>
    </ErrorBoundary>
  );
}

const TITLE = 'Your session has ended';

function renderFailure(error: unknown, retry: () => void) {
  return (
    <Dialog title={TITLE} size="sm" isOpen onOpenChange={retry}>
      <ErrorState title="The form to sign in could not be loaded" error={error} onRetry={retry} />
    </Dialog>
  );
}
