import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import {
  Tab as AriaTab,
  TabList as AriaTabList,
  TabPanel as AriaTabPanel,
  type TabListProps,
  type TabPanelProps,
  type TabProps,
} from 'react-aria-components/Tabs';
import { classNames } from '#ui/lib/class-names.ts';
import { Count } from './count.tsx';
import styles from './tabs.module.css';

export { Tabs } from 'react-aria-components/Tabs';

/** The tabs of `Tabs`; give it an `aria-label`. */
export function TabList(props: Omit<TabListProps<object>, 'className'>) {
  return <AriaTabList {...props} className={styles.list} />;
}

/** One tab; `id` is that of its panel. */
export function Tab({ count, isMore = false, children, ...props }: TabOptions) {
  return (
    <AriaTab {...props} className={styles.tab}>
      {children}
      {count != null && (
        <span className={styles.count}>
          <Count value={count} />
          {isMore && '+'}
        </span>
      )}
    </AriaTab>
  );
}

interface TabOptions extends Omit<TabProps, 'className' | 'children'>, TabContent {
  /** There are more than are counted. */
  readonly isMore?: boolean | undefined;
}

/** What a tab shows. */
export function TabPanel({ className, ...props }: Omit<TabPanelProps, 'className'> & { readonly className?: string }) {
  return <AriaTabPanel {...props} className={classNames(styles.panel, className)} />;
}

/** Tabs that are addresses: {@link TabLink} inside. Where they have no room, that of the page is among those that are seen. */
export function TabLinks({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  const shown = useRef('');
  // Counts come later and push tabs aside; tabs that the user has moved since are left alone.
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current="page"]');
    const place = `${current?.getAttribute('href')} ${list.current?.scrollWidth}`;
    if (place === shown.current) return;
    shown.current = place;
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return (
    <nav ref={list} className={styles.list} aria-label={label}>
      {children}
    </nav>
  );
}

/** A tab that leads to an address: `to`, `params` and `search` as of a link; it is marked while its address is shown. */
export const TabLink = createLink(TabAnchor);

interface TabContent {
  readonly children?: ReactNode;
  /** Written after the text. */
  readonly count?: number | null | undefined;
}

function TabAnchor({ count, children, className, ...props }: Omit<ComponentProps<'a'>, 'children'> & TabContent) {
  return (
    <a {...props} className={classNames(styles.tab, className)}>
      {children}
      {count != null && <Count value={count} className={styles.count} />}
    </a>
  );
}
