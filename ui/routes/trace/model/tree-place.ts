/** What folding, keys and rows need to know of a tree whose nodes stand in one list, parents before children. */
export interface TreePlace<Node> {
  /** Names it, whatever becomes of the tree. */
  readonly key: string;
  readonly parent: Node | null;
  /** Place in the list. */
  readonly index: number;
  /** Place behind the last descendant. */
  readonly endIndex: number;
}
