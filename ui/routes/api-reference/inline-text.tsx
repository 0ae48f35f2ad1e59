/** A sentence of the document, with what stands between backticks as code, and addresses as links. */
export function InlineText({ text }: { readonly text: string }) {
  return text.split(/(`[^`]+`|https?:\/\/[^\s)]*[^\s).,])/).map((piece, place) => {
    const key = `${place} ${piece}`;
    if (piece.startsWith('`')) return <code key={key}>{piece.slice(1, -1)}</code>;
    if (!/^https?:/.test(piece)) return piece;
    return (
      <a key={key} href={piece} target="_blank" rel="noreferrer">
        {piece}
      </a>
    );
  });
}
