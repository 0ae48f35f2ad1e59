/** The place of a chart in the address of the metrics page: `#trace-latency`. */
export function chartAnchor(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
