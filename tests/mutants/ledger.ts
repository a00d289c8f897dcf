import { createMutants, type Mutant } from './mutant.ts'

const purchaseTests = 'tests/unit/provider/billing/ledger/purchases-and-renewals.test.ts'
const interruptionTests = 'tests/unit/provider/billing/ledger/purchase-interruptions.test.ts'
const cancellationTests = 'tests/unit/provider/billing/ledger/cancel-subscription.test.ts'
const legacyTests = 'tests/unit/provider/billing/ledger/legacy-subscriptions.test.ts'
const pastDueTests = 'tests/unit/provider/billing/ledger/past-due-subscriptions.test.ts'
const couponTests = 'tests/unit/provider/billing/ledger/coupons-and-licenses.test.ts'
const openInvoiceTests = 'tests/unit/provider/billing/ledger/open-invoices.test.ts'
const pauseTests = 'tests/unit/provider/billing/ledger/pause-subscription.test.ts'
const invoiceTests = 'tests/unit/provider/billing/ledger/invoices.test.ts'

const PURCHASE_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/ledger-store.ts',
    [purchaseTests, couponTests, legacyTests],
    [
      ['L1', 'the ledger accepts an entry that does not sum to 0', ', 0) !== 0) throw', ', 0) === 0.5) throw'],
      [
        'L2',
        'a quote stays valid after money has moved',
        "if (moved.length > 0) this.incrementCounter('revision')",
        '',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/start-purchase.ts',
    [purchaseTests, interruptionTests],
    [
      ['L3', 'two purchases run concurrently', 'if (hasChargeInProgress(ctx.book)) return createBusyError()', ''],
      [
        'L4',
        'an idempotency key can be reused for another purchase',
        'if (stored && stored.hash !== hash) return createIntentUsedError()',
        '',
      ],
      ['L5', 'an expired quote is charged', ' && quoteContent.exp > now', ''],
      ['L6', 'a quote of an older ledger is charged', 'quoteContent.book === currentQuote.book && ', ''],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/charge-processor.ts',
    [
      purchaseTests,
      interruptionTests,
      'tests/unit/provider/billing/ledger/account-closing-charges.test.ts',
      openInvoiceTests,
    ],
    [
      [
        'L7',
        'a purchase continues after the page reported no charge',
        "charge.state === 'written' && !charge.heard",
        "charge.state !== 'written' && !charge.heard",
      ],
      [
        'L8',
        'a deleted account is charged',
        'book.isEnded() ? await this.#findLostCapture(charge) : await this.#requestGateway(charge, now)',
        'await this.#requestGateway(charge, now)',
      ],
      [
        'L9',
        'a renewal is charged after its grace period',
        "if (charge.state === 'written' && this.#isRenewalTooLate(charge, now)) {",
        'if (!charge) {',
      ],
      [
        'L10',
        'a renewal is charged as if the buyer were present',
        "const isPresent = job.kind !== 'renewal' || job.asked",
        'const isPresent = true',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/pending-charges.ts',
    [
      'tests/unit/provider/billing/ledger/outbox-dispatcher.test.ts',
      'tests/unit/provider/billing/ledger/posting-failures.test.ts',
      purchaseTests,
    ],
    [
      [
        'L11',
        'an unresponsive gateway is polled every 5 s',
        'Math.max(MIN_CHECK_DELAY_MS, asked_at - begun_at)',
        'MIN_CHECK_DELAY_MS',
      ],
      [
        'L12',
        'a renewal is posted while a charge is pending',
        "if (open.some(({ parked, stuck }) => !parked && !stuck)) return store.listIds('subscription')",
        '',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/invoices.ts',
    [invoiceTests],
    [
      [
        'L13',
        'two invoices have the same number',
        "store.incrementCounter('invoices')",
        "store.incrementCounter('invoices') + 1",
      ],
      [
        'L14',
        'a credit note names the invoice of another plan',
        "kind === 'invoice' && subscription_id === subscriptionId",
        "kind === 'invoice'",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/idempotency-keys.ts',
    ['tests/unit/provider/billing/ledger/license-assignment-and-transfer.test.ts', cancellationTests, pastDueTests],
    [
      [
        'L15',
        'an idempotency key with a different body gets the first response',
        'stored.hash === hash && stored.answer !== null ?',
        'stored.answer !== null ?',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/payment-methods.ts',
    [couponTests, legacyTests],
    [['L16', 'the last card of a renewing plan can be removed', '!isGood(record) || !pays', '!isGood(record) || pays']],
  ),
  ...createMutants(
    'provider/billing/ledger/refunds.ts',
    [cancellationTests, pastDueTests, 'tests/unit/provider/billing/ledger/full-refund.test.ts'],
    [
      ['L17', 'a refund goes to the oldest charge', 'b.begun_at - a.begun_at', 'a.begun_at - b.begun_at'],
      ['L18', 'a charge is refunded twice', 'charge.cents - sumRefunds(store, charge.charge_id)', 'charge.cents'],
      [
        'L19',
        'the balance share of a payment is refunded to the card',
        'const part = Math.min(left, open)',
        'const part = left',
      ],
      ['L30', 'a full refund leaves collected money on the balance', 'isWhole && open > cents ?', 'false ?'],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/balance.ts',
    [
      'tests/unit/provider/billing/ledger/full-refund.test.ts',
      'tests/unit/provider/billing/ledger/account-closing.test.ts',
    ],
    [
      [
        'L31',
        'promotional credit is paid out',
        "if (kind === 'credit') promotional += change",
        "if (kind === 'credit') collected += change",
      ],
      [
        'L32',
        'promotional credit that paid for a plan is refunded as money',
        'payments.reclaim(subject, at, change)',
        '0',
      ],
      [
        'L32B',
        'promotional credit that paid for an earlier period is refunded as money',
        '|| isFullRefund(payment.at, at)',
        '',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/account-closing.ts',
    ['tests/unit/provider/billing/ledger/account-closing.test.ts'],
    [
      [
        'L33',
        'a preview of the refunds of a deletion issues the refunds',
        'throw new RollbackWithResult(work())',
        'return work()',
      ],
      ['L34', 'the balance of a deleted account is kept', 'if (balance === 0) return', 'if (balance >= 0) return'],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/billing-service.ts',
    [purchaseTests],
    [
      [
        'L20',
        'a quote of another account is accepted',
        'if (quoteContent && quoteContent.user !== this.#ctx.book.account) return createLedgerError(403, 403)',
        '',
      ],
    ],
  ),
]

const RENEWAL_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [purchaseTests, couponTests, legacyTests, pauseTests],
    [
      [
        'R1',
        'a free period counts as two',
        '    months: getNextMonthCount(subscription),\n  })',
        '    months: getNextMonthCount(subscription) + 1,\n  })',
      ],
      ['R2', 'the last retry is left out', 'if (tries > RETRY_DAYS.length)', 'if (tries >= RETRY_DAYS.length)'],
      [
        'R4',
        'free months without a card become past due',
        'return subscription.free && findDefaultMethod(book) === null',
        'return false',
      ],
      [
        'R6',
        'a plan of another channel is charged',
        "subscription.channel !== 'web' || ctx.gateway === null",
        'ctx.gateway === null',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/subscription-rules.ts',
    [purchaseTests, openInvoiceTests],
    [
      [
        'R8',
        'the last retry may not be late',
        'now > getAccessEnd(subscription) + LATE_PAYMENT_MS',
        'now > getAccessEnd(subscription)',
      ],
      [
        'R10',
        'a change scheduled for the next period is lost',
        '= subscription.scheduled ?? subscription',
        '= subscription',
      ],
      [
        'R11',
        'a short month shortens all later periods',
        'addMonths(subscription.anchor, subscription.months + countMonthsInPeriod(getNextSelection(subscription).period))',
        'addMonths(subscription.until, countMonthsInPeriod(getNextSelection(subscription).period))',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/renewal-retries.ts',
    [purchaseTests, openInvoiceTests],
    [['R9', 'a plan whose charge is declined late has a shorter grace period', 'overdue?.since ?? until', 'until']],
  ),
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [cancellationTests, pastDueTests],
    [
      [
        'R5',
        'a canceled plan is renewed',
        "if (subscription.status === 'cancelled' || subscription.status === 'trial') return true",
        "if (subscription.status === 'trial') return true",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [openInvoiceTests],
    [['R7', 'a failed charge has no reason', "code: failure?.code ?? ''", "code: ''"]],
  ),
  ...createMutants(
    'provider/billing/ledger/subscription-rules.ts',
    [pauseTests],
    [
      [
        'R3',
        'a renewal that is a day late is free',
        'getNextPeriodEnd(subscription) <= now',
        'subscription.until + DAY_MS <= now',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/reminders.ts',
    [openInvoiceTests],
    [['R12', 'the reminder of an annual renewal is sent only 3 days ahead', 'renewal_ahead: 30', 'renewal_ahead: 3']],
  ),
]

export const LEDGER_MUTANTS: readonly Mutant[] = [...PURCHASE_MUTANTS, ...RENEWAL_MUTANTS]
