import { type FormEvent, useRef, useState } from 'react';
import { describeError } from '#ui/lib/describe-error.ts';

/** A form that is sent once at a time, and says why it was refused. */
export interface Submission {
  readonly onSubmit: (event: FormEvent) => void;
  readonly isPending: boolean;
  readonly refusal: string | undefined;
  /** Removes the refusal: what it is about is being changed. */
  readonly clearRefusal: () => void;
}

/**
 * Sends a form by `send`, which rejects with a sentence and returns false if a field is at fault and says so itself. The form
 * stays pending once it has succeeded: the page is left, or the window closes.
 */
export function useSubmit(send: () => Promise<boolean | void>): Submission {
  const isSending = useRef(false);
  const [isPending, setIsPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  async function submit(): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setIsPending(true);
    setRefusal(undefined);
    try {
      if ((await send()) !== false) return;
    } catch (error) {
      setRefusal(describeError(error));
    }
    isSending.current = false;
    setIsPending(false);
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return { onSubmit, isPending, refusal, clearRefusal: () => setRefusal(undefined) };
}
