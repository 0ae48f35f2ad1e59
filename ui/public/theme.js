// Before the first paint, so that a dark page never flashes white. The choice is kept by lib/theme.ts.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem('cairn.theme')) ?? 'system';
} catch {
  // Nothing can be kept, or it is not ours: as the system says.
}
