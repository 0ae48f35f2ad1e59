/** What makes spans of two traces alike, as numbers that are equal where spans are. */
import { Numbering } from '#ui/lib/diff/sequence-diff.ts';
import type { Forest, TreeNode } from '../../trace/model/forest.ts';

/** What a span holds, as a text that is equal where that is; undefined as long as it is not known. */
export type ContentKey = (node: TreeNode) => string | undefined;

/** Numbers of every node of a forest, by its index. */
export interface Signatures {
  readonly children: readonly (readonly TreeNode[])[];
  readonly roots: readonly TreeNode[];
  /** Kind, and name without the model. */
  readonly label: Int32Array;
  /** The same without figures, as `step 3` is a step and `chunk-9f3a` a chunk. */
  readonly looseLabel: Int32Array;
  /** What it holds, where that is known; else -1. */
  readonly content: Int32Array;
  /** Label, contents, status, and all that for everything below it. */
  readonly whole: Int32Array;
  /** Labels of it and everything below it. */
  readonly shape: Int32Array;
}

/** Gives the nodes of several forests numbers that can be compared. */
export class Signer {
  readonly #labels = new Numbering();
  readonly #contents = new Numbering();
  readonly #wholes = new Numbering();
  readonly #shapes = new Numbering();
  readonly #contentOf: ContentKey;

  constructor(contentOf: ContentKey) {
    this.#contentOf = contentOf;
  }

  sign({ nodes }: Forest): Signatures {
    const column = () => new Int32Array(nodes.length);
    const signed = { label: column(), looseLabel: column(), content: column(), whole: column(), shape: column() };
    const children: TreeNode[][] = nodes.map(() => []);
    const roots: TreeNode[] = [];
    for (const node of nodes) (node.parent === null ? roots : (children[node.parent.index] ?? [])).push(node);
    // Children before parents.
    for (const node of nodes.toReversed()) {
      const at = node.index;
      const name = nameWithoutModel(node);
      const kind = node.span?.kind ?? 'missing';
      const label = this.#labels.of(`${kind} ${name}`);
      const content = this.#contentOf(node);
      const below = children[at] ?? [];
      const contentNumber = content === undefined ? -1 : this.#contents.of(content);
      signed.label[at] = label;
      signed.looseLabel[at] = this.#labels.of(`${kind} ${withoutFigures(name)}`);
      signed.content[at] = contentNumber;
      signed.shape[at] = this.#shapes.of(`${label}(${below.map(({ index }) => signed.shape[index]).join()})`);
      signed.whole[at] = this.#wholes.of(
        `${label} ${contentNumber} ${node.span?.status} ${node.span?.modelName}(${below.map(({ index }) => signed.whole[index]).join()})`,
      );
    }
    return { ...signed, children, roots };
  }
}

/** Some instrumentations name a call after its model, `chat gpt-4o`: another model does not make it another step. */
function nameWithoutModel({ span }: TreeNode): string {
  if (span === null) return '';
  const { name, modelName } = span;
  return modelName === null || modelName === '' ? name : name.replaceAll(modelName, '…');
}

function withoutFigures(name: string): string {
  return name.replaceAll(/[0-9a-f]{8,}|\d+/gi, '#');
}
