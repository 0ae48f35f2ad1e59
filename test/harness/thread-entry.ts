/** Stands in for `#base/thread-entry`: threads of a server that a test starts in its own process run the bundle of the tests. */
export function threadEntry(_importMetaUrl: string, name: string): URL {
  return new URL(`${name}.js`, process.env['CAIRN_TEST_PROGRAM']);
}
