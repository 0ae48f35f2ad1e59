/** The pages of the settings. */
import {
  Coins,
  Database,
  KeyRound,
  type LucideIcon,
  RectangleEllipsis,
  ScrollText,
  Settings2,
  Tags,
  Users,
} from 'lucide-react';
import { may, type Permission } from '#ui/lib/viewer.ts';

/** One of them. */
export interface SettingsTab {
  readonly path: SettingsPath;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Absent: the page is for everybody. */
  readonly needs?: Permission;
  /** Further words that the palette finds it by. */
  readonly keywords: string;
}

/** Their addresses. */
export type SettingsPath =
  `/settings/${'general' | 'users' | 'api-keys' | 'secrets' | 'models' | 'annotations' | 'data' | 'audit-log'}`;

/** In the order of the list. */
export const SETTINGS_TABS: readonly SettingsTab[] = [
  { path: '/settings/general', label: 'General', icon: Settings2, keywords: 'server address version endpoint' },
  {
    path: '/settings/users',
    label: 'Users',
    icon: Users,
    needs: 'manageAccounts',
    keywords: 'people members accounts roles',
  },
  { path: '/settings/api-keys', label: 'API keys', icon: KeyRound, needs: 'manageAccounts', keywords: 'tokens system' },
  {
    path: '/settings/secrets',
    label: 'Secrets',
    icon: RectangleEllipsis,
    needs: 'administer',
    keywords: 'providers credentials environment',
  },
  { path: '/settings/models', label: 'Models', icon: Coins, keywords: 'prices costs tokens providers' },
  {
    path: '/settings/annotations',
    label: 'Annotations',
    icon: Tags,
    keywords: 'configs labels scores feedback categorical continuous freeform rubric',
  },
  {
    path: '/settings/data',
    label: 'Data',
    icon: Database,
    keywords: 'retention policies storage maintenance reindex repricing',
  },
  {
    path: '/settings/audit-log',
    label: 'Audit log',
    icon: ScrollText,
    needs: 'administer',
    keywords: 'events history who',
  },
];

/** Whether the user may open it. Roles change only with a new session, which loads the page again. */
export function isOpenToUser({ needs }: SettingsTab): boolean {
  return needs === undefined || may(needs);
}
