/** The keyboard goes into the panel that a key opened: to the first answer where there is one already. */
export function focusFirst(panel: HTMLElement | null): void {
  const first = panel?.querySelector<HTMLElement>('[data-answer-field] :is(button, input, textarea)');
  (first ?? panel)?.focus();
}
