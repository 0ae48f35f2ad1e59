import { Outlet, useMatches, useNavigate, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { HeaderPlace } from '#ui/components/header-place.ts';
import { ErrorState } from '#ui/components/error-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { ToastRegion } from '#ui/components/toast.tsx';
import { useMediaQuery } from '#ui/lib/media-query.ts';
import { preloadable } from '#ui/lib/preloadable.tsx';
import { EVERYWHERE, useShortcuts } from '#ui/lib/shortcuts.ts';
import { createStored, useStored } from '#ui/lib/storage.ts';
import { useViewer } from '#ui/lib/viewer.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Drawer } from './drawer.tsx';
import { Logo } from '#ui/components/logo.tsx';
import { Navigation, type ShellWindow } from './navigation.tsx';
import { PLACES } from './places.ts';
import { RouteAnnouncer } from './route-announcer.tsx';
import { SessionWatch } from './session-watch.tsx';
import { VisitRecorder } from './visit-recorder.tsx';
import styles from './shell.module.css';

const palette = preloadable(async () => (await import('./palette/palette.tsx')).Palette);
const shortcutsDialog = preloadable(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
const preferencesDialog = preloadable(async () => (await import('./preferences-dialog.tsx')).PreferencesDialog);

const isCollapsedStored = createStored('navigation.isCollapsed', false, (value) => value === true);

/** The same where it would take a quarter of the width: there it is folded until the user unfolds it. */
const isCollapsedOnTabletStored = createStored('navigation.isCollapsed.tablet', true, (value) => value !== false);
const TABLET = '(width < 1000px)';

/** What stands around every page. */
export function Shell() {
  const [openWindow, setOpenWindow] = useState<ShellWindow>();
  const collapsedStored = useMediaQuery(TABLET) ? isCollapsedOnTabletStored : isCollapsedStored;
  const isCollapsed = useStored(collapsedStored);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  const hasWholeScreen = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.hasWholeScreen === true),
  });
  const [headerPlace, setHeaderPlace] = useState<HTMLElement | null>(null);
  const main = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const viewer = useViewer();
  const toggle = () => collapsedStored.set(!collapsedStored.get());

  useEffect(preloadPalette, []);
  useShortcuts(EVERYWHERE, [
    { keys: 'mod+K', label: 'Search, open a page or run an action', run: () => setOpenWindow('palette') },
    { keys: '?', label: 'Shortcuts for this screen', run: () => setOpenWindow('shortcuts') },
    ...PLACES.flatMap(({ shortcut, to }) =>
      shortcut === undefined ? [] : [{ ...shortcut, run: () => void navigate({ to }) }],
    ),
    ...(viewer === null
      ? []
      : [{ keys: 'g u', label: 'Go to your profile', run: () => void navigate({ to: '/profile' }) }]),
    { keys: 'g s', label: 'Preferences: theme and time zone', run: () => setOpenWindow('preferences') },
    { keys: '[', label: 'Collapse or expand the navigation', run: toggle },
  ]);
  const windowProps = { isOpen: true, onOpenChange: () => setOpenWindow(undefined) };

  return (
    <div className={styles.shell} data-whole={hasWholeScreen}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <aside className={styles.side} data-collapsed={isCollapsed}>
        <Navigation isCollapsed={isCollapsed} onToggle={toggle} onOpen={setOpenWindow} />
      </aside>
      <div className={styles.bar}>
        <IconButton icon={MenuIcon} label="Open navigation" onPress={() => setOpenWindow('navigation')} />
        <div ref={setHeaderPlace} className={styles.heading} />
        <Logo size={20} />
        <span className={styles.name}>Cairn</span>
        <IconButton icon={Search} label="Search" onPress={() => setOpenWindow('palette')} />
      </div>
      <div className={styles.content}>
        <ConnectionBanner />
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <ProgressLine isActive={isLoading} label="Loading the page" />
          <ErrorBoundary fallbackTitle="This page could not be shown" resetKey={pathname}>
            <Suspense fallback={<ProgressLine isActive label="Loading the page" />}>
              <HeaderPlace value={headerPlace}>
                <Outlet />
              </HeaderPlace>
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <RouteAnnouncer main={main} />
      <VisitRecorder />
      <ToastRegion />
      <SessionWatch />
      <ErrorBoundary
        fallbackTitle="This could not be shown"
        resetKey={openWindow}
        renderFailure={(error, retry) => (
          <Dialog title="Error" size="sm" {...windowProps}>
            <ErrorState title="This could not be shown" error={error} onRetry={retry} />
          </Dialog>
        )}
      >
        <Suspense>
          {openWindow === 'palette' && <palette.Component {...windowProps} onOpen={setOpenWindow} />}
          {openWindow === 'shortcuts' && <shortcutsDialog.Component {...windowProps} />}
          {openWindow === 'preferences' && <preferencesDialog.Component {...windowProps} />}
        </Suspense>
      </ErrorBoundary>
      <Drawer label="Navigation" isOpen={openWindow === 'navigation'} onOpenChange={() => setOpenWindow(undefined)}>
        <Navigation isCollapsed={false} onOpen={setOpenWindow} onLeave={() => setOpenWindow(undefined)} />
      </Drawer>
    </div>
  );
}

/** Fetches the palette once nothing else is to do, so that it opens at once. */
function preloadPalette(): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(palette.preload, 1000);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(palette.preload, { timeout: 3000 });
  return () => cancelIdleCallback(idle);
}
