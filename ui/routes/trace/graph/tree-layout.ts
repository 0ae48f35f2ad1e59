import { type GraphLayout, type LayoutInput, NODE_HEIGHT, NODE_WIDTH, type Point } from './graph-layout.ts';

const COLUMN = NODE_WIDTH + 48;
const ROW = NODE_HEIGHT + 12;

/**
 * A tree from left to right in time that grows with its size alone: each node beside the middle of what it calls, leaves below
 * each other. Of several callers the first one counts; edges that are not of the tree join what they join as straight lines.
 */
export function layoutTree({ nodes, edges }: LayoutInput, margin: number): GraphLayout {
  const { children, roots } = spanTree(nodes, edges);
  const places = new Map<string, Point>();
  let row = 0;
  let depth = 0;
  const stack = roots.toReversed().map((id) => ({ id, level: 0, isDone: false }));
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { id, level } = top;
    const below = children.get(id) ?? [];
    depth = Math.max(depth, level);
    if (below.length === 0 || top.isDone) {
      const [first, last] = [places.get(below[0] ?? ''), places.get(below.at(-1) ?? '')];
      const y = first === undefined || last === undefined ? row++ * ROW + NODE_HEIGHT / 2 : (first.y + last.y) / 2;
      places.set(id, { x: level * COLUMN + NODE_WIDTH / 2, y });
    } else {
      stack.push({ ...top, isDone: true });
      for (const child of below.toReversed()) stack.push({ id: child, level: level + 1, isDone: false });
    }
  }
  const placed = new Map([...places].map(([id, { x, y }]) => [id, { x: x + margin, y: y + margin }]));
  return {
    width: depth * COLUMN + NODE_WIDTH + 2 * margin,
    height: Math.max(0, row * ROW - (ROW - NODE_HEIGHT)) + 2 * margin,
    nodes: Object.fromEntries(placed),
    edges: Object.fromEntries(
      edges.map(({ id, from, to }) => [id, joinPlaces(placed.get(from), placed.get(to))] as const),
    ),
  };
}

/** Each node below the first that calls it and does not come from it. */
function spanTree(nodes: readonly string[], edges: LayoutInput['edges']) {
  const parents = new Map<string, string>();
  for (const { from, to, isCall } of edges) {
    if (isCall && !parents.has(to) && !descends(from, to, parents)) parents.set(to, from);
  }
  const children = new Map<string, string[]>();
  for (const id of nodes) {
    const parent = parents.get(id);
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  return { children, roots: nodes.filter((id) => !parents.has(id)) };
}

function descends(id: string, from: string, parents: ReadonlyMap<string, string>): boolean {
  for (let at: string | undefined = id; at !== undefined; at = parents.get(at)) if (at === from) return true;
  return false;
}

/** From the side of one to the side of the other; within a column from below to above; to itself around its right side. */
function joinPlaces(from: Point | undefined, to: Point | undefined): readonly Point[] {
  if (from === undefined || to === undefined) return [];
  const [halfWidth, halfHeight] = [NODE_WIDTH / 2, NODE_HEIGHT / 2];
  if (from === to) {
    const right = from.x + halfWidth;
    return [
      { x: right, y: from.y - 8 },
      { x: right + 28, y: from.y },
      { x: right, y: from.y + 8 },
    ];
  }
  if (from.x === to.x) {
    const sign = from.y < to.y ? 1 : -1;
    return [
      { x: from.x, y: from.y + sign * halfHeight },
      { x: to.x, y: to.y - sign * halfHeight },
    ];
  }
  const sign = from.x < to.x ? 1 : -1;
  const [start, end] = [from.x + sign * halfWidth, to.x - sign * halfWidth];
  const middle = (start + end) / 2;
  return [
    { x: start, y: from.y },
    { x: middle, y: from.y },
    { x: middle, y: to.y },
    { x: end, y: to.y },
  ];
}
