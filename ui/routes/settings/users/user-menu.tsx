import { Ellipsis, KeySquare, LockOpen, Trash2, UserRoundCog } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#ui/components/menu.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { type ActedUser, useUserTools } from './user-tools.ts';

/** What an administrator can do with an account; what cannot be done says why. */
export function UserMenu({ user }: { readonly user: ActedUser }) {
  const { limitsOf, start } = useUserTools();
  const { role, password, deletion } = limitsOf(user);
  return (
    <MenuTrigger>
      <IconButton icon={Ellipsis} size="sm" label={`Actions for ${revealHidden(user.username)}`} />
      <Menu label="User" placement="bottom end">
        {user.isLocked && (
          <MenuItem icon={LockOpen} onAction={() => start('unlock', user)}>
            Unlock
          </MenuItem>
        )}
        <MenuItem icon={UserRoundCog} isDisabled={role !== undefined} onAction={() => start('role', user)}>
          {role ?? 'Change role…'}
        </MenuItem>
        <MenuItem icon={KeySquare} isDisabled={password !== undefined} onAction={() => start('password', user)}>
          {password ?? 'Reset password…'}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} isDisabled={deletion !== undefined} onAction={() => start('delete', user)}>
          {deletion ?? 'Delete user…'}
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}
