/** Adds the types of annotations. */
export function addAnnotationTypes(): void {}
