import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, ExternalLink, LogOut, Settings, UserRound } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Header } from 'react-aria-components/Header';
import { Avatar } from '#ui/components/avatar.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { signOut } from '#ui/lib/session.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { roleName, useMay, useViewer, type Viewer } from '#ui/lib/viewer.ts';
import styles from './account-menu.module.css';

/** See {@link AccountMenu}. */
export interface AccountMenuProps {
  /** Called when one of its pages is opened. */
  readonly onLeave?: (() => void) | undefined;
}

/** Who has signed in, and the ways to what is theirs; nothing while authentication is off. */
export function AccountMenu({ onLeave }: AccountMenuProps) {
  const viewer = useViewer();
  return viewer === null ? null : <ViewerMenu viewer={viewer} onLeave={onLeave} />;
}

function ViewerMenu({ viewer, onLeave }: AccountMenuProps & { readonly viewer: Viewer }) {
  const navigate = useNavigate();
  const isManager = useMay('manageAccounts');
  const { username, email, role, profilePictureUrl } = viewer;
  const open = (to: '/profile' | '/settings') => () => {
    onLeave?.();
    void navigate({ to });
  };
  return (
    <MenuTrigger>
      <Button className={styles.button}>
        <Avatar name={username} pictureUrl={profilePictureUrl} />
        <span className={styles.who}>
          <VisuallyHidden>Account of </VisuallyHidden>
          <span className={styles.name} title={revealHidden(username)}>
            <Name>{username}</Name>
          </span>
          <span className={styles.role}>{roleName(role)}</span>
        </span>
        <ChevronsUpDown size={14} aria-hidden className={styles.chevron} />
      </Button>
      <Menu label="Account" placement="top start">
        <MenuSection>
          <Header className={styles.header}>
            <span className={styles.name}>
              <Name>{username}</Name>
            </span>
            {email !== null && <span className={styles.email}>{email}</span>}
          </Header>
          <MenuItem icon={UserRound} onAction={open('/profile')}>
            Profile and API keys
          </MenuItem>
          <MenuItem icon={Settings} onAction={open('/settings')}>
            Settings
          </MenuItem>
          {isManager && serverConfig.managementUrl !== null && (
            <MenuItem icon={ExternalLink} href={serverConfig.managementUrl} target="_blank" rel="noreferrer">
              Manage this installation
            </MenuItem>
          )}
        </MenuSection>
        <MenuSeparator />
        <MenuItem icon={LogOut} onAction={signOut}>
          Sign out
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}
