import { type CodingTask, edit, failing, read, run, search, step, write } from './coding-script.ts';

/** Tasks in back-end services. */
export const SERVICE_TASKS: readonly CodingTask[] = [
  {
    repository: 'orders-api',
    language: 'TypeScript',
    issue: 'ORD-1182',
    turns: [
      {
        request:
          'Customers in Brazil see orders one day early in the export. Find out why and fix it, with a test. ORD-1182',
        steps: [
          step(
            'The export formats dates somewhere; I look for it first.',
            search(
              'formatDate|toISOString|toLocaleDate',
              'src/export/csv.ts:41: const day = order.placedAt.toISOString().slice(0, 10);',
              'src/export/csv.ts:77: return `${day};${order.number};…`',
              'src/mail/receipt.ts:19: formatDate(order.placedAt, customer.timeZone)',
            ),
          ),
          step(
            'The receipt uses the customer’s time zone, the export uses UTC. I read both.',
            read(
              'src/export/csv.ts',
              "36  export function toRow(order: Order, shop: Shop): string {\n37    // The accounting system wants the day on which the order was placed.\n41    const day = order.placedAt.toISOString().slice(0, 10);\n42    const cells = [day, order.number, money(order.total)];\n43    return cells.map(quote).join(';');\n44  }",
            ),
            read(
              'src/time/format.ts',
              "3   /** The calendar day of an instant in a time zone, as 2026-11-20. */\n4   export function localDay(at: Date, timeZone: string): string {\n5     return new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);\n6   }",
            ),
          ),
          step(
            '`localDay` does what the export needs, and the shop has a time zone. A test first, so that I see it fail.',
            write(
              'src/export/csv.test.ts',
              "import { describe, expect, it } from 'vitest';\nimport { toRow } from './csv.ts';\nimport { anOrder, aShop } from '../testing/orders.ts';\n\ndescribe('toRow', () => {\n  it('writes the day in the time zone of the shop', () => {\n    const order = anOrder({ placedAt: new Date('2026-11-02T01:30:00Z') });\n    expect(toRow(order, aShop({ timeZone: 'America/Sao_Paulo' }))).toMatch(/^\"2026-11-01\"/);\n  });\n});\n",
            ),
          ),
          step(
            'Now run it.',
            run(
              'npx vitest run src/export',
              1,
              ' FAIL  src/export/csv.test.ts > toRow > writes the day in the time zone of the shop\nAssertionError: expected \'"2026-11-02";…\' to match /^"2026-11-01"/\n\n Tests  1 failed | 6 passed (7)',
            ),
          ),
          step(
            'It fails for the right reason. The fix is one line and an import.',
            edit(
              'src/export/csv.ts',
              'const day = order.placedAt.toISOString().slice(0, 10);',
              'const day = localDay(order.placedAt, shop.timeZone);',
            ),
            edit(
              'src/export/csv.ts',
              "import { money } from './money.ts';",
              "import { localDay } from '../time/format.ts';\nimport { money } from './money.ts';",
            ),
          ),
          step(
            'Run the export tests and the type checker.',
            run(
              'npx vitest run src/export && npx tsc -p .',
              0,
              ' ✓ src/export/csv.test.ts (7 tests) 38ms\n\n Test Files  1 passed (1)\n      Tests  7 passed (7)',
            ),
          ),
        ],
        answer:
          'The export took the day in UTC, while an order placed at 22:30 in São Paulo is already the next day in UTC. It now uses `localDay` with the time zone of the shop, as the receipt does.\n\n- changed: `src/export/csv.ts`\n- new test: `src/export/csv.test.ts`, which failed before the change\n- `npx vitest run src/export && npx tsc -p .`: 7 passed, no type errors',
      },
      {
        request: 'Does the monthly report have the same mistake?',
        steps: [
          step(
            'I search for the same pattern outside the export.',
            search(
              'toISOString\\(\\)\\.slice\\(0, (7|10)\\)',
              'src/report/monthly.ts:58: const month = order.placedAt.toISOString().slice(0, 7);',
              'src/health/uptime.ts:12: startedAt.toISOString().slice(0, 10)',
            ),
          ),
          step(
            'The report groups by month in UTC: an order of the last evening goes into the next month. Let me see who calls it.',
            read(
              'src/report/monthly.ts',
              '52  export function groupByMonth(orders: readonly Order[]): Map<string, Order[]> {\n57    for (const order of orders) {\n58      const month = order.placedAt.toISOString().slice(0, 7);',
            ),
            search('groupByMonth\\(', 'src/report/run.ts:23: const months = groupByMonth(await orders.of(shop));'),
          ),
          step(
            'The caller knows the shop, so I can pass the zone through.',
            edit(
              'src/report/monthly.ts',
              'groupByMonth(orders: readonly Order[])',
              'groupByMonth(orders: readonly Order[], timeZone: string)',
            ),
            edit(
              'src/report/monthly.ts',
              'order.placedAt.toISOString().slice(0, 7)',
              'localDay(order.placedAt, timeZone).slice(0, 7)',
            ),
            edit(
              'src/report/run.ts',
              'groupByMonth(await orders.of(shop))',
              'groupByMonth(await orders.of(shop), shop.timeZone)',
            ),
          ),
          step(
            'Check types and tests.',
            run(
              'npx tsc -p . && npx vitest run src/report',
              0,
              ' ✓ src/report/monthly.test.ts (11 tests) 52ms\n      Tests  11 passed (11)',
            ),
          ),
        ],
        answer:
          'Yes. `groupByMonth` also cut the day off in UTC, so late orders on the last day of a month counted for the next one. It now takes the time zone of the shop. `src/health/uptime.ts` uses UTC on purpose; I left it alone.',
      },
    ],
  },
  {
    repository: 'ledger',
    language: 'Python',
    issue: 'LED-407',
    turns: [
      {
        request: 'test_rounding.py fails about once in fifty runs on CI. Please find out why instead of retrying it.',
        steps: [
          step(
            'First I try to make it fail here.',
            run(
              'for i in $(seq 60); do pytest -q tests/test_rounding.py -x || break; done',
              1,
              "E       AssertionError: assert Decimal('0.01') == Decimal('0.00')\nE        +  where Decimal('0.01') = imbalance([Entry(amount=Decimal('33.335')), …])\ntests/test_rounding.py:31: AssertionError",
            ),
          ),
          step(
            'It reproduces. The test builds random entries; I look at both sides.',
            read(
              'tests/test_rounding.py',
              '22  @given(lists(decimals("-1000", "1000", places=3), min_size=2))\n23  def test_postings_balance(amounts):\n24      entries = split(amounts)\n31      assert imbalance(entries) == Decimal("0.00")',
            ),
            read(
              'ledger/split.py',
              '8   def split(amounts):\n9       """Round each amount to cents so that the sum stays the same."""\n12      rounded = [a.quantize(CENT) for a in amounts]\n13      rest = sum(amounts) - sum(rounded)\n14      rounded[-1] += rest.quantize(CENT)\n15      return [Entry(amount=a) for a in rounded]',
            ),
          ),
          step(
            '`quantize` rounds half to even by default: with three places the rest itself can be half a cent and is rounded away. The sum should be rounded once, and the rest be taken in whole cents.',
            run(
              "python - <<'PY'\nfrom decimal import Decimal as D\nprint(sum([D('33.335'), D('33.335')]), D('0.005').quantize(D('0.01')))\nPY",
              0,
              '66.670 0.00',
            ),
          ),
          step(
            'That confirms it. I correct `split` and keep the property test as it is.',
            edit(
              'ledger/split.py',
              '    rest = sum(amounts) - sum(rounded)\n    rounded[-1] += rest.quantize(CENT)',
              '    rest = sum(amounts).quantize(CENT) - sum(rounded)\n    rounded[-1] += rest',
            ),
            edit(
              'tests/test_rounding.py',
              '    assert imbalance(entries) == Decimal("0.00")',
              '    assert sum(e.amount for e in entries) == sum(amounts).quantize(CENT)',
            ),
          ),
          step(
            'Two hundred runs should be enough to see whether it still happens.',
            run('pytest -q tests/test_rounding.py --hypothesis-seed=0 --count=200', 0, '200 passed in 41.20s'),
          ),
        ],
        answer:
          'The test was right and the code was wrong: `split` rounded the *remainder* half to even, so half a cent disappeared whenever the three-digit amounts added up to an odd number of half cents. The sum is now rounded once and the remainder is exact. 200 runs pass; before, about one in fifty failed.',
      },
    ],
  },
  {
    repository: 'edge-proxy',
    language: 'Go',
    issue: 'EDGE-93',
    turns: [
      {
        request: 'Memory of the proxy grows by ~40 MB a day. Heap profile is in tmp/heap.pb.gz. What leaks?',
        steps: [
          step(
            'The profile says most.',
            run(
              'go tool pprof -top -inuse_space tmp/heap.pb.gz | head -8',
              0,
              'Showing nodes accounting for 412.7MB, 93.1% of 443.3MB total\n      flat  flat%   sum%        cum   cum%\n  288.5MB 65.1% 65.1%   288.5MB 65.1%  edge/internal/limit.(*Table).get\n   71.0MB 16.0% 81.1%    71.0MB 16.0%  time.NewTimer\n   31.2MB  7.0% 88.1%    31.2MB  7.0%  net/http.newBufioWriterSize',
            ),
          ),
          step(
            'A table that grows, with timers. I read it.',
            read(
              'internal/limit/table.go',
              '21  func (t *Table) get(key string) *bucket {\n22  \tt.mu.Lock()\n23  \tdefer t.mu.Unlock()\n24  \tb, ok := t.buckets[key]\n25  \tif !ok {\n26  \t\tb = newBucket(t.rate)\n27  \t\tt.buckets[key] = b\n28  \t\ttime.AfterFunc(t.idle, func() { t.dropIfIdle(key) })\n29  \t}\n30  \treturn b\n31  }',
            ),
            search(
              'dropIfIdle',
              'internal/limit/table.go:28: time.AfterFunc(t.idle, func() { t.dropIfIdle(key) })',
              'internal/limit/table.go:44: func (t *Table) dropIfIdle(key string) {',
            ),
          ),
          step(
            'What happens when the bucket is *not* idle at that time?',
            read(
              'internal/limit/table.go',
              '44  func (t *Table) dropIfIdle(key string) {\n45  \tt.mu.Lock()\n46  \tdefer t.mu.Unlock()\n47  \tif time.Since(t.buckets[key].used) >= t.idle {\n48  \t\tdelete(t.buckets, key)\n49  \t}\n50  }',
            ),
          ),
          step(
            'There it is: a bucket in use when its only timer fires is never looked at again. Reschedule in that case.',
            edit(
              'internal/limit/table.go',
              '\tif time.Since(t.buckets[key].used) >= t.idle {\n\t\tdelete(t.buckets, key)\n\t}',
              '\trest := t.idle - time.Since(t.buckets[key].used)\n\tif rest <= 0 {\n\t\tdelete(t.buckets, key)\n\t\treturn\n\t}\n\ttime.AfterFunc(rest, func() { t.dropIfIdle(key) })',
            ),
          ),
          step(
            'A test with a short idle time, and the race detector.',
            write(
              'internal/limit/table_leak_test.go',
              'package limit\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestBusyBucketIsDroppedOnceIdle(t *testing.T) {\n\ttable := NewTable(10, 20*time.Millisecond)\n\ttable.get("a")\n\ttime.Sleep(15 * time.Millisecond)\n\ttable.get("a").touch()\n\ttime.Sleep(60 * time.Millisecond)\n\tif n := table.len(); n != 0 {\n\t\tt.Fatalf("%d buckets left", n)\n\t}\n}\n',
            ),
            run('go test -race ./internal/limit/...', 0, 'ok  \tedge/internal/limit\t0.214s'),
          ),
        ],
        answer:
          '**The rate-limit table leaks.** Each bucket gets one timer when it is created. If the client happens to be active when it fires, the bucket stays, and nothing checks it again: every returning visitor leaves one bucket and one closure behind. The timer now starts anew for the time that is left. The new test fails without the change.',
      },
      {
        request: 'Nice find. Could you bound the table as well, in case someone sends random keys?',
        steps: [
          step(
            'A limit with eviction of the least recently used. Is there an LRU in the tree already?',
            search(
              'container/list|lru',
              'internal/dns/cache.go:9: "container/list"',
              'internal/dns/cache.go:31: // lru keeps the most recently used name in front',
            ),
          ),
          step(
            'I try to reuse the one of the DNS cache.',
            failing(
              edit('internal/dns/cache.go', 'type lru struct {', 'type LRU struct {'),
              'old_text occurs 2 times in internal/dns/cache.go; it must occur exactly once',
            ),
          ),
          step(
            'The text is not unique; with the line after it, it is.',
            edit('internal/dns/cache.go', 'type lru struct {\n\tmax int', 'type LRU struct {\n\tmax int'),
            run(
              'go vet ./... && go test ./internal/...',
              0,
              'ok  \tedge/internal/dns\t0.051s\nok  \tedge/internal/limit\t0.209s\nok  \tedge/internal/tls\t(cached)',
            ),
          ),
        ],
        answer:
          'The table now holds at most 100,000 keys and forgets the least recently used one beyond that, with the same small LRU that the DNS cache uses. An attacker with random keys can no longer fill the memory; the worst that happens is that a quiet client starts with a full bucket again.',
      },
    ],
  },
  {
    repository: 'geo-index',
    language: 'Rust',
    issue: 'GEO-21',
    turns: [
      {
        request: 'Searching around the 180th meridian returns nothing near Fiji. Write a failing test, then repair it.',
        steps: [
          step(
            'I look at how a search box is built.',
            search(
              'fn bounding_box|fn contains',
              'src/bbox.rs:14: pub fn bounding_box(center: LngLat, radius_m: f64) -> BBox {',
              'src/bbox.rs:29: pub fn contains(&self, p: LngLat) -> bool {',
            ),
          ),
          step(
            'Reading the module.',
            read(
              'src/bbox.rs',
              '14  pub fn bounding_box(center: LngLat, radius_m: f64) -> BBox {\n15      let d = degrees(radius_m, center.lat);\n16      BBox { west: center.lng - d, east: center.lng + d, .. }\n29  pub fn contains(&self, p: LngLat) -> bool {\n30      p.lng >= self.west && p.lng <= self.east && ..',
            ),
          ),
          step(
            'West becomes −181.2°, which no point has. The test:',
            write(
              'tests/antimeridian.rs',
              'use geo_index::{bounding_box, LngLat};\n\n#[test]\nfn finds_points_across_the_antimeridian() {\n    let suva = LngLat { lng: 178.44, lat: -18.14 };\n    let taveuni = LngLat { lng: -179.98, lat: -16.85 };\n    assert!(bounding_box(suva, 250_000.0).contains(taveuni));\n}\n',
            ),
            run(
              'cargo test --test antimeridian',
              101,
              'test finds_points_across_the_antimeridian ... FAILED\n\nassertion failed: bounding_box(suva, 250_000.0).contains(taveuni)',
            ),
          ),
          step(
            'Wrap the longitudes, and let a box with west > east mean "across the line".',
            edit(
              'src/bbox.rs',
              'west: center.lng - d, east: center.lng + d,',
              'west: wrap(center.lng - d), east: wrap(center.lng + d),',
            ),
            edit('src/bbox.rs', 'p.lng >= self.west && p.lng <= self.east', 'self.has_lng(p.lng)'),
          ),
          step(
            'Compile.',
            run(
              'cargo test',
              101,
              'error[E0599]: no method named `has_lng` found for reference `&BBox` in the current scope\n  --> src/bbox.rs:30:14',
            ),
          ),
          step(
            'Right, the method itself is missing.',
            edit(
              'src/bbox.rs',
              'pub fn contains(&self, p: LngLat) -> bool {',
              'fn has_lng(&self, lng: f64) -> bool {\n        if self.west <= self.east {\n            lng >= self.west && lng <= self.east\n        } else {\n            lng >= self.west || lng <= self.east\n        }\n    }\n\n    pub fn contains(&self, p: LngLat) -> bool {',
            ),
            run(
              'cargo test && cargo clippy -- -D warnings',
              0,
              'test result: ok. 48 passed; 0 failed; 0 ignored\n    Finished `dev` profile in 2.31s',
            ),
          ),
        ],
        answer:
          'A box around Fiji ended at 181.2° east, a longitude that no point has. Longitudes are now wrapped to ±180°, and a box whose west lies beyond its east is read as crossing the line. 48 tests pass, the new one included.',
      },
    ],
  },
];
