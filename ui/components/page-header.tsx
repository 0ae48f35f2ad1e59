import { Link, type LinkProps } from '@tanstack/react-router';
import { Fragment, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from '#ui/lib/class-names.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { usePageTitle } from '#ui/lib/page-title.ts';
import { HeaderPlace } from './header-place.ts';
import { Name } from './name.tsx';
import styles from './page-header.module.css';

/** A step on the way to a page. */
export interface Breadcrumb {
  readonly label: string;
  readonly link: LinkProps;
}

/** See {@link PageHeader}. */
export interface PageHeaderProps {
  /** The page's heading and the window's title. */
  readonly title: string;
  readonly breadcrumbs?: readonly Breadcrumb[] | undefined;
  /** Stands in the heading in place of the title, which it contains. */
  readonly heading?: ReactNode;
  /** Stands beside the heading. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
}

/** The upper line of a page: the way here, its heading, what can be done. On a phone the heading stands in the shell's bar. */
export function PageHeader({ title, breadcrumbs = [], heading, beside, actions }: PageHeaderProps) {
  usePageTitle([title, ...breadcrumbs.map(({ label }) => label).toReversed()]);
  const isNarrow = useMediaQuery(NARROW);
  const bar = use(HeaderPlace);
  const isInBar = isNarrow && bar !== null;
  // In the bar there is room for one step back; a heading that is a menu leads everywhere itself.
  const shown = !isInBar ? breadcrumbs : heading === undefined ? breadcrumbs.slice(-1) : [];
  const crumbs = (
    <nav className={styles.crumbs} aria-label="Breadcrumbs">
      {shown.map((crumb) => (
        <Fragment key={crumb.label}>
          <Link {...crumb.link} className={styles.link}>
            <Name>{crumb.label}</Name>
          </Link>
          <span className={styles.slash} aria-hidden>
            /
          </span>
        </Fragment>
      ))}
      <span className={styles.crumb}>
        <h1
          className={classNames(styles.title, heading !== undefined && styles.open)}
          tabIndex={-1}
          title={heading === undefined ? revealHidden(title) : undefined}
        >
          {heading ?? <Name>{title}</Name>}
        </h1>
        {beside}
      </span>
    </nav>
  );
  const line = actions !== undefined && actions !== false && <div className={styles.actions}>{actions}</div>;
  if (isInBar)
    return (
      <>
        {createPortal(crumbs, bar)}
        {line !== false && <div className={styles.actionLine}>{line}</div>}
      </>
    );
  return (
    <header className={styles.header}>
      {crumbs}
      {line}
    </header>
  );
}
