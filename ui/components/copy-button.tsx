import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '#ui/lib/clipboard.ts';
import { Button, IconButton } from './button.tsx';
import { showToast } from './toast.tsx';

/** See {@link CopyButton}. */
export interface CopyButtonProps {
  /** What is copied; a function where making it costs something. */
  readonly text: string | (() => string);
  /** Says what is copied: `Copy trace id`. */
  readonly label: string;
  readonly size?: 'sm' | 'md';
  /** Writes the label on the button. */
  readonly hasText?: boolean;
  readonly className?: string | undefined;
  /** Has the keyboard at first. */
  readonly isFocused?: boolean;
}

/** Copies a text, and says that it has. */
export function CopyButton({ text, label, size = 'sm', hasText = false, className, isFocused }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    copyText(typeof text === 'string' ? text : text()).then(
      () => setIsCopied(true),
      () =>
        showToast({
          tone: 'danger',
          title: 'The browser blocked copying',
          description: 'Select the text and copy it manually.',
        }),
    );
  };
  const icon = isCopied ? Check : Copy;
  if (hasText) {
    return (
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- Where the page shows it in answer to the keyboard.
      <Button icon={icon} size={size} onPress={copy} className={className} autoFocus={isFocused ?? false}>
        {isCopied ? 'Copied' : label}
      </Button>
    );
  }
  return (
    <IconButton icon={icon} label={isCopied ? 'Copied' : label} size={size} onPress={copy} className={className} />
  );
}
