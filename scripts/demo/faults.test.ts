import { describe, expect, it } from 'vitest';
import { nodeFault, pythonFault, toolFailed } from './faults.ts';

describe('faults', () => {
  it('looks like a traceback of Python', () => {
    const fault = pythonFault('ValueError', 'no such day', ['/app/main.py:12 handle | day = parse(text)']);
    expect(fault.stacktrace).toBe(
      'Traceback (most recent call last):\n  File "/app/main.py", line 12, in handle\n    day = parse(text)\nValueError: no such day\n',
    );
  });

  it('looks like a stack of Node', () => {
    const fault = nodeFault('TypeError', 'x is not a function', ['handle file:///srv/main.js:3:7']);
    expect(fault.stacktrace).toBe('TypeError: x is not a function\n    at handle (file:///srv/main.js:3:7)');
  });

  it('names the tool that failed', () => {
    expect(toolFailed('python', 'lookup_order', '503').stacktrace).toContain('/tools/lookup_order.py');
    expect(toolFailed('node', 'read_file', 'gone').stacktrace).toContain('/tools/read-file.js');
  });
});
