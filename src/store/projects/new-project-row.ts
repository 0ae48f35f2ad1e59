import { foldCase } from '#base/text';
import { chooseProjectColors } from '#domain/project-colors';

/** The columns of a project that comes into being now, in colours that its name decides. */
export function newProjectRow(name: string) {
  const { start, end } = chooseProjectColors(name);
  const nowUs = Date.now() * 1000;
  return {
    name,
    name_folded: foldCase(name),
    gradient_start_color: start,
    gradient_end_color: end,
    created_at_us: nowUs,
    updated_at_us: nowUs,
  };
}
