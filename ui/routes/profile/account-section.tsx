import { KeyRound, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '#ui/components/avatar.tsx';
import { Button } from '#ui/components/button.tsx';
import { Fact, FactList } from '#ui/components/fact-list.tsx';
import { Name } from '#ui/components/name.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { serverConfig } from '#ui/lib/server-config.ts';
import { roleName, type Viewer } from '#ui/lib/viewer.ts';
import styles from './account-section.module.css';
import { NameDialog } from './name-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';

const ABOUT_ROLES: Readonly<Record<Viewer['role'], string>> = {
  ADMIN: 'You can do everything on this server.',
  MEMBER: 'You can read, create and change what is recorded.',
  VIEWER: 'You can read everything that is recorded.',
  SYSTEM: 'A key of the system is used.',
};

/** Who somebody is on this server. */
export function AccountSection({ viewer }: { readonly viewer: Viewer }) {
  const [open, setOpen] = useState<'name' | 'password'>();
  const close = () => setOpen(undefined);
  const { username, email, role, authMethod, profilePictureUrl } = viewer;
  const isLocal = authMethod === 'LOCAL';
  const hasPassword = isLocal && role !== 'SYSTEM' && !serverConfig.basicAuthDisabled;
  return (
    <section className={styles.section} aria-label="Account">
      <header className={styles.header}>
        <Avatar name={username} pictureUrl={profilePictureUrl} size="lg" />
        <div className={styles.who}>
          <h2 className={styles.title}>
            <Name>{username}</Name>
          </h2>
          <p className={styles.lead}>{ABOUT_ROLES[role]}</p>
        </div>
      </header>
      <FactList>
        <Fact
          label="Name"
          action={
            <Button size="sm" icon={Pencil} onPress={() => setOpen('name')}>
              Change name
            </Button>
          }
        >
          <Name>{username}</Name>
        </Fact>
        <Fact
          label="Email"
          note={
            isLocal ? 'You sign in with it. It cannot be changed.' : 'The service that you sign in with decides it.'
          }
        >
          {email ?? '–'}
        </Fact>
        <Fact label="Role" note={role === 'ADMIN' ? undefined : 'An administrator can change it.'}>
          {roleName(role)}
        </Fact>
        {hasPassword && (
          <Fact
            label="Password"
            note="A change signs you out everywhere."
            action={
              <Button size="sm" icon={KeyRound} onPress={() => setOpen('password')}>
                Change password
              </Button>
            }
          >
            <span aria-hidden>••••••••</span>
            <VisuallyHidden>not shown</VisuallyHidden>
          </Fact>
        )}
      </FactList>
      {open === 'name' && <NameDialog username={username} onClose={close} />}
      {open === 'password' && <PasswordDialog email={email} onClose={close} />}
    </section>
  );
}
