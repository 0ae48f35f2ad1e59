export function ensureInstalled(folder: string): boolean;
export function isInstalled(folder: string): boolean;
