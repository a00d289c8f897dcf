import { createMutants, type Mutant } from './mutant.ts'

const book = 'tests/unit/provider/billing/ledger/purchases-and-renewals.test.ts'
const leaving = 'tests/unit/provider/billing/ledger/cancel-subscription.test.ts'
const gifts = 'tests/unit/provider/billing/ledger/coupons-and-legacy-subscriptions.test.ts'
const open = 'tests/unit/provider/billing/ledger/open-invoices.test.ts'
const pausing = 'tests/unit/provider/billing/ledger/pause-subscription.test.ts'
const bills = 'tests/unit/provider/billing/ledger/invoices.test.ts'

const BOOK: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/ledger-store.ts',
    [book, gifts],
    [
      ['L1', 'an entry is written that does not sum to 0', ', 0) !== 0) throw', ', 0) === 0.5) throw'],
      ['L2', 'a quote is true after money has moved', "if (moved.length > 0) this.next('revision')", ''],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/begin-purchase.ts',
    [book],
    [
      ['L3', 'two purchases run at once', 'if (isBusy(ctx.book)) return busy()', ''],
      ['L4', 'a key buys something else', 'if (stored && stored.hash !== hash) return intentUsed()', ''],
      ['L5', 'an expired quote is charged', ' && sealed.exp > now', ''],
      ['L6', 'a quote of an older book is charged', 'sealed.book === fresh.book && ', ''],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/charge-processor.ts',
    [book, 'tests/unit/provider/billing/ledger/account-closing-charges.test.ts', open],
    [
      [
        'L7',
        'a purchase continues after the page reported no charge',
        "charge.state === 'written' && !charge.heard",
        "charge.state !== 'written' && !charge.heard",
      ],
      [
        'L8',
        'an account that is gone is charged',
        'book.isEnded() ? await this.#wasCollected(charge) : await this.#ask(charge, now)',
        'await this.#ask(charge, now)',
      ],
      [
        'L9',
        'a renewal is collected after its days of grace',
        "if (charge.state === 'written' && this.#isOver(charge, now)) {",
        'if (!charge) {',
      ],
      [
        'L10',
        'the bank takes the buyer to be present at a renewal',
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
      book,
    ],
    [
      ['L11', 'a silent gateway is asked every 5 s', 'Math.max(SOONEST_MS, asked_at - begun_at)', 'SOONEST_MS'],
      [
        'L12',
        'a renewal is booked while a charge is under way',
        "if (open.some(({ parked, stuck }) => !parked && !stuck)) return book.ids('subscription')",
        '',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/invoices.ts',
    [bills],
    [
      ['L13', 'two bills have one number', "book.next('invoices')", "book.count('invoices') + 1"],
      [
        'L14',
        'a credit note names the bill of another plan',
        "kind === 'invoice' && subscription_id === subscriptionId",
        "kind === 'invoice'",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/idempotency-keys.ts',
    ['tests/unit/provider/billing/ledger/license-assignment-and-transfer.test.ts', leaving],
    [
      [
        'L15',
        'a key with another body has the first answer',
        'stored.hash === hash && stored.answer !== null ?',
        'stored.answer !== null ?',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/payment-methods.ts',
    [gifts],
    [['L16', 'the last card of a plan that renews is removed', '!isGood(record) || !pays', '!isGood(record) || pays']],
  ),
  ...createMutants(
    'provider/billing/ledger/refunds.ts',
    [leaving, 'tests/unit/provider/billing/ledger/full-refund.test.ts'],
    [
      ['L17', 'a refund goes to the oldest charge', 'b.begun_at - a.begun_at', 'a.begun_at - b.begun_at'],
      ['L18', 'a charge is refunded twice', 'charge.cents - sumRefunds(book, charge.charge_id)', 'charge.cents'],
      ['L19', 'the card gets back what the balance paid', 'const part = Math.min(left, open)', 'const part = left'],
      ['L30', 'a whole refund leaves collected money on the balance', 'isWhole && open > cents ?', 'false ?'],
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
        'credit that paid a plan comes back as money',
        'Math.min(change, promotionalBySubscription.get(subject) ?? 0)',
        '0',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/account-closing.ts',
    ['tests/unit/provider/billing/ledger/account-closing.test.ts'],
    [
      ['L33', 'showing what a deletion refunds does it', 'throw new Rehearsed(work())', 'return work()'],
      ['L34', 'the balance of a deleted account is kept', 'if (balance === 0) return', 'if (balance >= 0) return'],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/billing-service.ts',
    [book],
    [
      [
        'L20',
        'a quote of another account is taken',
        'if (sealed && sealed.user !== this.ctx.book.account) return ledgerError(403, 403)',
        '',
      ],
    ],
  ),
]

const RENEWALS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [book, gifts, pausing],
    [
      [
        'R1',
        'a period that was given counts as two',
        'months: monthsAfter(subscription) },',
        'months: monthsAfter(subscription) + 1 },',
      ],
      ['R2', 'the last retry is left out', 'if (tries > RETRY_DAYS.length)', 'if (tries >= RETRY_DAYS.length)'],
      [
        'R4',
        'free months without a card become past due',
        'return subscription.free && defaultMethod(book) === null',
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
    [book, open],
    [
      [
        'R8',
        'the last retry may not be late',
        'now > accessEndsAt(subscription) + LATE_MS',
        'now > accessEndsAt(subscription)',
      ],
      [
        'R10',
        'a change for the next period is forgotten',
        '= subscription.scheduled ?? subscription',
        '= subscription',
      ],
      [
        'R11',
        'a short month shortens all that follow',
        'addMonths(subscription.anchor, subscription.months + monthsInPeriod(nextSelection(subscription).period))',
        'addMonths(subscription.until, monthsInPeriod(nextSelection(subscription).period))',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/renewal-retries.ts',
    [book, open],
    [['R9', 'a plan that is declined late has fewer days of grace', 'overdue?.since ?? until', 'until']],
  ),
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [leaving],
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
    [open],
    [['R7', 'a charge that failed names no reason', "code: why?.code ?? ''", "code: ''"]],
  ),
  ...createMutants(
    'provider/billing/ledger/subscription-rules.ts',
    [pausing],
    [
      [
        'R3',
        'a renewal that is a day late is given',
        'nextUntil(subscription) <= now',
        'subscription.until + DAY_MS <= now',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/reminders.ts',
    [open],
    [['R12', 'the notice of an annual renewal comes only 3 days ahead', 'renewal_ahead: 30', 'renewal_ahead: 3']],
  ),
]

export const LEDGER: readonly Mutant[] = [...BOOK, ...RENEWALS]
