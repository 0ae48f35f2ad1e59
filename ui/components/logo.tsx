/** Three stones, one on the other: a mark on a path. */
export function Logo({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="var(--color-accent)" aria-hidden>
      <path d="M4.4 25.2c.3-2.4 3.6-3.9 11.2-3.9 7.9 0 11.7 1.5 12 4.1.2 2.3-3.6 3.6-11.8 3.6-7.8 0-11.7-1.3-11.4-3.8Z" />
      <path d="M7.3 16.8c0-2.2 2.9-3.7 8.2-3.7 5.6 0 8.7 1.4 8.7 3.6s-3 3.5-8.6 3.5c-5.3 0-8.3-1.2-8.3-3.4Z" />
      <path d="M11.2 8.6c-.2-2.6 2-4.6 5.6-4.6 3.5 0 5.5 1.9 5.4 4.3-.1 2.3-2 3.7-5.5 3.7-3.4 0-5.3-1.1-5.5-3.4Z" />
    </svg>
  );
}
