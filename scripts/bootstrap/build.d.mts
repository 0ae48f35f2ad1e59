export function ensureBuilt(node: string): void;
export function build(node: string): void;
export function hashSources(root: string): string;
