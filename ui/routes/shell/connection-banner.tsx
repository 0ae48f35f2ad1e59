import { RotateCw, Unplug } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { probe, useIsConnectionLost } from '#ui/lib/connection.ts';
import styles from './connection-banner.module.css';

/** Says that the server does not answer, until it does. */
export function ConnectionBanner() {
  const isLost = useIsConnectionLost();
  const [isTrying, setIsTrying] = useState(false);
  async function retry(): Promise<void> {
    setIsTrying(true);
    await probe();
    setIsTrying(false);
  }
  return (
    <div role="alert">
      {isLost && (
        <div className={styles.banner}>
          <Unplug size={16} aria-hidden className={styles.icon} />
          <p className={styles.text}>
            <strong>The server is not responding.</strong> This page may be out of date. It reconnects automatically.
          </p>
          <Button size="sm" icon={RotateCw} isPending={isTrying} onPress={() => void retry()}>
            Try now
          </Button>
        </div>
      )}
    </div>
  );
}
