import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './drawer.module.css';

/** See {@link Drawer}. */
export interface DrawerProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A panel over the page from its left edge, for what has no room beside it. */
export function Drawer({ label, isOpen, onOpenChange, children }: DrawerProps) {
  return (
    <ModalOverlay className={styles.overlay} isOpen={isOpen} onOpenChange={onOpenChange} isDismissable data-modal>
      <Modal className={styles.drawer}>
        <Dialog className={styles.dialog} aria-label={label}>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
