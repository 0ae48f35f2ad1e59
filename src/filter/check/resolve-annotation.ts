/** Annotations by their names: `annotations['quality']`, and their fields. */
import { ANNOTATION_MEMBERS } from '../catalogue/annotation.ts';
import type { PathStep, PathSyntax } from '../syntax.ts';
import type { AnnotationMember, AnnotationName } from '../tree.ts';
import { nearestName } from './nearest-name.ts';
import type { Operand, Scope } from './scope.ts';

/** The annotation, or the member of it, that the path stands for; `undefined` where it is none, which is reported. */
export function resolveAnnotation(
  scope: Scope,
  target: AnnotationName['target'],
  path: PathSyntax,
): Operand | undefined {
  const [subscript, member, ...rest] = path.steps;
  const { start, end } = path;
  const name = nameOf(subscript);
  if (name === undefined) {
    const message = `${scope.quote(path)} does not name an annotation: write \`${path.name}['name']\``;
    scope.diagnostics.error('unknown_name', path, message);
    return undefined;
  }
  const annotation = { target, name };
  scope.noteAnnotation(annotation, path);
  if (member === undefined) return { kind: 'annotation', annotation, start, end };
  if (member.kind !== 'member' || rest.length > 0 || !isMember(member.name)) return reportMember(scope, member);
  const value = { kind: 'annotation', annotation, member: member.name } as const;
  const field = ANNOTATION_MEMBERS[member.name];
  return { kind: 'value', type: field.type, field, value, start, end };
}

function nameOf(step: PathStep | undefined): string | undefined {
  if (step?.kind !== 'subscript' || step.key.kind !== 'literal') return undefined;
  const { literal } = step.key;
  return literal.type === 'text' && literal.value !== '' ? literal.value : undefined;
}

function reportMember(scope: Scope, step: PathStep): undefined {
  const members = Object.keys(ANNOTATION_MEMBERS);
  const nearest = step.kind === 'member' ? nearestName(step.name, members) : undefined;
  const advice =
    nearest === undefined
      ? `it has ${members.map((name) => `\`.${name}\``).join(', ')}`
      : `did you mean \`.${nearest}\`?`;
  const repair = nearest === undefined ? undefined : `.${nearest}`;
  scope.diagnostics.error('unknown_name', step, `an annotation has no ${scope.quote(step)}: ${advice}`, repair);
}

function isMember(name: string): name is AnnotationMember {
  return Object.hasOwn(ANNOTATION_MEMBERS, name);
}
