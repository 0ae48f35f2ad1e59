import { createLink, Link } from '@tanstack/react-router';
import { Keyboard, type LucideIcon, PanelLeftClose, PanelLeftOpen, Pin, Search, SlidersHorizontal } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import { Logo } from '#ui/components/logo.tsx';
import { usePins } from '#ui/lib/pins.ts';
import { useRecentItems } from '#ui/lib/recent.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { AccountMenu } from './account-menu.tsx';
import styles from './navigation.module.css';
import { type Place, PLACE_GROUPS, type PlaceGroup, PLACES } from './places.ts';

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
  readonly onLeave?: (() => void) | undefined;
}

/** Recent projects, beside those that are pinned. */
const MAX_RECENT_PROJECTS = 5;

/** The ways to every part of the product. */
export function Navigation({ isCollapsed, onToggle, onOpen, onLeave }: NavigationProps) {
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
        <Kbd keys="mod+K" isHint />
      </button>
      <nav className={styles.links} aria-label="Main">
        {PLACE_GROUPS.map(({ id, label }) => (
          <Group key={id} label={label} places={placesOf(id)}>
            {(place) => (
              <PlaceLink place={place} onLeave={onLeave}>
                {place.id === 'projects' && !isCollapsed && <KnownProjects onLeave={onLeave} />}
              </PlaceLink>
            )}
          </Group>
        ))}
      </nav>
      <div className={styles.bottom}>
        {placesOf('foot').map((place) => (
          <PlaceLink key={place.id} place={place} onLeave={onLeave} />
        ))}
        <ActionLine icon={Keyboard} text="Shortcuts" shortcut="?" onPress={() => onOpen('shortcuts')} />
        <ActionLine icon={SlidersHorizontal} text="Preferences" onPress={() => onOpen('preferences')} />
        <AccountMenu onLeave={onLeave} />
        <p className={styles.version}>Version {serverConfig.version}</p>
      </div>
    </div>
  );
}

function placesOf(group: PlaceGroup): readonly Place[] {
  return PLACES.filter((place) => place.group === group);
}

interface GroupProps {
  readonly label: string;
  readonly places: readonly Place[];
  readonly children: (place: Place) => ReactNode;
}

function Group({ label, places, children }: GroupProps) {
  const heading = useId();
  if (places.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Links of a navigation are no fields of a form.
    <div role="group" aria-labelledby={heading} className={styles.group}>
      <h2 id={heading} className={styles.heading}>
        {label}
      </h2>
      <ul>
        {places.map((place) => (
          <li key={place.id}>{children(place)}</li>
        ))}
      </ul>
    </div>
  );
}

interface PlaceLinkProps {
  readonly place: Place;
  readonly onLeave: (() => void) | undefined;
  /** What stands below it, as its parts. */
  readonly children?: ReactNode;
}

function PlaceLink({ place: { to, isExact, icon, label }, onLeave, children }: PlaceLinkProps) {
  return (
    <>
      <NavigationLink to={to} activeOptions={{ exact: isExact === true }} icon={icon} text={label} onClick={onLeave} />
      {children}
    </>
  );
}

/** The projects that somebody is likely to go to: the pinned ones, then those looked at lately. */
function KnownProjects({ onLeave }: Pick<PlaceLinkProps, 'onLeave'>) {
  const pins = usePins();
  const recent = useRecentItems().filter(({ kind }) => kind === 'project');
  const others = recent.filter(({ projectId }) => pins.every((pin) => pin.projectId !== projectId));
  if (pins.length + others.length === 0) return null;
  return (
    <ul className={styles.children} aria-label="Pinned and recent projects">
      {pins.map(({ projectId, title }) => (
        <li key={projectId}>
          <NavigationLink
            to="/projects/$projectId"
            params={{ projectId }}
            icon={Pin}
            note="pinned"
            text={title}
            onClick={onLeave}
          />
        </li>
      ))}
      {others.slice(0, MAX_RECENT_PROJECTS).map(({ projectId, title }) => (
        <li key={projectId}>
          <NavigationLink to="/projects/$projectId" params={{ projectId }} text={title} onClick={onLeave} />
        </li>
      ))}
    </ul>
  );
}

interface LineProps {
  readonly icon?: LucideIcon;
  readonly text: string;
  /** What the icon says, for the title. */
  readonly note?: string;
}

/** A link within the product; `to` and `params` as of any link. */
const NavigationLink = createLink(LineAnchor);

function LineAnchor({
  icon: Icon,
  text,
  note,
  ...props
}: LineProps & Omit<ComponentProps<'a'>, 'children' | 'className'>) {
  return (
    <a {...props} className={styles.line} title={note === undefined ? text : `${text}, ${note}`}>
      {Icon === undefined ? <span className={styles.dot} /> : <Icon size={15} aria-hidden />}
      <span className={styles.text}>{text}</span>
    </a>
  );
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
      {shortcut !== undefined && <Kbd keys={shortcut} isHint />}
    </button>
  );
}
