import type { Permission } from '#domain/access';
import type { Builder, BuilderOf, NodeName, NodeRow } from './builder.ts';
import type { Connection, Edge, PageInfo } from './connection.ts';

/** Adds `XConnection` and `XEdge` of a node type, for those who may read its lists; a field of type `XConnection` names them. */
export function addConnectionTypes(builder: Builder, type: NodeName, access: Permission): void {
  // TypeScript does not see through names that are made of another, so the types are those of any one.
  const generic = builder as unknown as BuilderOf<AnyConnection>;
  const [row, edge, connection] = [type, `${type}Edge`, `${type}Connection`] as unknown as [
    'Row',
    'RowEdge',
    'RowConnection',
  ];
  generic.objectType(edge, {
    access,
    fields: (t) => ({
      cursor: t.exposeString('cursor'),
      node: t.field({ type: row, resolve: ({ node }) => node }),
    }),
  });
  generic.objectType(connection, {
    access,
    fields: (t) => ({
      edges: t.field({ type: [edge], resolve: ({ edges }) => edges }),
      pageInfo: t.field({ type: 'PageInfo', resolve: ({ pageInfo }) => pageInfo }),
    }),
  });
}

interface AnyConnection {
  PageInfo: PageInfo;
  Row: NodeRow;
  RowEdge: Edge<NodeRow>;
  RowConnection: Connection<NodeRow>;
}
