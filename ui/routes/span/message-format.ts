import { createStored, useStored } from '#ui/lib/storage.ts';

/** How the texts of messages are shown. */
export type MessageFormat = 'markdown' | 'plain';

const kept = createStored<MessageFormat>('messageFormat', 'markdown', (value) =>
  value === 'markdown' || value === 'plain' ? value : undefined,
);

/** The choice of this browser. */
export function useMessageFormat(): MessageFormat {
  return useStored(kept);
}

/** Shows the texts of messages so from now on. */
export function setMessageFormat(format: MessageFormat): void {
  kept.set(format);
}
