import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronDown, Copy } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { copyText } from '#ui/lib/clipboard.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { usePageTitle } from '#ui/lib/page-title.ts';
import { Menu, MenuItem, MenuTrigger } from './menu.tsx';
import { Name } from './name.tsx';
import styles from './page-header.module.css';

/** A step on the way to a page. */
export interface Breadcrumb {
  readonly label: string;
  readonly link: LinkProps;
  /** Adds a menu that copies the object's name or id. */
  readonly copy?: Copyable | undefined;
}

/** What the menu of an object copies. */
export interface Copyable {
  readonly name: string;
  readonly id: string;
}

/** See {@link PageHeader}. */
export interface PageHeaderProps {
  /** The page's heading and the window's title. */
  readonly title: string;
  readonly breadcrumbs?: readonly Breadcrumb[] | undefined;
  /** Adds a menu to the title that copies the object's name or id. */
  readonly copy?: Copyable | undefined;
  readonly actions?: ReactNode;
}

/** The upper line of a page: the way here, its heading, what can be done. */
export function PageHeader({ title, breadcrumbs = [], copy, actions }: PageHeaderProps) {
  usePageTitle([title, ...breadcrumbs.map(({ label }) => label).toReversed()]);
  return (
    <header className={styles.header}>
      <nav className={styles.crumbs} aria-label="Breadcrumbs">
        {breadcrumbs.map((crumb) => (
          <Fragment key={crumb.label}>
            <span className={styles.crumb}>
              <Link {...crumb.link} className={styles.link}>
                <Name>{crumb.label}</Name>
              </Link>
              {crumb.copy !== undefined && <CopyMenu {...crumb.copy} />}
            </span>
            <span className={styles.slash} aria-hidden>
              /
            </span>
          </Fragment>
        ))}
        <span className={styles.crumb}>
          <h1 className={styles.title} tabIndex={-1} title={revealHidden(title)}>
            <Name>{title}</Name>
          </h1>
          {copy !== undefined && <CopyMenu {...copy} />}
        </span>
      </nav>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

function CopyMenu({ name, id }: Copyable) {
  return (
    <MenuTrigger>
      <Button className={styles.menu} aria-label={`Copy name or id of ${revealHidden(name)}`}>
        <ChevronDown size={13} aria-hidden />
      </Button>
      <Menu label={`Copy of ${revealHidden(name)}`}>
        <MenuItem icon={Copy} onAction={() => void copyText(name)}>
          Copy name
        </MenuItem>
        <MenuItem icon={Copy} onAction={() => void copyText(id)}>
          Copy id
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}
