/** What is laid out, and how a layout says where things stand. */

/** A graph without what does not matter to its layout. */
export interface LayoutInput {
  readonly nodes: readonly string[];
  readonly edges: readonly LayoutEdge[];
  /** Whether it must be laid out in time that grows with its size alone; trees always are well. */
  readonly isQuick: boolean;
}

/** An edge of {@link LayoutInput}. */
export interface LayoutEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly isCall: boolean;
}

/** A place in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** By the ids of nodes and edges. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** Their middles. */
  readonly nodes: Readonly<Record<string, Point>>;
  /** The points on their way. */
  readonly edges: Readonly<Record<string, readonly Point[]>>;
}

/** The size of every node. */
export const NODE_WIDTH = 176;
/** See {@link NODE_WIDTH}. */
export const NODE_HEIGHT = 40;
