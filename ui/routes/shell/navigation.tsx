import { createLink, Link } from '@tanstack/react-router';
import {
  BookOpen,
  Boxes,
  Keyboard,
  type LucideIcon,
  PanelLeftClose,
  PanelLeftOpen,
  Search,
  SlidersHorizontal,
  Waypoints,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import { useRecentItems } from '#ui/lib/recent.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { Logo } from './logo.tsx';
import styles from './navigation.module.css';

/** What the shell can open over the page. */
export type ShellWindow = 'palette' | 'shortcuts' | 'preferences' | 'navigation';

/** See {@link Navigation}. */
export interface NavigationProps {
  /** Shows icons alone. */
  readonly isCollapsed: boolean;
  /** Folds or unfolds it; without, it cannot be folded. */
  readonly onToggle?: () => void;
  readonly onOpen: (window: ShellWindow) => void;
  /** Called when one of its links is followed. */
  readonly onLeave?: () => void;
}

const MAX_RECENT_PROJECTS = 6;

/** The ways to every part of the product. */
export function Navigation({ isCollapsed, onToggle, onOpen, onLeave }: NavigationProps) {
  const projects = useRecentItems().filter(({ kind }) => kind === 'project');
  return (
    <div className={styles.navigation} data-collapsed={isCollapsed}>
      <div className={styles.top}>
        <Link to="/projects" className={styles.home} aria-label="Cairn, all projects" onClick={onLeave}>
          <Logo />
          <span className={styles.text}>Cairn</span>
        </Link>
        {onToggle !== undefined && (
          <IconButton
            icon={isCollapsed ? PanelLeftOpen : PanelLeftClose}
            label={isCollapsed ? 'Expand navigation' : 'Collapse navigation'}
            shortcut="["
            size="sm"
            onPress={onToggle}
          />
        )}
      </div>
      <button type="button" className={styles.search} title="Search" onClick={() => onOpen('palette')}>
        <Search size={15} aria-hidden />
        <span className={styles.text}>Search</span>
        <Kbd keys="mod+K" />
      </button>
      <nav className={styles.links} aria-label="Main">
        <NavigationLink to="/projects" activeOptions={{ exact: true }} icon={Boxes} text="Projects" onClick={onLeave} />
        {!isCollapsed && projects.length > 0 && (
          <>
            <h2 className={styles.heading}>Recent projects</h2>
            {projects.slice(0, MAX_RECENT_PROJECTS).map(({ projectId, title }) => (
              <NavigationLink
                key={projectId}
                to="/projects/$projectId"
                params={{ projectId }}
                text={title}
                onClick={onLeave}
              />
            ))}
          </>
        )}
      </nav>
      <div className={styles.bottom}>
        <ServerLink path="/docs" icon={BookOpen} text="API reference" />
        <ServerLink path="/graphql" icon={Waypoints} text="GraphQL explorer" />
        <ActionLine icon={Keyboard} text="Shortcuts" shortcut="?" onPress={() => onOpen('shortcuts')} />
        <ActionLine icon={SlidersHorizontal} text="Preferences" onPress={() => onOpen('preferences')} />
        <p className={styles.version}>Version {serverConfig.version}</p>
      </div>
    </div>
  );
}

interface LineProps {
  readonly icon?: LucideIcon;
  readonly text: string;
}

/** A link within the product; `to` and `params` as of any link. */
const NavigationLink = createLink(LineAnchor);

function LineAnchor({ icon: Icon, text, ...props }: LineProps & Omit<ComponentProps<'a'>, 'children' | 'className'>) {
  return (
    <a {...props} className={styles.line} title={text}>
      {Icon === undefined ? <span className={styles.dot} /> : <Icon size={15} aria-hidden />}
      <span className={styles.text}>{text}</span>
    </a>
  );
}

/** A page that the server gives by itself, outside of the product's. */
function ServerLink({ path, ...props }: LineProps & { readonly path: string }) {
  return <LineAnchor {...props} href={`${serverConfig.rootPath}${path}`} target="_blank" rel="noreferrer" />;
}

function ActionLine({
  icon: Icon,
  text,
  shortcut,
  onPress,
}: LineProps & { readonly shortcut?: string; readonly onPress: () => void }) {
  return (
    <button type="button" className={styles.line} title={text} onClick={onPress}>
      {Icon !== undefined && <Icon size={15} aria-hidden />}
      <span className={styles.text}>{text}</span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </button>
  );
}
