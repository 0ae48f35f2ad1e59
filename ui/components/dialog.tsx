import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { classNames } from '#ui/lib/class-names.ts';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';

/** See {@link Dialog}. */
export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
  readonly size?: 'sm' | 'md' | 'lg';
  /** Closed by its buttons alone: what it shows is not shown again. */
  readonly isHeld?: boolean;
}

/** A modal window; Escape and a press outside it close it, unless it is held. */
export function Dialog({ title, isOpen, onOpenChange, children, actions, size = 'md', isHeld = false }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={!isHeld}
      isKeyboardDismissDisabled={isHeld}
      data-modal
    >
      <Modal className={classNames(styles.modal, styles[size])}>
        <AriaDialog className={styles.dialog}>
          <header className={styles.header}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            <IconButton icon={X} label="Close" size="sm" onPress={() => onOpenChange(false)} />
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
