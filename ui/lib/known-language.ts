/**
 * A browser that was started without a locale calls its language `en-US@posix`, which `Intl` refuses: a caller that asks `Intl` by that name
 * fails. Imported before those who do.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
