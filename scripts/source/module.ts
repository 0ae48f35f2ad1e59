/** What the structural checks need to know about one TypeScript file, read from its syntax alone. */
import { parseSync, Visitor } from 'rolldown/utils';

/** One import of any form: static, type-only, dynamic, `import('…')` in a type, or a re-export. */
export interface ModuleImport {
  readonly specifier: string;
  readonly line: number;
  readonly isTypeOnly: boolean;
  /** Names taken from the other module; '*' when all of them may be. */
  readonly names: readonly string[];
}

/** One exported name; `from` is set when it only passes through from another module. */
export interface ModuleExport {
  /** '*' for `export * from`. */
  readonly name: string;
  readonly line: number;
  readonly hasDocs: boolean;
  readonly from?: { readonly specifier: string; readonly name: string };
}

/** The syntax of one file, as far as the checks look. */
export interface SourceModule {
  readonly path: string;
  readonly lineCount: number;
  readonly anyCount: number;
  readonly imports: readonly ModuleImport[];
  readonly exports: readonly ModuleExport[];
}

/** Reads one file's text. `@throws` Error when it is not TypeScript. */
export function parseModule(path: string, text: string): SourceModule {
  const { program, module, comments, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);

  const docEnds = comments.filter((c) => c.type === 'Block' && c.value.startsWith('*')).map((c) => c.end);
  const hasDocs = (start: number) => docEnds.some((end) => end <= start && text.slice(end, start).trim() === '');
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;

  const imports: ModuleImport[] = [];
  const declarationStarts = new Map<string, number>();
  let anyCount = 0;
  const add = (start: number, specifier: string, isTypeOnly: boolean, names: readonly string[]) => {
    imports.push({ specifier, line: lineOf(start), isTypeOnly, names });
  };
  new Visitor({
    ImportDeclaration(node) {
      const types = node.specifiers.map((s) => s.type === 'ImportSpecifier' && s.importKind === 'type');
      const isTypeOnly = node.importKind === 'type' || (types.length > 0 && types.every(Boolean));
      const names = node.specifiers.map((s) => {
        if (s.type === 'ImportNamespaceSpecifier') return '*';
        return s.type === 'ImportDefaultSpecifier' ? 'default' : exportName(s.imported);
      });
      add(node.start, node.source.value, isTypeOnly, names);
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return;
      const names = node.specifiers.map((s) => exportName(s.local));
      add(node.start, node.source.value, node.exportKind === 'type', names);
    },
    ExportAllDeclaration(node) {
      add(node.start, node.source.value, node.exportKind === 'type', ['*']);
    },
    ImportExpression(node) {
      if (node.source.type === 'Literal') add(node.start, String(node.source.value), false, ['*']);
    },
    TSImportType(node) {
      add(node.start, node.source.value, true, ['*']);
    },
    TSAnyKeyword() {
      anyCount += 1;
    },
  }).visit(program);

  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    for (const name of declaration === null ? [] : declaredNames(declaration)) {
      // Overloads share a name: the docs stand on the first.
      if (!declarationStarts.has(name)) declarationStarts.set(name, statement.start);
    }
  }

  const exports = module.staticExports.flatMap((statement) =>
    statement.entries.map((entry): ModuleExport => {
      const name = entry.exportName.name ?? (entry.exportName.kind === 'Default' ? 'default' : '*');
      const start = declarationStarts.get(entry.localName.name ?? name) ?? statement.start;
      const base = { name, line: lineOf(statement.start), hasDocs: hasDocs(start) || hasDocs(statement.start) };
      if (entry.moduleRequest === null) return base;
      return { ...base, from: { specifier: entry.moduleRequest.value, name: entry.importName.name ?? '*' } };
    }),
  );
  return { path, lineCount: countLines(text), anyCount, imports, exports };
}

/** Lines as `wc -l` counts them, an unfinished last one included. */
export function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function exportName(name: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return name.name ?? String(name.value);
}

type Statement = ReturnType<typeof parseSync>['program']['body'][number];

function declaredNames(statement: Statement): readonly string[] {
  switch (statement.type) {
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return statement.id === null ? [] : [statement.id.name];
    default:
      return [];
  }
}
