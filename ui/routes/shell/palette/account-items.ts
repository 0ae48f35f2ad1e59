/** The palette's items for the user's account and the settings. */
import { ExternalLink, LogOut, type LucideIcon, UserRound } from 'lucide-react';
import { signOut } from '#ui/lib/session.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { may } from '#ui/lib/viewer.ts';
import { isOpenToUser, SETTINGS_TABS, type SettingsPath } from '../../settings/settings-tabs.ts';
import type { Findable } from './palette-items.ts';

/** A line of the palette about the account: a page, or something to do. */
export type AccountItem = Findable & { readonly icon: LucideIcon; readonly shortcut?: string } & (
    | { readonly to: '/profile' | SettingsPath }
    | { readonly run: () => void }
  );

/** Those that the user may use. */
export function listAccountItems(): readonly AccountItem[] {
  const { authEnabled, managementUrl } = serverConfig;
  const settings = SETTINGS_TABS.filter(isOpenToUser).map(
    ({ path, label, icon, keywords }): AccountItem => ({
      id: path,
      group: 'Pages',
      icon,
      label: `Settings: ${label}`,
      keywords,
      to: path,
    }),
  );
  if (!authEnabled) return settings;
  return [
    {
      id: 'profile',
      group: 'Pages',
      icon: UserRound,
      label: 'Profile and API keys',
      keywords: 'account password name token create key',
      shortcut: 'g u',
      to: '/profile',
    },
    ...settings,
    ...(managementUrl !== null && may('manageAccounts')
      ? [
          {
            id: 'management',
            group: 'Pages',
            icon: ExternalLink,
            label: 'Manage this installation',
            run: () => window.open(managementUrl, '_blank', 'noreferrer'),
          } as const,
        ]
      : []),
    { id: 'sign-out', group: 'Actions', icon: LogOut, label: 'Sign out', keywords: 'log out leave', run: signOut },
  ];
}
