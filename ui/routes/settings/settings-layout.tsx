import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { LockKeyhole, UserRoundX } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Eventually } from '#ui/components/eventually.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { serverConfig } from '#ui/lib/server-config.ts';
import { SettingsActionPlace } from './settings-actions.tsx';
import { isOpenToUser, SETTINGS_TABS, type SettingsTab } from './settings-tabs.ts';
import styles from './settings.module.css';

/** What stands around the pages of the settings: their header, and the list of those that the user may open. */
export function SettingsLayout() {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  const tab = tabAt(pathname);
  return (
    <div className={styles.layout}>
      <PageHeader
        title={tab?.label ?? 'Settings'}
        breadcrumbs={tab === undefined ? [] : [{ label: 'Settings', link: { to: '/settings' } }]}
        actions={<div ref={setPlace} className={styles.actions} />}
      />
      <div className={styles.columns}>
        <TabList current={tab} />
        <div className={styles.content}>
          {tab === undefined || isOpenToUser(tab) ? (
            <SettingsActionPlace value={place}>
              <ErrorBoundary fallbackTitle="This page could not be loaded" resetKey={tab?.path}>
                <Suspense fallback={<ProgressLine isActive label="Loading the page" />}>
                  <Eventually key={tab?.path} placeholder={<ProgressLine isActive label="Loading the page" />}>
                    <Outlet />
                  </Eventually>
                </Suspense>
              </ErrorBoundary>
            </SettingsActionPlace>
          ) : (
            <Closed />
          )}
        </div>
      </div>
    </div>
  );
}

function TabList({ current }: { readonly current: SettingsTab | undefined }) {
  const list = useRef<HTMLElement>(null);
  // On a phone they stand in one line that scrolls.
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={list} className={styles.tabs} aria-label="Settings">
      {SETTINGS_TABS.filter(isOpenToUser).map(({ path, label, icon: Icon }) => (
        <Link key={path} to={path} className={styles.tab}>
          <Icon size={15} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Stands in the place of a page whose address somebody has, but who may not use it. */
function Closed() {
  if (!serverConfig.authEnabled)
    return (
      <EmptyState
        icon={UserRoundX}
        title="There are no accounts while authentication is off"
        action={<Link to="/settings/general">How to turn it on</Link>}
      >
        Anyone who can reach this server can use it, so that nobody has an account or a key.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={LockKeyhole}
      title="This page is for administrators"
      action={<Link to="/settings/general">General settings</Link>}
    >
      Your role does not include it. Ask an administrator of this server if you need something here.
    </EmptyState>
  );
}

function tabAt(pathname: string): SettingsTab | undefined {
  return SETTINGS_TABS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
}
