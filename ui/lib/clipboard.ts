/** Copies a text. Pages that did not come over HTTPS or from this machine have no clipboard of their own: they select and copy. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // A window that keeps the focus lets this have it.
  field.dataset['reactAriaTopLayer'] = 'true';
  const active = document.activeElement;
  document.body.append(field);
  field.select();
  const hasCopied = document.execCommand('copy');
  field.remove();
  if (active instanceof HTMLElement) active.focus();
  if (!hasCopied) throw new Error('The browser did not copy the text.');
}
