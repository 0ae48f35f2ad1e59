import { SettingsApiKeysPage } from '../api-keys/settings-api-keys-page.tsx';
import styles from './settings.module.css';

/** All keys of the server, in the place of a page of the settings. */
export function ApiKeysPage() {
  return (
    <div className={styles.page}>
      <SettingsApiKeysPage />
    </div>
  );
}
