/** Attributes are what was sent, and what docs/dialects.md lists: everything else is beside them. */
import { describe, expect, it } from 'vitest';
import { readWire } from './evidence.ts';
import { loadSpans } from './load-spans.ts';
import { presentLoaded } from './read-in-process.ts';
import { listFolders, readScenarios } from './recording.ts';
import { listFaults } from './sent-attributes.ts';

describe('the attributes of', () => {
  it.each(listFolders())('%s are those sent, and the listed ones', (folder) => {
    const requests = readScenarios(folder).flatMap((scenario) => scenario.requests);
    const sent = new Map(readWire(requests).spans.map(({ span }) => [span.spanId, span.attributes ?? []]));
    const faults = loadSpans(requests).flatMap((loaded) => {
      const { context, attributes, derived_attributes: derived = {} } = presentLoaded(loaded).shown;
      return listFaults(loaded, sent.get(context.span_id) ?? [], { attributes, derived: Object.keys(derived) });
    });
    expect([...new Set(faults)]).toEqual([]);
  });
});
