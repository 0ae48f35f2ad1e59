import { HELP, parseDemoArguments } from './arguments.ts';
import { batchSpans } from './batches.ts';
import { SendError, sendSpans } from './send.ts';
import { Summary } from './summary.ts';
import { recordWeek } from './week.ts';

try {
  const options = parseDemoArguments(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else {
    const startedMs = performance.now();
    const summary = new Summary();
    for (const spans of batchSpans(recordWeek(options))) {
      summary.add(spans, await sendSpans(options, spans));
      if (process.stdout.isTTY) process.stdout.write(`\r${summary.progress()}`);
    }
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
    process.stdout.write(`${summary.report((performance.now() - startedMs) / 1000)}\n`);
  }
} catch (error) {
  if (!(error instanceof SendError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
