/** The keyboard goes into the panel that a key opened: to the first answer where there is one already. */
export function focusFirst(panel: HTMLElement | null): void {
  const first = panel?.querySelector<HTMLElement>('[data-answer-field] :is(button, input, textarea)');
  (first ?? panel)?.focus();
}

/**
 * Call it before a form is saved, and what it returns afterwards: the button that was pressed is disabled by then and has lost
 * the keyboard, which goes to the form's first answer, so that keys still belong to the panel.
 */
export function keepFocus(form: HTMLFormElement | null): () => void {
  const hadFocus = form?.contains(document.activeElement) === true;
  return () => {
    const active = document.activeElement;
    if (hadFocus && (active === document.body || active?.matches(':disabled') === true)) focusFirst(form);
  };
}
