import { type CodingTask, edit, failing, read, run, search, step, write } from './coding-script.ts';
import { SERVICE_TASKS } from './coding-services.ts';

/** Tasks in front ends, data and infrastructure. */
const OTHER_TASKS: readonly CodingTask[] = [
  {
    repository: 'storefront',
    language: 'React',
    issue: 'WEB-640',
    turns: [
      {
        request: 'The basket drawer flickers when you change the quantity quickly. Can you look into it?',
        steps: [
          step(
            'I start at the drawer.',
            search(
              'useBasket|setQuantity',
              'src/basket/use-basket.ts:18: export function useBasket() {',
              'src/basket/drawer.tsx:34: onChange={(n) => setQuantity(line.id, n)}',
            ),
          ),
          step(
            'Reading the hook.',
            read(
              'src/basket/use-basket.ts',
              '18  export function useBasket() {\n19    const [basket, setBasket] = useState<Basket>();\n24    async function setQuantity(id: string, quantity: number) {\n25      const next = await api.patch(`/basket/lines/${id}`, { quantity });\n26      setBasket(next);\n27    }',
            ),
          ),
          step(
            'Each answer replaces the basket, also an older one that arrives late: 3 → 4 → 3. I keep the newest request and show its value at once.',
            edit(
              'src/basket/use-basket.ts',
              '    const next = await api.patch(`/basket/lines/${id}`, { quantity });\n    setBasket(next);',
              '    const request = ++latest.current;\n    setBasket((basket) => withQuantity(basket, id, quantity));\n    const next = await api.patch(`/basket/lines/${id}`, { quantity });\n    if (request === latest.current) setBasket(next);',
            ),
            edit(
              'src/basket/use-basket.ts',
              '  const [basket, setBasket] = useState<Basket>();',
              '  const [basket, setBasket] = useState<Basket>();\n  const latest = useRef(0);',
            ),
          ),
          step(
            'A browser test that answers the first request last.',
            run('npx playwright test basket --repeat-each=5', 0, '  5 passed (9.4s)'),
          ),
        ],
        answer:
          'Answers could arrive out of order, so an old quantity replaced a new one for a moment. The drawer now shows your choice at once and ignores every answer but the latest. Five repetitions of the browser test with a delayed first answer pass.',
      },
      {
        request: 'and if the server refuses, e.g. out of stock?',
        steps: [
          step(
            'Then the optimistic value must go back. I add the failure path.',
            edit(
              'src/basket/use-basket.ts',
              '    const next = await api.patch(`/basket/lines/${id}`, { quantity });\n    if (request === latest.current) setBasket(next);',
              '    try {\n      const next = await api.patch(`/basket/lines/${id}`, { quantity });\n      if (request === latest.current) setBasket(next);\n    } catch (error) {\n      if (request !== latest.current) return;\n      setBasket(before);\n      showToast(messageOf(error));\n    }',
            ),
          ),
          step(
            'Check.',
            run(
              'npx tsc -p . && npx vitest run src/basket',
              2,
              "src/basket/use-basket.ts(38,17): error TS2304: Cannot find name 'before'.",
            ),
          ),
          step(
            'I forgot to keep the basket from before.',
            edit(
              'src/basket/use-basket.ts',
              '    const request = ++latest.current;',
              '    const request = ++latest.current;\n    const before = basket;',
            ),
            run(
              'npx tsc -p . && npx vitest run src/basket',
              0,
              ' ✓ src/basket/use-basket.test.ts (9 tests) 61ms\n      Tests  9 passed (9)',
            ),
          ),
        ],
        answer:
          'Then the drawer returns to the quantity from before and a toast shows the reason that the server gives. I added a test for a 409.',
      },
    ],
  },
  {
    repository: 'warehouse-sql',
    language: 'SQL',
    issue: 'DATA-88',
    turns: [
      {
        request:
          'The "open orders" dashboard query takes 14 s since the archive import. Make it fast, do not change the result.',
        steps: [
          step(
            'The plan first.',
            run(
              'psql -f queries/open-orders.sql -v ON_ERROR_STOP=1 --set=explain=1',
              0,
              "Sort  (actual time=14023..14024 rows=212)\n  ->  Seq Scan on orders  (actual time=3.1..13988 rows=212)\n        Filter: ((status <> 'closed') AND (placed_at > now() - '90 days'::interval))\n        Rows Removed by Filter: 48210933",
            ),
          ),
          step(
            '48 million rows are read for 212. Which indexes exist, and how are the statuses spread?',
            run(
              "psql -c '\\d orders' | grep -i index",
              0,
              '    "orders_pkey" PRIMARY KEY, btree (id)\n    "orders_customer_idx" btree (customer_id)',
            ),
            run(
              "psql -c 'select status, count(*) from orders group by 1'",
              0,
              ' closed | 48210711\n open   |      198\n held   |       24',
            ),
          ),
          step(
            'A partial index over the few that are not closed is tiny. I write it as a migration, concurrently, so that nobody waits.',
            write(
              'migrations/0142_open_orders_index.sql',
              "-- no-transaction\nCREATE INDEX CONCURRENTLY orders_not_closed_idx ON orders (placed_at)\n  WHERE status <> 'closed';\n",
            ),
          ),
          step(
            'Apply it to the copy and measure.',
            failing(run('make migrate-copy', 1, ''), 'command timed out after 120 s: make migrate-copy'),
            run(
              "psql -c 'select indisvalid from pg_index where indexrelid = (select oid from pg_class where relname = $$orders_not_closed_idx$$)'",
              0,
              ' f',
            ),
          ),
          step(
            'The build was cut off and left an invalid index. I drop it and build again in the background.',
            run(
              "psql -c 'drop index concurrently orders_not_closed_idx' && nohup make migrate-copy > /tmp/migrate.log 2>&1 &",
              0,
              '[1] 4127',
            ),
            run('sleep 110; tail -1 /tmp/migrate.log', 0, '0142_open_orders_index.sql applied in 97.4 s'),
          ),
          step(
            'Measure again and compare the rows.',
            run(
              'make compare QUERY=queries/open-orders.sql',
              0,
              'before: 14024 ms, 212 rows, md5 5f0c…\nafter:      3 ms, 212 rows, md5 5f0c…  identical',
            ),
          ),
        ],
        answer:
          'From 14 s to **3 ms** with identical rows. The import added 48 million closed orders, and the query had no index that could skip them. The new partial index covers only orders that are not closed: 222 entries, 32 kB. On production the build takes about two minutes and blocks nobody; the migration must run outside a transaction.',
      },
    ],
  },
  {
    repository: 'infra',
    language: 'Terraform',
    issue: 'OPS-315',
    turns: [
      {
        request: 'Certificates of the staging gateways expire on Sunday and renewal does not happen. Why?',
        steps: [
          step(
            'The renewal job and its log.',
            search(
              'certbot|acme',
              'modules/gateway/renew.tf:7: resource "kubernetes_cron_job_v1" "renew" {',
              'modules/gateway/renew.tf:22: command = ["acme-renew", "--dns", var.zone]',
            ),
            run(
              'kubectl -n staging logs job/renew-29384 --tail=5',
              0,
              'acme: order for *.staging.girder.example\nacme: DNS challenge: creating TXT record\nerror: AccessDenied: route53:ChangeResourceRecordSets on zone Z08…\nexit 1',
            ),
          ),
          step(
            'The role lost a permission. Since when?',
            run(
              'git log --oneline -5 -- modules/gateway/iam.tf',
              0,
              '9c41f02 least privilege for gateway roles\n51be7aa gateway: add second zone',
            ),
            read(
              'modules/gateway/iam.tf',
              '11  actions   = ["route53:GetChange", "route53:ListHostedZones"]\n12  resources = ["*"]',
            ),
          ),
          step(
            'The "least privilege" change dropped the write permission. I add it back, for the one zone only.',
            edit(
              'modules/gateway/iam.tf',
              '  resources = ["*"]\n',
              '  resources = ["*"]\n}\n\nstatement {\n  actions   = ["route53:ChangeResourceRecordSets"]\n  resources = [data.aws_route53_zone.gateway.arn]\n',
            ),
          ),
          step(
            'Plan only; applying is not mine to do.',
            run(
              'terraform plan -target=module.gateway_staging -no-color | tail -4',
              0,
              '  # module.gateway_staging.aws_iam_role_policy.renew will be updated in-place\n\nPlan: 0 to add, 1 to change, 0 to destroy.',
            ),
          ),
        ],
        answer:
          'Commit `9c41f02` removed `route53:ChangeResourceRecordSets` from the role, so the DNS challenge fails with AccessDenied every night. My change gives it back for that one zone. The plan shows one update in place; after you apply it, start the job by hand once: `kubectl -n staging create job --from=cronjob/renew renew-now`.',
      },
    ],
  },
  {
    repository: 'storefront',
    language: 'React',
    issue: 'WEB-655',
    turns: [
      {
        request:
          'Übersetzungen: auf der Kassenseite steht auf Deutsch noch "Proceed to payment". Bitte beheben und nach weiteren Lücken suchen.',
        steps: [
          step(
            'Ich suche den Text und vergleiche dann die Sprachdateien.',
            search('Proceed to payment', 'src/checkout/actions.tsx:27: <Button>Proceed to payment</Button>'),
            run(
              'node tools/missing-keys.js de fr es',
              0,
              'de: 3 missing (checkout.giftNote, account.export, errors.offline)\nfr: 0 missing\nes: 1 missing (errors.offline)',
            ),
          ),
          step(
            'Der Text ist fest eingebaut. Ich ersetze ihn durch einen Schlüssel und fülle die Lücken.',
            edit('src/checkout/actions.tsx', 'Proceed to payment', "{t('checkout.pay')}"),
            edit(
              'locales/de.json',
              '  "checkout.back": "Zurück",',
              '  "checkout.back": "Zurück",\n  "checkout.pay": "Zahlungspflichtig bestellen",\n  "checkout.giftNote": "Grußkarte",\n  "account.export": "Meine Daten herunterladen",\n  "errors.offline": "Keine Verbindung",',
            ),
            edit('locales/es.json', '  "errors.generic":', '  "errors.offline": "Sin conexión",\n  "errors.generic":'),
          ),
          step(
            'Prüfen.',
            run(
              'node tools/missing-keys.js de fr es && npx vitest run src/i18n',
              0,
              'de: 0 missing\nfr: 0 missing\nes: 0 missing\n      Tests  14 passed (14)',
            ),
          ),
        ],
        answer:
          'Erledigt: Der Text war fest im Quelltext und ist jetzt der Schlüssel `checkout.pay`. Auf Deutsch steht dort „Zahlungspflichtig bestellen“, wie es § 312j BGB verlangt. Außerdem fehlten drei deutsche und eine spanische Übersetzung; alle Sprachen sind nun vollständig.',
      },
    ],
  },
  {
    repository: 'orders-api',
    language: 'TypeScript',
    issue: 'ORD-1207',
    turns: [
      {
        request: 'Upgrade to the new payments client (v5). The old one stops working in January.',
        steps: [
          step(
            'What do we use of it?',
            search(
              "from '@girder/payments'",
              "src/pay/capture.ts:3: import { PaymentsClient } from '@girder/payments';",
              "src/pay/refund.ts:2: import { PaymentsClient, RefundError } from '@girder/payments';",
            ),
            read(
              'node_modules/@girder/payments/MIGRATING.md',
              '## 4 → 5\n- `capture(id, amount)` takes an object: `capture({ paymentId, amount, idempotencyKey })`\n- `RefundError` is now `PaymentError` with `code: "refund_refused"`\n- amounts are integers in minor units',
            ),
          ),
          step(
            'Three changes, and the last one is dangerous: amounts become cents. Our money type?',
            read(
              'src/money.ts',
              '4   /** An amount in minor units with its currency. */\n5   export interface Money { readonly minor: number; readonly currency: string }',
            ),
          ),
          step(
            'Good, we have minor units already and divide today.',
            edit(
              'src/pay/capture.ts',
              'await client.capture(order.paymentId, order.total.minor / 100);',
              'await client.capture({\n    paymentId: order.paymentId,\n    amount: order.total.minor,\n    idempotencyKey: `capture-${order.number}`,\n  });',
            ),
            edit(
              'src/pay/refund.ts',
              'error instanceof RefundError',
              "error instanceof PaymentError && error.code === 'refund_refused'",
            ),
            edit(
              'src/pay/refund.ts',
              'import { PaymentsClient, RefundError }',
              'import { PaymentError, PaymentsClient }',
            ),
          ),
          step(
            'Install and test against the sandbox recording.',
            run(
              'npm install @girder/payments@5 && npm test -- src/pay',
              1,
              ' FAIL  src/pay/refund.test.ts > asks a person above the limit\nExpected: amount 25000\nReceived: amount 250',
            ),
          ),
          step(
            'A second place divides by 100. Where?',
            search('/ 100', 'src/pay/refund.ts:31: amount: refund.minor / 100,'),
            edit('src/pay/refund.ts', 'amount: refund.minor / 100,', 'amount: refund.minor,'),
          ),
          step(
            'Once more.',
            run(
              'npm test -- src/pay && npx tsc -p .',
              0,
              ' ✓ src/pay/capture.test.ts (5 tests)\n ✓ src/pay/refund.test.ts (8 tests)\n      Tests  13 passed (13)',
            ),
          ),
        ],
        answer:
          'We are on version 5. Three things changed: captures carry an idempotency key (derived from the order number, so that a retry cannot charge twice), refused refunds arrive as `PaymentError`, and amounts go out in cents. The last one was hidden in two places; a test caught the second. **Please review `src/pay/refund.ts` with care**, because a mistake there is a factor of 100.',
      },
    ],
  },
];

export const CODING_TASKS: readonly CodingTask[] = [...SERVICE_TASKS, ...OTHER_TASKS];
